//! What was said and done for a session, in order: a reading of the journal.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::session::{Slice, SlicePolicy};

/// Something that was said or done.
///
/// ```
/// use selvedge_agent::{Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::builder().otherwise(|model| model.thinks("Hm.").runs("true").says("Done.")).build()?.codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// codex.evaluate(&prompt, &session).await?;
/// let first = codex.transcript(&session).await?.entries.remove(0);
/// assert_eq!((first.prompt_name.as_str(), first.source.as_str(), first.sequence_number), ("demo:go", "main", 1));
/// println!("{} {:?} {}", first.timestamp, first.entry_type, first.detail);
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscriptEntry {
    /// The prompt whose evaluation it belongs to.
    pub prompt_name: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// What it is.
    pub entry_type: TranscriptType,
    /// Its number among those of its source: from 1, without gaps.
    pub sequence_number: u64,
    /// Who: `main`, or the thread of a sub-agent.
    pub source: String,
    /// When.
    pub timestamp: Timestamp,
    /// The runtime's session in whose journal it stands.
    pub session_id: Uuid,
    /// The event there that it was read from.
    pub event: u64,
    /// What was said or done, in Codex's own words where they are Codex's.
    pub detail: Value,
}

/// What an entry is.
///
/// ```
/// use selvedge_agent::{Session, TranscriptType, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::builder().otherwise(|model| model.thinks("Hm.").runs("true").says("Done.")).build()?.codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// codex.evaluate(&prompt, &session).await?;
/// let counts = codex.transcript(&session).await?.counts();
/// for one in [TranscriptType::UserMessage, TranscriptType::Thinking, TranscriptType::ToolUse, TranscriptType::ToolResult] {
///     assert_eq!(counts.get(&one), Some(&1), "{one:?}");
/// }
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptType {
    /// What the model was told: a prompt, or what was missing.
    UserMessage,
    /// What the model said.
    AssistantMessage,
    /// A call of a tool, the prompt's own or Codex's.
    ToolUse,
    /// What came of it.
    ToolResult,
    /// What the model thought.
    Thinking,
    /// A turn began, Codex asked, a conversation was compacted.
    SystemEvent,
    /// Tokens were used.
    TokenUsage,
    /// Something failed.
    Error,
    /// Something that this version has no name for.
    Unknown,
}

/// What was said and done for a session, oldest first. [`Codex::transcript`](crate::Codex::transcript) reads it.
///
/// ```
/// use selvedge_agent::{Session, Transcript, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::builder().otherwise(|model| model.thinks("Hm.").runs("true").says("Done.")).build()?.codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// codex.evaluate(&prompt, &session).await?;
/// let transcript: Transcript = codex.transcript(&session).await?;
/// assert_eq!(transcript.to_jsonl()?.lines().count(), transcript.entries.len());
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transcript {
    /// All of it.
    pub entries: Vec<TranscriptEntry>,
}

impl Transcript {
    /// How many there are of each.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<TranscriptType, usize> {
        let mut counts = BTreeMap::new();
        self.entries.iter().for_each(|entry| *counts.entry(entry.entry_type).or_default() += 1);
        counts
    }

    /// One line of JSON for each entry.
    ///
    /// # Errors
    /// Never, as far as anybody knows: what was read from JSON can be written as such.
    pub fn to_jsonl(&self) -> serde_json::Result<String> {
        let lines = self.entries.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        Ok(lines.into_iter().map(|line| line + "\n").collect())
    }
}

/// A message went to Codex: by this its part of the journal is found. Also of a turn that failed or was left.
///
/// ```
/// use selvedge_agent::{MessageSent, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::saying("Done.").codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// let reply = codex.evaluate(&prompt, &session).await?;
/// let sent: MessageSent = session.latest().ok_or("nothing was sent")?;
/// assert_eq!((sent.prompt_name.as_str(), sent.session_id), ("demo:go", reply.session_id));
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageSent {
    /// The prompt whose evaluation sent it.
    pub prompt_name: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// The runtime's session in whose journal it stands.
    pub session_id: Uuid,
    /// The message there.
    pub message_id: Uuid,
    /// When.
    pub created_at: Timestamp,
    /// The event itself.
    pub event_id: Uuid,
}

impl Slice for MessageSent {
    const NAME: &'static str = "message_sent";
    const POLICY: SlicePolicy = SlicePolicy::Log;
}
