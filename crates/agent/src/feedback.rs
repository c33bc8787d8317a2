//! What the model is told about its own work while it is at it: said with the answer of a tool.

mod context;
mod deadline;
mod fixed;
mod giving;
mod trigger;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use context::FeedbackContext;
pub use deadline::DeadlineFeedback;
pub use fixed::FixedFeedback;
pub(crate) use giving::{Giving, Provider};
pub(crate) use trigger::FilesSeen;
pub use trigger::Trigger;

use crate::session::{Slice, SlicePolicy};

/// What the model is told. A log of the session: it was told, whatever became of the call.
///
/// ```
/// use selvedge_agent::{Feedback, Severity};
///
/// let feedback = Feedback::new("You have read this file three times.")
///     .observation("Loop", "src/lib.rs")
///     .suggestion("Write down what you learn.")
///     .severity(Severity::Caution);
/// assert!(feedback.render().contains("• Loop: src/lib.rs\n\n→ Write down what you learn."));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// Who says it.
    pub provider_name: String,
    /// In a sentence or two.
    pub summary: String,
    /// What it comes from.
    #[serde(default)]
    pub observations: Vec<Observation>,
    /// What would help.
    #[serde(default)]
    pub suggestions: Vec<String>,
    /// How urgent it is. The model does not see it.
    #[serde(default)]
    pub severity: Severity,
    /// When.
    pub timestamp: Timestamp,
    /// How many calls the prompt had made by then.
    #[serde(default)]
    pub call_index: usize,
    /// The prompt that was told.
    #[serde(default)]
    pub prompt_name: String,
}

impl Slice for Feedback {
    const NAME: &'static str = "feedback";
    const POLICY: SlicePolicy = SlicePolicy::Log;
}

/// Something that was noticed.
///
/// ```
/// use selvedge_agent::{Feedback, Observation};
///
/// let feedback = Feedback::new("Hm.").observation("Drift", "far from the task");
/// assert_eq!(feedback.observations, [Observation { category: "Drift".into(), description: "far from the task".into() }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Of what kind: `Loop`, `Drift`.
    pub category: String,
    /// What.
    pub description: String,
}

/// How urgent it is.
///
/// ```
/// use selvedge_agent::{Feedback, Severity};
///
/// // For whoever reads the session; the model is told by the words.
/// assert_eq!(Feedback::new("Half the time is gone.").severity, Severity::Info);
/// assert_eq!(Feedback::new("Stop now.").severity(Severity::Warning).severity, Severity::Warning);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    #[default]
    Info,
    /// To be minded.
    Caution,
    /// To be acted on.
    Warning,
}

impl Feedback {
    /// Words of a provider. Who says them to whom and when is filled in when they are given.
    pub fn new(summary: impl Into<String>) -> Self {
        Self {
            provider_name: String::new(),
            summary: summary.into(),
            observations: Vec::new(),
            suggestions: Vec::new(),
            severity: Severity::default(),
            timestamp: Timestamp::now(),
            call_index: 0,
            prompt_name: String::new(),
        }
    }

    /// With something that was noticed.
    #[must_use]
    pub fn observation(mut self, category: impl Into<String>, description: impl Into<String>) -> Self {
        self.observations.push(Observation { category: category.into(), description: description.into() });
        self
    }

    /// With something that would help.
    #[must_use]
    pub fn suggestion(mut self, words: impl Into<String>) -> Self {
        self.suggestions.push(words.into());
        self
    }

    /// So urgent.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// As the model reads it.
    #[must_use]
    pub fn render(&self) -> String {
        let observed = self.observations.iter().map(|it| format!("• {}: {}", it.category, it.description));
        let suggested = self.suggestions.iter().map(|it| format!("→ {it}"));
        let blocks = [vec![self.summary.clone()], observed.collect(), suggested.collect()];
        let blocks = blocks.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"));
        let words = blocks.collect::<Vec<_>>().join("\n\n");
        format!("<feedback provider='{}'>\n{words}\n</feedback>", self.provider_name)
    }
}

/// Watches the work of a prompt, and has something to say about it now and then.
///
/// ```
/// use selvedge_agent::{Feedback, FeedbackContext, FeedbackProvider, Prompt, Section, Trigger};
///
/// /// The same tool three times in a row is a circle.
/// struct Circles;
///
/// impl FeedbackProvider for Circles {
///     fn name(&self) -> &str {
///         "Circles"
///     }
///
///     fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
///         let recent = context.recent_calls(3);
///         let circling = recent.len() == 3 && recent.iter().all(|call| call.name == recent[0].name);
///         circling.then(|| Feedback::new("You are going in circles.").suggestion("Try something else."))
///     }
/// }
///
/// let prompt = Prompt::text("demo", "search")
///     .section(Section::markdown("Task", "task", "Find it."))
///     .feedback(Circles, Trigger::every_calls(3))
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
pub trait FeedbackProvider: Send + Sync + 'static {
    /// Its name, which the model reads. Its trigger counts from when it last spoke by this name.
    fn name(&self) -> &str;

    /// What it has to say, when its trigger asks; nothing, if there is nothing.
    fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(feedback: Feedback) -> Feedback {
        Feedback { provider_name: "Watch".into(), ..feedback }
    }

    #[test]
    fn what_the_model_reads_is_the_reference_s() {
        let plain = named(Feedback::new("All is well."));
        assert_eq!(plain.render(), "<feedback provider='Watch'>\nAll is well.\n</feedback>");
        let full = plain.observation("Loop", "three reads").observation("Drift", "far from the task");
        let full = full.suggestion("Stop.").suggestion("Think.").severity(Severity::Warning);
        assert_eq!(
            full.render(),
            "<feedback provider='Watch'>\nAll is well.\n\n• Loop: three reads\n• Drift: far from the task\n\n→ Stop.\n→ Think.\n</feedback>"
        );
        let suggested = named(Feedback::new("Hm.").suggestion("Go."));
        assert_eq!(suggested.render(), "<feedback provider='Watch'>\nHm.\n\n→ Go.\n</feedback>");
    }
}
