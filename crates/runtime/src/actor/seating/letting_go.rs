//! A thread that an outdated app-server has loaded, and that its session takes along: others may work there for long.

use selvedge_client::{CallError, Client, protocol::calls};

use super::refused_as;
use crate::{
    fleet::Seat,
    to_codex::{self, Refused},
};

/// Has the thread let go of. What Codex puts away it unloads, and with that anybody else can have it. If that does not
/// work, whoever loads the thread waits until this app-server ends; a thread that stays put away is taken out there.
pub(super) async fn let_go(seat: &Seat, thread_id: &str) {
    // One that has ended holds nothing.
    let Ok(can) = seat.generation.abilities().await else { return };
    if !(can.holds_threads() && can.has("thread/unarchive")) {
        return;
    }
    match put_away_and_take_out(seat.generation.client(), thread_id).await {
        Ok(()) => seat.has_let_go(thread_id),
        Err(error) => {
            tracing::warn!(thread = thread_id, %error, "an outdated app-server does not let go of a thread");
        }
    }
}

async fn put_away_and_take_out(client: &Client, thread_id: &str) -> Result<(), CallError> {
    let away = client.call::<calls::ThreadArchive>(&to_codex::archive(thread_id)).await;
    // One that was never written, or is put away.
    if !refused_as(&away, Refused::ThreadGone) {
        away?;
    }
    let out = client.call::<calls::ThreadUnarchive>(&to_codex::unarchive(thread_id)).await;
    if refused_as(&out, Refused::ThreadGone) { Ok(()) } else { out.map(drop) }
}
