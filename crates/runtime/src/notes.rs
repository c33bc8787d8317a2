//! What a surface has to remember about a session and no event says: which name a stranger gave it, whom to call when
//! something ends. Notes are durable, found by their key, and go with their session.
//!
//! They lie in a log of their own beside the session's, so that who writes one down need not own the session.

use selvedge_journal::{AppendError, Record, SessionId as Key, Store as _};
use selvedge_session::{Code, SessionId};
use serde_json::Value;

use crate::{
    error::Error,
    house::House,
    ledger::{INDEX, IndexLine, table},
    runtime::Runtime,
};

/// The logs' names begin so; no session has such a name.
const LOGS: &str = "notes/";

/// Something that was written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// About which session.
    pub session: SessionId,
    /// Under which key.
    pub key: String,
    /// What.
    pub value: Value,
}

impl Runtime {
    /// Writes down all of these about a session, or nothing; without a value, what stood there is gone. Keys are common to
    /// all sessions: a surface begins its own with its name.
    pub async fn note(&self, session: SessionId, notes: Vec<(String, Option<Value>)>) -> Result<(), Error> {
        let line = |(key, value)| IndexLine { table: table::NOTES.to_owned(), key, value };
        let lines: Vec<IndexLine> = notes.into_iter().map(line).collect();
        let body = serde_json::to_vec(&lines)
            .map_err(|error| Error::coded(Code::Internal, format!("a note cannot be written: {error}")))?;
        let record = Record::at(self.house.clock.now().0).fact(INDEX, body);
        loop {
            let head = self.house.store.head(&log(session)).await?;
            match self.house.append(&log(session), head.n, record.clone()).await {
                Ok(_) => return Ok(()),
                // Another one was written down meanwhile.
                Err(AppendError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What stands under a key.
    pub async fn noted(&self, key: &str) -> Result<Option<Note>, Error> {
        Ok(self.house.store.look_up(table::NOTES, key).await?.iter().find_map(note))
    }

    /// What stands under keys that begin so, in their order, after one of them.
    pub async fn notes(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<Note>, Error> {
        let found = self.house.store.list(table::NOTES, Some(after.unwrap_or(prefix)), limit).await?;
        Ok(found.iter().take_while(|found| found.key.starts_with(prefix)).filter_map(note).collect())
    }
}

fn note(found: &selvedge_journal::Found) -> Option<Note> {
    let session = SessionId(found.session.as_str().strip_prefix(LOGS)?.parse().ok()?);
    Some(Note { session, key: found.key.clone(), value: serde_json::from_slice(&found.value).ok()? })
}

fn log(session: SessionId) -> Key {
    Key::from(format!("{LOGS}{session}"))
}

/// Whether a log of the journal holds notes: it goes with its session, however old it is.
pub(crate) fn is_log(key: &Key) -> bool {
    key.as_str().starts_with(LOGS)
}

/// The session goes, and what was written down about it.
pub(crate) async fn remove(house: &House, session: SessionId) -> Result<(), Error> {
    house.store.remove(&log(session)).await?;
    Ok(())
}
