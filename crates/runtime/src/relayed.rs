//! App-servers that went on without a program, and the sessions whose turns they run: taken over together.

use std::sync::Arc;

use selvedge_journal::Store as _;
use selvedge_session::SessionId;
use uuid::Uuid;

use crate::{actor, error::Error, house::House, ledger};

/// All of them, at a start. Each is read when the sessions listen that it talks to, and those are about to be woken.
pub(crate) async fn adopt_all(house: &House, open: &[SessionId]) -> Result<(), Error> {
    let _one_at_a_time = house.adopting.lock().await;
    house.fleet.adopt(None).await;
    for id in open {
        if let Some(process) = process_of(house, *id).await? {
            house.fleet.expect(process, *id);
        }
    }
    house.fleet.go_on();
    Ok(())
}

/// The one whose session somebody wants, where the others are left alone. All that it talks to listen from now on: what
/// nobody listens to would be refused.
pub(crate) async fn adopt_one(house: &Arc<House>, process: Uuid) -> Result<(), Error> {
    let _one_at_a_time = house.adopting.lock().await;
    if house.fleet.has_adopted(process) {
        return Ok(());
    }
    house.fleet.adopt(Some(process)).await;
    if !house.fleet.has_adopted(process) {
        return Ok(());
    }
    for id in house.open_sessions().await? {
        if process_of(house, id).await? == Some(process) {
            house.fleet.expect(process, id);
            house.wake(id)?;
        }
    }
    house.fleet.go_on();
    Ok(())
}

/// Ends what an earlier program left with other settings and with this thread loaded. Not while it is being found out which sessions go on there.
pub(crate) async fn free(house: &House, thread_id: &str) {
    if house.fleet.is_held(thread_id) {
        let _one_at_a_time = house.adopting.lock().await;
        house.fleet.free(thread_id).await;
    }
}

/// The app-server that a session's records name.
async fn process_of(house: &House, id: SessionId) -> Result<Option<Uuid>, Error> {
    let newest = house.store.newest(&ledger::key(id), ledger::SOURCE).await?;
    Ok(newest.as_ref().and_then(actor::process_in))
}
