//! Asking the client: a request goes out, the turn waits, nobody else does.

use serde_json::Value;

use super::{
    super::{messages, outbox::Out, wire::Answer},
    Played, Playing,
    ear::Steering,
};

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Accept,
    AcceptForSession,
    Decline,
    Cancel,
    /// The answer was an error, or nothing a decision could be.
    Refused,
}

impl Decision {
    pub(super) fn read(answer: &Answer) -> Self {
        let Ok(result) = answer else { return Self::Refused };
        let decision = &result["decision"];
        match decision.as_str() {
            Some("accept") => Self::Accept,
            Some("acceptForSession") => Self::AcceptForSession,
            Some("decline") => Self::Decline,
            Some("cancel") => Self::Cancel,
            Some(_) => Self::Refused,
            // An amendment is accepted for the session; unlike Codex, nothing is written to a rules file.
            None if decision["acceptWithExecpolicyAmendment"]["execpolicy_amendment"].is_array() => {
                Self::AcceptForSession
            }
            None if decision["applyNetworkPolicyAmendment"].is_object() => Self::Accept,
            None => Self::Refused,
        }
    }

    pub(super) fn accepts(self) -> bool {
        matches!(self, Self::Accept | Self::AcceptForSession)
    }
}

impl Playing {
    /// Asks and waits for the answer. Cut short, the request is closed and said to be resolved after the turn's end.
    pub(super) async fn ask(&mut self, method: &str, params: &Value) -> Played<Answer> {
        let call = self.server.calls.open(self.thread.id(), method, params);
        if self.thread.is_subscribed() {
            self.server.outbox.send(Out::Lines(call.line)).await;
        }
        let id = call.id;
        match self.ear.unless(Steering::Waits, call.answer).await {
            Ok(answer) => {
                if method != "item/tool/call" {
                    self.tell(&messages::request_resolved(self.thread.id(), id)).await;
                }
                // A sender that is gone without an answer is a server that ends.
                Ok(answer.unwrap_or(Err(Value::Null)))
            }
            Err(cut) => {
                self.server.calls.close(id);
                if method != "item/tool/call" {
                    self.unanswered.push(id);
                }
                Err(cut)
            }
        }
    }
}
