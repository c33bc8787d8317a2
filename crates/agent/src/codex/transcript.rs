//! A transcript, read from the journal.

use std::collections::{BTreeMap, HashMap, HashSet};

use selvedge_runtime::session::{Code, MessageId, SessionId};
use uuid::Uuid;

use super::Codex;
use super::entries::Entries;
use crate::error::AgentError;
use crate::session::Session;
use crate::transcript::{MessageSent, Transcript};

/// How many events are read at once.
const PAGE: usize = 256;

impl Codex {
    /// What was said and done for a session so far, by all its evaluations on this Codex, also those that failed. It is read from the journal, where nothing is missing
    /// and no secret stands. What another data directory has is left out.
    ///
    /// ```no_run
    /// # use selvedge_agent::{Codex, Session};
    /// # async fn example(codex: Codex, session: Session) -> Result<(), Box<dyn std::error::Error>> {
    /// for entry in codex.transcript(&session).await?.entries {
    ///     println!("{:>4} {:?} {}", entry.sequence_number, entry.entry_type, entry.detail);
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn transcript(&self, session: &Session) -> Result<Transcript, AgentError> {
        let sent = session.all::<MessageSent>();
        let mut passages = HashMap::new();
        for journal in sent.iter().map(|it| it.session_id).collect::<HashSet<_>>() {
            let prompts: HashMap<Uuid, &str> = sent
                .iter()
                .filter(|it| it.session_id == journal)
                .map(|it| (it.message_id, it.prompt_name.as_str()))
                .collect();
            passages.extend(self.passages(journal, &prompts).await?);
        }
        let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
        let mut entries: Vec<_> =
            sent.iter().filter_map(|it| passages.remove(&it.message_id)).flatten().collect();
        for entry in &mut entries {
            let number = numbers.entry(entry.source.clone()).or_default();
            *number += 1;
            entry.sequence_number = *number;
        }
        Ok(Transcript { entries })
    }

    /// What one journal says about each of these messages.
    async fn passages(
        &self,
        journal: Uuid,
        prompts: &HashMap<Uuid, &str>,
    ) -> Result<HashMap<Uuid, Vec<crate::transcript::TranscriptEntry>>, AgentError> {
        let handle = match self.runtime().session(SessionId(journal)).await {
            Err(error) if error.code == Code::NotFound => {
                tracing::warn!(%journal, "not in this data directory: its part of the transcript is left out");
                return Ok(HashMap::new());
            }
            found => found?,
        };
        let mut events = handle.events(0).await?;
        let mut reading =
            Entries::new(|message: MessageId| prompts.get(&message.0).map(|it| (*it).to_owned()));
        loop {
            let page = events.there(PAGE).await?;
            if page.is_empty() {
                return Ok(reading.done());
            }
            for written in page {
                reading.hear(&written.read()?);
            }
        }
    }
}
