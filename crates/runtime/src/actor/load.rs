//! A session out of the journal, and the lease that makes it ours.

use std::sync::Arc;

use selvedge_journal::{AppendError, Limit, Store as _};
use selvedge_session::{Code, Session, SessionId, Timestamp};

use super::source::Source;
use crate::{
    error::Error,
    fleet::Owner,
    house::House,
    ledger::{self, Draft, LEASE, SNAPSHOT, table},
};

/// Records read at once.
const PAGE: usize = 1000;
/// How often we try again when somebody else wrote meanwhile.
const TRIES: usize = 5;

/// A session that is ours.
pub(super) struct Loaded {
    pub(super) session: Session,
    pub(super) n: u64,
    pub(super) created_at: Timestamp,
    /// Whether the index says that a start has to look after it.
    pub(super) open: bool,
    /// How far it has heard an app-server that may still be there.
    pub(super) source: Option<Source>,
}

pub(super) async fn load(house: &Arc<House>, id: SessionId) -> Result<Loaded, Error> {
    for _ in 0..TRIES {
        let mut loaded = read(house, id).await?;
        if take_lease(house, id, &mut loaded).await? {
            return Ok(loaded);
        }
    }
    Err(Error::of(Code::OwnedElsewhere))
}

/// The session as its records say it is.
pub(crate) async fn read(house: &House, id: SessionId) -> Result<Loaded, Error> {
    let key = ledger::key(id);
    let first = house.store.records(&key, 0, Limit::of(1)).await?;
    let Some(first) = first.first() else {
        return Err(Error::coded(Code::NotFound, format!("there is no session {id}")));
    };
    let created_at = Timestamp(first.record.at);
    let mut session = Session::new(id);
    let mut source = None;
    let mut n = 0;
    let mut records = house.store.since(&key, SNAPSHOT, Limit::of(PAGE)).await?;
    while let Some(last) = records.last() {
        n = last.n;
        for record in &records {
            Source::read_on(&mut source, record);
            match ledger::snapshot_of(record)? {
                Some(snapshot) => session = snapshot,
                None => ledger::replay(&mut session, record)?,
            }
        }
        records = house.store.records(&key, n, Limit::of(PAGE)).await?;
    }
    let open = !house.store.look_up(table::OPEN, &id.to_string()).await?.is_empty();
    Ok(Loaded { session, n, created_at, open, source })
}

/// Who owns a session, alive or not.
pub(super) async fn owner(house: &House, id: SessionId) -> Result<Option<Owner>, Error> {
    let newest = house.store.newest(&ledger::key(id), LEASE).await?;
    let holder = newest.as_ref().and_then(ledger::lease_of).flatten();
    Ok(holder.and_then(|holder| holder.parse().ok()))
}

/// Makes the session ours, unless a living process owns it; false if somebody else wrote meanwhile.
async fn take_lease(house: &House, id: SessionId, loaded: &mut Loaded) -> Result<bool, Error> {
    let key = ledger::key(id);
    let holder = owner(house, id).await?;
    if holder.as_ref() == Some(&house.owner) {
        return Ok(true);
    }
    if let Some(holder) = holder.filter(Owner::is_alive) {
        let message = format!("process {} works on the session {id}", holder.pid());
        return Err(Error::coded(Code::OwnedElsewhere, message));
    }
    let mut draft = Draft::default();
    draft.put(LEASE, &Some(house.owner.to_string()))?;
    let record = draft.finish(&loaded.session, house.clock.now(), &mut 0)?;
    match house.append(&key, loaded.n, record).await {
        Ok(head) => {
            loaded.n = head.n;
            Ok(true)
        }
        Err(AppendError::Conflict { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
