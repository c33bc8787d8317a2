//! How it is kept whom to tell: that it is so, and how far, in a note; the address and its secrets in a file of its own.

use std::path::PathBuf;

use selvedge_runtime::{Error, Note, Runtime, private};
use selvedge_session::{Code, MessageId, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Config;
use crate::a2a::words::Fields;

/// All such notes begin so.
const PREFIX: &str = "a2a/push/";
/// Notes read at once.
const PAGE: usize = 500;

/// Of which task it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) task: MessageId,
    pub(crate) session: SessionId,
}

/// Whom to tell, and how far that is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    pub(crate) place: Place,
    pub(crate) config: Config,
    /// The last event that was told.
    pub(crate) told: u64,
}

/// What stands in the journal: no address, for it may hold a secret, and no credentials.
#[derive(Serialize, Deserialize)]
struct Line {
    agent: String,
    owner: String,
    told: u64,
}

impl Kept {
    /// What tells it from others.
    pub(crate) fn key(&self) -> String {
        format!("{PREFIX}{}/{}", self.place.task, self.config.id)
    }
}

fn file(runtime: &Runtime, key: &str) -> PathBuf {
    let name: String = Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect();
    runtime.config().data_dir.join("secrets").join("push").join(name)
}

/// Keeps it: first the file, then that it is so.
pub(crate) async fn keep(runtime: &Runtime, kept: &Kept) -> Result<(), Error> {
    let (path, config) = (file(runtime, &kept.key()), kept.config.json(kept.place.task).to_string());
    off_the_path(move || {
        if let Some(directory) = path.parent() {
            private::directory(directory)?;
        }
        private::write(&path, config.as_bytes())
    })
    .await?;
    tell(runtime, kept).await
}

/// Keeps how far it is.
pub(crate) async fn tell(runtime: &Runtime, kept: &Kept) -> Result<(), Error> {
    let Place { agent, owner, session, .. } = &kept.place;
    let line = json!(Line { agent: agent.clone(), owner: owner.clone(), told: kept.told });
    runtime.note(*session, vec![(kept.key(), Some(line))]).await
}

/// It is told no longer.
pub(crate) async fn forget(runtime: &Runtime, kept: &Kept) -> Result<(), Error> {
    runtime.note(kept.place.session, vec![(kept.key(), None)]).await?;
    let path = file(runtime, &kept.key());
    off_the_path(move || match std::fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    })
    .await
}

/// Everybody who is to be told of a task.
pub(crate) async fn all(runtime: &Runtime, task: MessageId) -> Result<Vec<Kept>, Error> {
    under(runtime, &format!("{PREFIX}{task}/")).await
}

/// Everybody who is to be told of anything.
pub(crate) async fn every(runtime: &Runtime) -> Result<Vec<Kept>, Error> {
    under(runtime, PREFIX).await
}

async fn under(runtime: &Runtime, prefix: &str) -> Result<Vec<Kept>, Error> {
    let mut all = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let page = runtime.notes(prefix, after.as_deref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(all) };
        after = Some(last.key.clone());
        for note in page {
            let path = file(runtime, &note.key);
            let said = off_the_path(move || std::fs::read(path)).await;
            all.extend(said.ok().and_then(|said| read(&note, &said)));
        }
    }
}

fn read(note: &Note, said: &[u8]) -> Option<Kept> {
    let Line { agent, owner, told } = serde_json::from_value(note.value.clone()).ok()?;
    let (task, _) = note.key.strip_prefix(PREFIX)?.split_once('/')?;
    let place = Place { agent, owner, task: MessageId(task.parse().ok()?), session: note.session };
    let said: Value = serde_json::from_slice(said).ok()?;
    Fields::of(&said, "").ok()?;
    Some(Kept { place, config: Config::read(&said, "").ok()?, told })
}

/// Files are somewhere slow.
async fn off_the_path<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other).and_then(|done| done);
    done.map_err(|error| Error::coded(Code::Internal, format!("a notification's file: {error}")))
}
