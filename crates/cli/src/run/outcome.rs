//! How the message ended: what is printed, and the exit code.

use std::io::{self, Write};

use selvedge_session::{Code, Failure as Why, Json, Status, data::Finished};
use serde_json::Value;

use crate::exit;

/// The end of a message.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) finished: Finished,
    /// A person or a policy ended the turn by its answer.
    pub(super) cancelled: bool,
}

impl Ended {
    /// Prints the answer (unless it was shown already) and why there is none; gives the exit code.
    pub(super) fn tell(&self, as_json: bool, shown: bool) -> io::Result<u8> {
        let text = &self.finished.text;
        if as_json && self.finished.status == Status::Completed {
            return match self.output() {
                Some(output) => print(output.text()).map(|()| exit::DONE),
                None => {
                    print(text)?;
                    Ok(complain(&Why::of(Code::OutputInvalid), exit::of(Code::OutputInvalid)))
                }
            };
        }
        if !shown && !text.is_empty() {
            print(text)?;
        }
        Ok(self.explain())
    }

    fn output(&self) -> Option<Json> {
        self.finished.output.clone().or_else(|| Json::parse(self.finished.text.trim()).ok())
    }

    fn explain(&self) -> u8 {
        let code = self.code();
        match (self.finished.status, &self.finished.error) {
            (Status::Completed, _) => {}
            (_, Some(why)) => return complain(why, code),
            (Status::Interrupted, None) if self.cancelled => eprintln!("error: ended by a declined approval"),
            (Status::Interrupted, None) => eprintln!("error: interrupted"),
            (Status::Lost, None) => return complain(&Why::of(Code::OutcomeUnknown), code),
            (Status::Failed, None) => return complain(&Why::of(Code::Other), code),
        }
        code
    }

    fn code(&self) -> u8 {
        match (self.finished.status, &self.finished.error) {
            (Status::Completed, _) => exit::DONE,
            (Status::Lost, _) => exit::LOST,
            (Status::Interrupted, _) if self.cancelled => exit::DECLINED,
            (Status::Interrupted, _) => exit::INTERRUPTED,
            (Status::Failed, why) => why.as_ref().and_then(meant).map_or(exit::FAILED, exit::of),
        }
    }
}

fn complain(why: &Why, code: u8) -> u8 {
    eprintln!("error: {}", why.message);
    let other = meant(why).filter(|code| code.as_str() != why.code).map(Code::hint);
    if let Some(hint) = other.or(why.hint.as_deref()).or_else(|| meant(why).map(Code::hint)) {
        eprintln!("hint: {hint}");
    }
    code
}

/// What a failure means. A provider that does not know the account is told by Codex as a failed connection.
fn meant(why: &Why) -> Option<Code> {
    let details: Value =
        why.details.as_ref().and_then(|it| serde_json::from_str(it.text()).ok()).unwrap_or_default();
    let info = details["codexErrorInfo"].as_object().and_then(|info| info.values().next());
    if info.is_some_and(|info| info["httpStatusCode"] == 401) {
        return Some(Code::Unauthorized);
    }
    Code::named(&why.code)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use selvedge_session::{MessageId, Usage};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_exit_code_says_how_it_ended() {
        let cases = [
            (Status::Completed, None, false, 0),
            (Status::Failed, Some(Code::InternalServerError), false, 1),
            (Status::Failed, Some(Code::Unauthorized), false, 3),
            (Status::Failed, Some(Code::TooManyDenials), false, 4),
            (Status::Interrupted, None, true, 4),
            (Status::Failed, Some(Code::BudgetExceeded), false, 5),
            (Status::Failed, Some(Code::UsageLimitExceeded), false, 5),
            (Status::Lost, Some(Code::OutcomeUnknown), false, 6),
            (Status::Failed, Some(Code::DeadlineExceeded), false, 124),
            (Status::Interrupted, None, false, 130),
            (Status::Failed, None, false, 1),
        ];
        for (status, code, cancelled, exit) in cases {
            let finished = Finished {
                message_id: MessageId(Uuid::nil()),
                status,
                text: String::new(),
                output: None,
                usage: Usage::default(),
                cost_usd: None,
                error: code.map(Why::of),
                steered_into: None,
            };
            assert_eq!(Ended { finished, cancelled }.code(), exit, "{status:?} {code:?}");
        }
    }
}
