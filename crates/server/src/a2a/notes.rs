//! What is remembered of contexts and tasks that no event says: which session a context is, what was said in A2A's own
//! words, and which message goes on with which task. Everything else follows from the journal.

use selvedge_runtime::{Error, Note, Runtime};
use selvedge_session::{MessageId, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Notes read at once.
const PAGE: usize = 500;

/// Who asks which agent: nobody sees another one's tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Whose {
    pub(crate) agent: String,
    pub(crate) owner: String,
}

/// What is remembered of a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskNote {
    /// As its caller calls it.
    pub(crate) context: String,
    /// The last event before it.
    pub(crate) after: u64,
    pub(crate) at: Timestamp,
    /// The run of the gateway that wrote it down, and then sent its message.
    #[serde(default)]
    pub(crate) run: Option<Uuid>,
    /// What was said.
    pub(crate) message: Value,
    /// How it ended, if no message's end says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) closed: Option<Closed>,
}

/// How a task ended without a message's end.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Closed {
    /// By its name in A2A.
    pub(crate) state: String,
    pub(crate) at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// Something more that was said to a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SaidNote {
    pub(crate) at: Timestamp,
    /// The last event that whoever said it could know of.
    #[serde(default)]
    pub(crate) after: u64,
    pub(crate) message: Value,
}

/// A task, and where it lies.
#[derive(Debug, Clone)]
pub(crate) struct FoundTask {
    pub(crate) id: MessageId,
    pub(crate) session: SessionId,
    pub(crate) note: TaskNote,
}

impl Whose {
    fn tasks(&self) -> String {
        format!("a2a/task/{}/{}/", self.agent, self.owner)
    }

    pub(crate) fn task(&self, id: MessageId) -> String {
        format!("{}{id}", self.tasks())
    }

    /// What a caller calls a context may be anything, so it is not part of the key as it is.
    pub(crate) fn context(&self, context: &str) -> String {
        let digest = Sha256::digest(format!("{}\0{context}", self.owner));
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("a2a/context/{}/{digest}", self.agent)
    }

    /// A task of theirs.
    pub(crate) async fn find(&self, runtime: &Runtime, id: MessageId) -> Result<Option<FoundTask>, Error> {
        let found = runtime.noted(&self.task(id)).await?;
        Ok(found.and_then(|note| self.read(note)))
    }

    fn read(&self, note: Note) -> Option<FoundTask> {
        let id = MessageId(note.key.strip_prefix(&self.tasks())?.parse().ok()?);
        Some(FoundTask { id, session: note.session, note: serde_json::from_value(note.value).ok()? })
    }
}

/// Under which key something more lies that was said to a task: with the message's id, if it was sent on.
pub(crate) fn said(task: MessageId, message: MessageId) -> String {
    format!("a2a/said/{task}/{message}")
}

/// Everything more that was said to a task.
pub(crate) async fn all_said(
    runtime: &Runtime,
    task: MessageId,
) -> Result<Vec<(MessageId, SaidNote)>, Error> {
    let prefix = format!("a2a/said/{task}/");
    let notes = runtime.notes(&prefix, None, PAGE).await?;
    let read = |note: Note| {
        let id = MessageId(note.key.strip_prefix(&prefix)?.parse().ok()?);
        Some((id, serde_json::from_value(note.value).ok()?))
    };
    Ok(notes.into_iter().filter_map(read).collect())
}
