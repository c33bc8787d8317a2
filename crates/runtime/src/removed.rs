//! That a session was removed: said in a log of its own, because the session's own is gone with it.

use selvedge_journal::{AppendError, Record, SessionId as Key, SqliteStore, Store as _};
use selvedge_session::{Event, SessionId, Timestamp, What, data::Removed};

use crate::{clock::Clock, ledger::NOTABLE};

/// The log in which it lies; no session has this name.
fn key() -> Key {
    Key::from("removed")
}

/// Says that a session whose last event had this number is gone. Another program may write here too: whoever comes
/// second looks again where the log ends.
pub(crate) async fn say(store: &SqliteStore, clock: &Clock, id: SessionId, last_seq: u64) {
    let now = clock.now();
    let Ok(body) = serde_json::to_vec(&event(id, last_seq, now)) else { return };
    loop {
        let Ok(head) = store.head(&key()).await else { return };
        let record = Record::at(now.0).event(head.seq + 1, body.clone()).fact(NOTABLE, "");
        match store.append(&key(), head.n, record).await {
            Err(AppendError::Conflict { .. } | AppendError::Gap { .. }) => {}
            // Without room it is not said; who asks for the session learns that it is gone.
            Ok(_) | Err(AppendError::Store(_)) => return,
        }
    }
}

/// Numbered as the session's next one.
fn event(session_id: SessionId, last_seq: u64, at: Timestamp) -> Event {
    let what = What::SessionRemoved(Removed {});
    let (thread_id, turn_id, item_id) = (None, None, None);
    Event { seq: last_seq + 1, session_id, at, thread_id, turn_id, item_id, what }
}
