//! The same words whenever they are asked for.

use super::{Feedback, FeedbackContext, FeedbackProvider};

/// Says the same whenever its trigger asks.
///
/// ```
/// use selvedge_agent::{FixedFeedback, Prompt, Section, Trigger};
///
/// let prompt = Prompt::text("demo", "guided")
///     .section(Section::markdown("Task", "task", "Make it work."))
///     .feedback(FixedFeedback::new("There is an AGENTS.md now: follow it."), Trigger::file("AGENTS.md"))
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FixedFeedback {
    words: String,
}

impl FixedFeedback {
    /// These words.
    pub fn new(words: impl Into<String>) -> Self {
        Self { words: words.into() }
    }
}

impl FeedbackProvider for FixedFeedback {
    fn name(&self) -> &'static str {
        "Static"
    }

    fn provide(&self, _: &FeedbackContext<'_>) -> Option<Feedback> {
        Some(Feedback::new(self.words.clone()))
    }
}
