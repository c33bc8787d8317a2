//! When a provider is asked.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::FeedbackContext;
use crate::session::{Slice, SlicePolicy};

/// When a provider is asked: any of what it says is enough. It is looked at when a call of one of the prompt's own tools has succeeded.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::Trigger;
///
/// let trigger = Trigger::every_calls(10).or_every(Duration::from_secs(60)).or_file("AGENTS.md");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    calls: Option<usize>,
    time: Option<Duration>,
    file: Option<String>,
}

const NEVER: Trigger = Trigger { calls: None, time: None, file: None };

impl Trigger {
    /// After so many calls since it last spoke. Codex's own commands, changes and searches count too.
    #[must_use]
    pub fn every_calls(count: usize) -> Self {
        Self { calls: Some(count), ..NEVER }
    }

    /// After that long since it last spoke, and the first time at once.
    #[must_use]
    pub fn every(time: Duration) -> Self {
        Self { time: Some(time), ..NEVER }
    }

    /// When there is a file of this name where the model works: once in a session, also if it comes and goes.
    pub fn file(name: impl Into<String>) -> Self {
        Self { file: Some(name.into()), ..NEVER }
    }

    /// Or after so many calls.
    ///
    /// ```
    /// use selvedge_agent::Trigger;
    ///
    /// let trigger = Trigger::file("AGENTS.md").or_every_calls(20);
    /// ```
    #[must_use]
    pub fn or_every_calls(self, count: usize) -> Self {
        Self { calls: Some(count), ..self }
    }

    /// Or after that long.
    #[must_use]
    pub fn or_every(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Or when there is such a file.
    #[must_use]
    pub fn or_file(self, name: impl Into<String>) -> Self {
        Self { file: Some(name.into()), ..self }
    }

    /// Whether a provider of this name is to be asked now.
    pub(super) fn fires(&self, context: &FeedbackContext<'_>, provider: &str) -> bool {
        self.calls.is_some_and(|count| context.calls_since_feedback(Some(provider)) >= count)
            || self.time.is_some_and(|time| is_due(context, provider, time))
            || self.new_file(context).is_some()
    }

    /// The file it waits for, if it is there and nobody was told yet.
    pub(super) fn new_file(&self, context: &FeedbackContext<'_>) -> Option<&str> {
        let name = self.file.as_deref()?;
        let is_there = context.files().is_some_and(|files| files.exists(name));
        let seen = || context.session().latest::<FilesSeen>().is_some_and(|seen| seen.0.contains(name));
        (is_there && !seen()).then_some(name)
    }
}

fn is_due(context: &FeedbackContext<'_>, provider: &str, time: Duration) -> bool {
    context.last_feedback(Some(provider)).is_none_or(|last| {
        let time = SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX);
        Timestamp::now().duration_since(last.timestamp) >= time
    })
}

/// The files that were told of. A log: what was said stays said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilesSeen(pub(super) BTreeSet<String>);

impl Slice for FilesSeen {
    const NAME: &'static str = "feedback_files_seen";
    const POLICY: SlicePolicy = SlicePolicy::Log;
}
