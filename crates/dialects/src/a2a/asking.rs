//! What Codex asks a person, as an agent asks it; and the answer that another agent gives.

use selvedge_session::{
    ApprovalId, Json,
    data::{ApprovalKind, ApprovalRequested, Decision},
};
use serde_json::{Map, Value, json};

use super::message::{Content, Message, Part};

/// Words that mean yes. Nothing else does: what is not understood is no consent.
const YES: [&str; 9] = ["accept", "approve", "approved", "yes", "y", "ok", "okay", "allow", "go ahead"];
const YES_ALWAYS: [&str; 2] = ["accept_for_session", "accept for session"];
const NO: [&str; 5] = ["decline", "no", "n", "deny", "reject"];
const STOP: [&str; 3] = ["cancel", "stop", "abort"];

/// A question that waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Which.
    pub id: ApprovalId,
    kind: ApprovalKind,
    request: Value,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Yes or no.
    pub decision: Decision,
    /// Said to the agent with it.
    pub message: Option<String>,
    /// Answers and forms, as the runtime takes them.
    pub content: Option<Json>,
}

impl Question {
    /// What an event asks.
    pub fn of(asked: &ApprovalRequested) -> Self {
        let request = serde_json::from_str(asked.request.text()).unwrap_or_default();
        Self { id: asked.approval_id, kind: asked.kind, request }
    }

    /// As the agent asks it: in words, and as it was asked.
    pub fn message(&self) -> Message {
        let mut message = Message::of_agent(self.id.to_string(), self.words());
        let asked = json!({"approvalId": self.id, "kind": self.kind, "request": self.request});
        message.parts.push(Part::of(Content::Data(asked)));
        message
    }

    fn words(&self) -> String {
        let text = |name: &str| self.request[name].as_str().filter(|text| !text.is_empty());
        let reason = text("reason").or_else(|| text("justification"));
        let reason = reason.map(|reason| format!(" {reason}")).unwrap_or_default();
        match self.kind {
            ApprovalKind::Command => format!("May I run `{}`?{reason}", self.command()),
            ApprovalKind::FileChange => format!("May I change files?{reason}"),
            ApprovalKind::Permissions => format!("May I do more than I am allowed to?{reason}"),
            ApprovalKind::UserInput => self.questions().collect::<Vec<_>>().join("\n"),
            ApprovalKind::Elicitation => text("message").unwrap_or("I need an answer.").to_owned(),
        }
    }

    fn command(&self) -> String {
        match &self.request["command"] {
            Value::String(command) => command.clone(),
            Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            _ => "a command".to_owned(),
        }
    }

    fn questions(&self) -> impl Iterator<Item = String> {
        let questions = self.request["questions"].as_array().into_iter().flatten();
        questions.map(|question| {
            let options = question["options"].as_array().into_iter().flatten();
            let labels: Vec<_> = options.filter_map(|option| option["label"].as_str()).collect();
            let choice = if labels.is_empty() { String::new() } else { format!(" ({})", labels.join(", ")) };
            format!("{}{choice}", question["question"].as_str().unwrap_or("?"))
        })
    }

    /// What a message answers. A data part counts as it is: `decision`, `answers`, `content`, `message`.
    pub fn answered_by(&self, message: &Message) -> Reply {
        if let Some(Value::Object(said)) = message.data() {
            return self.answered_with(said);
        }
        let text = message.text();
        let words = text.trim().trim_end_matches(['.', '!']).to_lowercase();
        let is = |known: &[&str]| known.contains(&words.as_str());
        let reply = |decision| Reply { decision, message: None, content: None };
        match self.kind {
            _ if is(&STOP) => reply(Decision::Cancel),
            ApprovalKind::UserInput => self.answers(&text),
            ApprovalKind::Elicitation if is(&NO) => reply(Decision::Decline),
            ApprovalKind::Elicitation => self.form(&text),
            _ if is(&YES) => reply(Decision::Accept),
            _ if is(&YES_ALWAYS) => reply(Decision::AcceptForSession),
            _ if is(&NO) => reply(Decision::Decline),
            _ => Reply { message: Some(text), ..reply(Decision::Decline) },
        }
    }

    fn answered_with(&self, said: &Map<String, Value>) -> Reply {
        let decision = match said.get("decision").and_then(Value::as_str) {
            Some("accept") => Decision::Accept,
            Some("accept_for_session") => Decision::AcceptForSession,
            Some("cancel") => Decision::Cancel,
            // Who fills in what was asked for has answered.
            None if said.contains_key("answers") || said.contains_key("content") => Decision::Accept,
            _ => Decision::Decline,
        };
        let parts = ["answers", "content", "amendment"].into_iter();
        let parts = parts.filter_map(|name| Some((name.to_owned(), said.get(name)?.clone())));
        let content: Map<String, Value> = parts.collect();
        Reply {
            decision,
            message: said.get("message").and_then(Value::as_str).map(str::to_owned),
            content: (!content.is_empty()).then(|| Json::from(Value::Object(content))),
        }
    }

    /// Each question is answered by the same words, or by a line of its own if there are as many.
    fn answers(&self, text: &str) -> Reply {
        let questions: Vec<&Value> = self.request["questions"].as_array().into_iter().flatten().collect();
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let by_line = lines.len() == questions.len();
        let answer = |n: usize| if by_line { lines[n].trim() } else { text.trim() };
        let ids = questions.iter().enumerate().filter_map(|(n, it)| Some((it["id"].as_str()?, answer(n))));
        let answers: Map<String, Value> = ids.map(|(id, answer)| (id.to_owned(), json!(answer))).collect();
        let content = Some(Json::from(json!({"answers": answers})));
        Reply { decision: Decision::Accept, message: None, content }
    }

    /// A form is filled in by JSON, or by words if it has one field.
    fn form(&self, text: &str) -> Reply {
        let fields = self.request["requestedSchema"]["properties"].as_object();
        let form = match (serde_json::from_str::<Value>(text), fields) {
            (Ok(form @ Value::Object(_)), _) => Some(form),
            (_, Some(fields)) if fields.len() == 1 => {
                fields.keys().next().map(|name| json!({name.as_str(): text.trim()}))
            }
            (_, fields) if fields.is_none_or(Map::is_empty) && YES.contains(&text.trim()) => Some(json!({})),
            _ => None,
        };
        match form {
            Some(form) => Reply {
                decision: Decision::Accept,
                message: None,
                content: Some(Json::from(json!({"content": form}))),
            },
            None => Reply { decision: Decision::Decline, message: Some(text.to_owned()), content: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn question(kind: ApprovalKind, request: Value) -> Question {
        Question { id: ApprovalId(Uuid::nil()), kind, request }
    }

    fn said(text: &str) -> Message {
        Message::of_agent("m".into(), text)
    }

    #[test]
    fn only_what_means_yes_is_consent() {
        let asked = question(ApprovalKind::Command, json!({"command": "make", "reason": "To build."}));
        assert_eq!(asked.message().text(), "May I run `make`? To build.");
        for (words, decision) in [
            ("Yes.", Decision::Accept),
            ("go ahead!", Decision::Accept),
            ("accept_for_session", Decision::AcceptForSession),
            ("no", Decision::Decline),
            ("stop", Decision::Cancel),
            ("yes, but only the tests", Decision::Decline),
            ("", Decision::Decline),
        ] {
            assert_eq!(asked.answered_by(&said(words)).decision, decision, "{words:?}");
        }
        let reply = asked.answered_by(&said("use cargo instead"));
        assert_eq!(reply.message.as_deref(), Some("use cargo instead"), "the agent hears why");
    }

    #[test]
    fn questions_and_forms_are_answered_in_words_or_as_data() {
        let asked = question(
            ApprovalKind::UserInput,
            json!({"questions": [
                {"id": "a", "question": "Which?", "options": [{"label": "left"}, {"label": "right"}]},
                {"id": "b", "question": "Why?"},
            ]}),
        );
        assert_eq!(asked.message().text(), "Which? (left, right)\nWhy?");
        let content = |reply: Reply| serde_json::from_str::<Value>(reply.content.unwrap().text()).unwrap();
        assert_eq!(
            content(asked.answered_by(&said("left\nbecause"))),
            json!({"answers": {"a": "left", "b": "because"}})
        );
        let mut data = said("ignored");
        data.parts = vec![Part::of(Content::Data(json!({"answers": {"a": ["right"]}})))];
        assert_eq!(content(asked.answered_by(&data)), json!({"answers": {"a": ["right"]}}));
        let form =
            question(ApprovalKind::Elicitation, json!({"requestedSchema": {"properties": {"name": {}}}}));
        assert_eq!(content(form.answered_by(&said(" Ann "))), json!({"content": {"name": "Ann"}}));
        assert_eq!(form.answered_by(&said("no")).decision, Decision::Decline);
    }
}
