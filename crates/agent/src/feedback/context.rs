//! What a provider may look at.

use crate::deadline::Deadline;
use crate::events::ToolInvoked;
use crate::feedback::Feedback;
use crate::files::Files;
use crate::session::Session;

/// The work of one prompt so far. Calls and feedback of other prompts on the same session are not counted.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{Feedback, FeedbackContext, FeedbackProvider};
///
/// /// Says how much was done, when little time is left.
/// struct Hurry;
///
/// impl FeedbackProvider for Hurry {
///     fn name(&self) -> &str {
///         "Hurry"
///     }
///
///     fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
///         let left = context.deadline()?.remaining();
///         let calls = context.calls_since_feedback(Some(self.name()));
///         (left < Duration::from_secs(60)).then(|| Feedback::new(format!("{calls} calls since I last spoke. Come to an end.")))
///     }
/// }
/// ```
pub struct FeedbackContext<'a> {
    pub(crate) session: &'a Session,
    pub(crate) prompt_name: &'a str,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) files: Option<Files>,
}

impl FeedbackContext<'_> {
    /// The session.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.session
    }

    /// The prompt that is at work.
    #[must_use]
    pub fn prompt_name(&self) -> &str {
        self.prompt_name
    }

    /// When the evaluation has to be over.
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The files where the model works, to be read.
    #[must_use]
    pub fn files(&self) -> Option<&Files> {
        self.files.as_ref()
    }

    /// How many tools were called, the prompt's own and Codex's.
    #[must_use]
    pub fn call_count(&self) -> usize {
        self.session.all::<ToolInvoked>().iter().filter(|call| self.is_ours(call)).count()
    }

    /// The newest calls, the oldest of them first.
    #[must_use]
    pub fn recent_calls(&self, most: usize) -> Vec<ToolInvoked> {
        let all = self.session.all::<ToolInvoked>();
        let mut recent: Vec<ToolInvoked> =
            all.iter().rev().filter(|call| self.is_ours(call)).take(most).cloned().collect();
        recent.reverse();
        recent
    }

    /// What the model was told last; by this provider, if one is named.
    ///
    /// ```
    /// use selvedge_agent::{Feedback, FeedbackContext, FeedbackProvider};
    ///
    /// /// Speaks once, after ten calls.
    /// struct Once;
    ///
    /// impl FeedbackProvider for Once {
    ///     fn name(&self) -> &str {
    ///         "Once"
    ///     }
    ///
    ///     fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
    ///         let is_due = context.call_count() >= 10 && context.last_feedback(Some(self.name())).is_none();
    ///         is_due.then(|| Feedback::new("Ten calls. What have you learned?"))
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn last_feedback(&self, provider: Option<&str>) -> Option<Feedback> {
        let all = self.session.all::<Feedback>();
        let said = |it: &&Feedback| {
            it.prompt_name == self.prompt_name && provider.is_none_or(|name| it.provider_name == name)
        };
        all.iter().rev().find(said).cloned()
    }

    /// How many tools were called since; all of them, if nothing was said yet.
    #[must_use]
    pub fn calls_since_feedback(&self, provider: Option<&str>) -> usize {
        let before = self.last_feedback(provider).map_or(0, |it| it.call_index);
        self.call_count().saturating_sub(before)
    }

    fn is_ours(&self, call: &ToolInvoked) -> bool {
        call.prompt_name == self.prompt_name
    }
}
