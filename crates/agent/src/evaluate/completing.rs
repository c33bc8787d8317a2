//! Work that is not done yet: the model is told what is missing, and goes on in the same thread.

use selvedge_runtime::session::Code;

use super::limits::Limits;
use super::place;
use super::rounds::{Round, Work};
use super::turn::Ended;
use crate::completion::{AnyCheck, Completion, Tentative};
use crate::error::AgentError;
use crate::output::Output;
use crate::toolbox::guarded;

/// How often the model is sent on for one answer.
const MOST_CONTINUATIONS: usize = 10;

/// What became of the prompt's check.
#[derive(Default)]
pub(super) struct Checked {
    /// How often the model was sent on.
    pub(super) continuations: usize,
    /// What the check said last; nothing, if nobody asked.
    pub(super) complete: Option<bool>,
}

impl<T: Output> Work<'_, T> {
    /// Has an answer checked, and sends the model on until the check is content, has nothing to say, or has said it often enough.
    pub(super) async fn complete(
        &self,
        round: &mut Round,
        mut text: String,
        limits: &mut Limits,
    ) -> Result<Ended, AgentError> {
        let Some(check) = self.prompt.completion() else { return Ok(Ended::Answered(text)) };
        loop {
            round.checked.complete = None;
            if limits.is_spent() {
                return Ok(Ended::Answered(text));
            }
            let missing = match self.ask(check, self.tentative(round, &text, limits), limits).await? {
                Completion::Complete => {
                    round.checked.complete = Some(true);
                    return Ok(Ended::Answered(text));
                }
                Completion::Incomplete(missing) => missing,
            };
            round.checked.complete = Some(false);
            let often_enough = round.checked.continuations == MOST_CONTINUATIONS;
            // Others may have used up what is shared: then this answer came in time, and is the last.
            if missing.trim().is_empty() || often_enough || limits.is_spent() {
                return Ok(Ended::Answered(text));
            }
            round.checked.continuations += 1;
            match self.say(round, self.message(missing), limits).await? {
                Ended::Answered(next) => text = next,
                Ended::Opened => return Ok(Ended::Opened),
            }
        }
    }

    fn tentative(&self, round: &Round, text: &str, limits: &Limits) -> Tentative {
        let files = place::directory(self.codex, &round.rendered);
        Tentative::new(self.session, text, files).within(limits.deadline(), limits.tracker())
    }

    async fn ask(
        &self,
        check: &AnyCheck,
        work: Tentative,
        limits: &Limits,
    ) -> Result<Completion, AgentError> {
        let text = work.text().to_owned();
        let asked = async {
            guarded(async { check(work).await }).await.map_err(|panic| {
                let message = format!("the completion check panicked: {panic}");
                AgentError::coded(Code::Internal, message).hint("the answer is in `text`; mend the check")
            })
        };
        limits.in_time(asked).await.map_err(|mut error: AgentError| {
            error.text = text;
            error
        })
    }
}
