//! How much time is left.

use std::time::Duration;

use super::{Feedback, FeedbackContext, FeedbackProvider, Severity};

/// Tells the model how much time is left, and near the end to come to it. It says nothing without a deadline.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{DeadlineFeedback, Prompt, Section, Trigger};
///
/// let prompt = Prompt::text("demo", "long")
///     .section(Section::markdown("Task", "task", "Take your time, but not too much."))
///     .feedback(DeadlineFeedback::default(), Trigger::every(Duration::from_secs(30)))
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DeadlineFeedback {
    warn_before: Duration,
}

impl Default for DeadlineFeedback {
    fn default() -> Self {
        Self { warn_before: Duration::from_secs(120) }
    }
}

impl DeadlineFeedback {
    /// Urges when so much is left; two minutes, unless said.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::DeadlineFeedback;
    ///
    /// let feedback = DeadlineFeedback::default().warn_before(Duration::from_secs(30));
    /// ```
    #[must_use]
    pub fn warn_before(mut self, left: Duration) -> Self {
        self.warn_before = left;
        self
    }
}

impl FeedbackProvider for DeadlineFeedback {
    fn name(&self) -> &'static str {
        "Deadline"
    }

    fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
        let deadline = context.deadline()?;
        let (left, taken) = (deadline.remaining(), words(deadline.elapsed()));
        Some(if left.is_zero() {
            let feedback = Feedback::new(format!("{taken} have gone by, and the time is up."));
            feedback.suggestion("Answer now.").severity(Severity::Warning)
        } else if left <= self.warn_before {
            Feedback::new(time_left(&taken, left))
                .suggestion("Finish what matters most.")
                .suggestion("Say in your answer what is left undone.")
                .severity(Severity::Warning)
        } else {
            Feedback::new(time_left(&taken, left))
        })
    }
}

fn time_left(taken: &str, left: Duration) -> String {
    format!("{taken} have gone by, and {} are left.", words(left))
}

/// A time in the words that people use for it.
fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} seconds"),
        60..120 => "1 minute".to_owned(),
        120..3600 => format!("{} minutes", seconds / 60),
        _ => format!("{:.1} hours", time.as_secs_f64() / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Deadline;
    use crate::session::Session;

    #[test]
    fn times_are_told_as_people_tell_them() {
        for (seconds, expected) in [
            (45, "45 seconds"),
            (60, "1 minute"),
            (119, "1 minute"),
            (300, "5 minutes"),
            (3599, "59 minutes"),
            (5400, "1.5 hours"),
        ] {
            assert_eq!(words(Duration::from_secs(seconds)), expected);
        }
    }

    fn said(provider: DeadlineFeedback, deadline: Option<Deadline>) -> Option<Feedback> {
        let session = Session::new();
        provider.provide(&FeedbackContext { session: &session, prompt_name: "p", deadline, files: None })
    }

    #[tokio::test(start_paused = true)]
    async fn it_urges_near_the_end() {
        let provider = DeadlineFeedback::default();
        assert_eq!(said(provider, None), None);
        let deadline = Some(Deadline::after(Duration::from_secs(600)).unwrap());
        let calm = said(provider, deadline).unwrap();
        assert_eq!(calm.summary, "0 seconds have gone by, and 10 minutes are left.");
        assert_eq!((calm.severity, calm.suggestions.len()), (Severity::Info, 0));
        tokio::time::advance(Duration::from_secs(480)).await;
        let urging = said(provider, deadline).unwrap();
        assert_eq!((urging.severity, urging.suggestions.len()), (Severity::Warning, 2));
        let later = said(provider.warn_before(Duration::from_secs(60)), deadline).unwrap();
        assert_eq!(later.severity, Severity::Info);
        tokio::time::advance(Duration::from_secs(480)).await;
        let over = said(provider, deadline).unwrap();
        assert_eq!(over.summary, "16 minutes have gone by, and the time is up.");
        assert_eq!(over.severity, Severity::Warning);
    }
}
