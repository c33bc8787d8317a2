//! Whether an answer fits what was asked. What does not is refused with the field that is wrong, and the request waits on: Codex
//! would take it for silence, or for a yes to less than was meant.

use std::collections::BTreeMap;

use selvedge_runtime::PendingApproval;
use selvedge_session::{Code, Json, Shape, data::ApprovalKind};
use serde_json::{Value, json};

use super::{Amendment, AnswerApproval, Answers, Choice};
use crate::problem::Problem;

impl AnswerApproval {
    /// Refuses what the request has no use for, and what it lacks.
    pub(super) fn fits(&self, asked: &PendingApproval) -> Result<(), Problem> {
        let request: Value = serde_json::from_str(asked.request.text()).unwrap_or_default();
        let accepted = matches!(self.decision, Choice::Accept | Choice::AcceptForSession);
        self.belongs(asked.kind)?;
        match asked.kind {
            // Questions know no other yes, and whoever decides says so.
            ApprovalKind::UserInput if matches!(self.decision, Choice::Accept) => {
                answered(self.answers.as_ref(), &request)
            }
            ApprovalKind::Elicitation if accepted => filled_in(self.content.as_ref(), &request),
            ApprovalKind::Command => self.amendment.as_ref().map_or(Ok(()), |it| it.holds(self.decision)),
            _ => Ok(()),
        }
    }

    /// Each part belongs to one kind of request.
    fn belongs(&self, kind: ApprovalKind) -> Result<(), Problem> {
        let parts = [
            ("answers", self.answers.is_some(), ApprovalKind::UserInput, "questions"),
            ("content", self.content.is_some(), ApprovalKind::Elicitation, "a form"),
            ("amendment", self.amendment.is_some(), ApprovalKind::Command, "a command"),
        ];
        let strange = parts.into_iter().find(|(_, given, of, _)| *given && *of != kind);
        strange.map_or(Ok(()), |(field, _, _, of)| {
            Err(wrong(format!("`{field}` answers {of}, and this is none")).field(field))
        })
    }
}

impl Amendment {
    fn holds(&self, decision: Choice) -> Result<(), Problem> {
        let detail = match self {
            Self::Words(words) if words.is_empty() => "a rule has words that a command begins with",
            Self::Host { host, .. } if host.trim().is_empty() => "a rule about a host names it",
            _ if !matches!(decision, Choice::Accept) => "a rule goes with `accept` alone",
            _ => return Ok(()),
        };
        Err(wrong(detail).field("amendment"))
    }
}

/// A yes to questions says something to at least one, and only to what was asked.
fn answered(answers: Option<&BTreeMap<String, Answers>>, request: &Value) -> Result<(), Problem> {
    let questions = request["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let asked = || questions.iter().filter_map(|question| question["id"].as_str());
    let given = answers.into_iter().flatten();
    if let Some((id, _)) = given.clone().find(|(id, _)| !asked().any(|asked| asked == **id)) {
        let all = asked().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        let detail = format!("no question has this id; asked was {all}");
        return Err(wrong(detail).field(format!("answers.{id}")));
    }
    if !questions.is_empty() && given.count() == 0 {
        let hint = "give `answers` by the questions' ids, or `decline`";
        return Err(wrong("the questions are not answered").field("answers").hint(hint));
    }
    Ok(())
}

/// A form is filled in as its server asks for it. What it was filled in with may be secret, and is not said.
fn filled_in(content: Option<&Value>, request: &Value) -> Result<(), Problem> {
    let Some(schema) = request.get("requestedSchema").filter(|schema| schema.is_object()) else {
        return Ok(());
    };
    // A schema that is none is the server's affair, and the answer is too then.
    let Ok(shape) = Shape::of(&Json::from(schema.clone())) else { return Ok(()) };
    let content = content.cloned().unwrap_or_else(|| json!({}));
    shape
        .check(&Json::from(content))
        .map_err(|why| wrong(format!("the form is not filled in: {why}")).field("content"))
}

fn wrong(detail: impl Into<String>) -> Problem {
    Problem::coded(Code::InvalidArgument, detail.into())
}

#[cfg(test)]
mod tests {
    use selvedge_session::{ApprovalId, SessionId, Timestamp};
    use uuid::Uuid;

    use super::*;

    fn field(kind: ApprovalKind, request: Value, answer: Value) -> Option<String> {
        let asked = PendingApproval {
            approval_id: ApprovalId(Uuid::nil()),
            session_id: SessionId(Uuid::nil()),
            kind,
            request: Json::from(request),
            turn_id: None,
            at: Timestamp::default(),
        };
        let answer: AnswerApproval = serde_json::from_value(answer).unwrap();
        answer.fits(&asked).err().map(|problem| problem.field.unwrap_or_default())
    }

    #[test]
    fn a_part_of_another_kind_of_request_is_refused() {
        let parts = [("answers", json!({})), ("content", json!({})), ("amendment", json!(["git"]))];
        for (name, part) in parts {
            let answer = json!({"decision": "accept", name: part});
            assert_eq!(field(ApprovalKind::FileChange, json!({}), answer).as_deref(), Some(name));
        }
        assert_eq!(field(ApprovalKind::FileChange, json!({}), json!({"decision": "accept"})), None);
    }

    #[test]
    fn questions_are_answered_by_their_ids_and_a_no_needs_none() {
        let asked = || json!({"questions": [{"id": "colour"}, {"id": "size"}]});
        let of = |answer| field(ApprovalKind::UserInput, asked(), answer);
        assert_eq!(of(json!({"decision": "accept", "answers": {"colour": "Blue"}})), None);
        assert_eq!(of(json!({"decision": "decline"})), None);
        assert_eq!(of(json!({"decision": "accept"})).as_deref(), Some("answers"));
        let strange = json!({"decision": "accept", "answers": {"shape": "Round"}});
        assert_eq!(of(strange).as_deref(), Some("answers.shape"));
    }

    #[test]
    fn a_form_is_filled_in_as_it_was_asked_for() {
        let schema =
            || json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
        let of = |answer| field(ApprovalKind::Elicitation, json!({"requestedSchema": schema()}), answer);
        assert_eq!(of(json!({"decision": "accept", "content": {"name": "Ada"}})), None);
        for content in [json!({"name": 1}), json!({}), json!("Ada")] {
            let answer = json!({"decision": "accept", "content": content});
            assert_eq!(of(answer).as_deref(), Some("content"), "{content}");
        }
        assert_eq!(of(json!({"decision": "accept"})).as_deref(), Some("content"));
        assert_eq!(of(json!({"decision": "cancel"})), None);
        assert_eq!(
            field(ApprovalKind::Elicitation, json!({"mode": "url"}), json!({"decision": "accept"})),
            None
        );
    }

    #[test]
    fn a_rule_goes_with_a_yes_and_has_words() {
        let of = |answer| field(ApprovalKind::Command, json!({}), answer);
        assert_eq!(of(json!({"decision": "accept", "amendment": ["git", "pull"]})), None);
        for (decision, amendment) in [
            ("accept", json!([])),
            ("accept", json!({"host": " ", "action": "allow"})),
            ("decline", json!(["git"])),
            ("accept_for_session", json!(["git"])),
        ] {
            let answer = json!({"decision": decision, "amendment": amendment});
            assert_eq!(of(answer).as_deref(), Some("amendment"), "{amendment}");
        }
    }
}
