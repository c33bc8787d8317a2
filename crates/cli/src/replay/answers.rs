//! What was asked and how it was answered then: given again, so that nobody is asked twice.

use selvedge_rehearsal::recording::Answered;
use selvedge_runtime::{Answer, Error, Runtime};
use selvedge_session::{ApprovalId, Code, Event, Json, ToolCallId, What, data::Decision};
use serde_json::{Value, json};

/// Who answers.
const BY: &str = "recording";

/// Questions that nobody has answered yet.
#[derive(Default)]
pub(super) struct Questions {
    approvals: Vec<(ApprovalId, Value)>,
    calls: Vec<(ToolCallId, String, Value)>,
    /// The answer that the player waits for.
    wanted: Option<Answered>,
}

impl Questions {
    pub(super) fn heard(&mut self, event: &Event) {
        match &event.what {
            What::ApprovalRequested(it) => self.approvals.push((it.approval_id, read(&it.request))),
            What::ApprovalResolved(it) => self.approvals.retain(|(id, _)| *id != it.approval_id),
            What::ToolRequested(it) => {
                self.calls.push((it.tool_call_id, it.tool.clone(), read(&it.arguments)));
            }
            What::ToolResolved(it) => self.calls.retain(|(id, ..)| *id != it.tool_call_id),
            _ => {}
        }
    }

    /// The player waits for this answer, and for no other any more.
    pub(super) fn want(&mut self, answered: Option<&Answered>) {
        self.wanted = answered.cloned();
    }

    /// Gives the answer that is waited for, if its question is there. A policy may have been faster.
    pub(super) async fn answer(&mut self, runtime: &Runtime) -> Result<(), Error> {
        let Some(wanted) = self.wanted.take() else { return Ok(()) };
        let given = if wanted.method == "item/tool/call" {
            let Some(id) = self.call(&wanted.params) else { return self.not_yet(wanted) };
            let result = wanted.result.unwrap_or_default();
            let content = Json::from(content(&result["contentItems"]));
            runtime.answer_tool(id, result["success"] == true, content).await
        } else {
            let Some(id) = self.approval(&wanted.params) else { return self.not_yet(wanted) };
            runtime.answer(id, answer(&wanted)).await
        };
        match given {
            Err(error) if !matches!(error.code, Code::AlreadyAnswered | Code::NotFound) => Err(error),
            _ => Ok(()),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it is an end of `answer`")]
    fn not_yet(&mut self, wanted: Answered) -> Result<(), Error> {
        self.wanted = Some(wanted);
        Ok(())
    }

    fn approval(&mut self, params: &Value) -> Option<ApprovalId> {
        let same = |asked: &Value| {
            let keys = ["itemId", "callId", "approvalId"];
            keys.iter().all(|key| asked.get(key) == params.get(key))
        };
        let place = self.approvals.iter().position(|(_, asked)| same(asked))?;
        Some(self.approvals.remove(place).0)
    }

    fn call(&mut self, params: &Value) -> Option<ToolCallId> {
        let place = self.calls.iter().position(|(_, tool, arguments)| {
            params["tool"] == tool.as_str() && params["arguments"] == *arguments
        })?;
        Some(self.calls.remove(place).0)
    }
}

/// How it was answered, in our words. What we have no word for is a no.
fn answer(answered: &Answered) -> Answer {
    let result = answered.result.clone().unwrap_or_default();
    let mut given = Answer::new(Decision::Decline, BY);
    match &result {
        Value::Object(fields) if fields.contains_key("answers") => {
            given.decision = Decision::Accept;
            given.content = Some(Json::from(json!({ "answers": result["answers"] })));
        }
        Value::Object(fields) if fields.contains_key("action") => {
            given.decision = word(&result["action"]);
            given.content = result
                .get("content")
                .filter(|it| !it.is_null())
                .map(|it| Json::from(json!({ "content": it })));
        }
        Value::Object(fields) if fields.contains_key("permissions") => {
            let granted = result["permissions"].as_object().is_some_and(|granted| !granted.is_empty());
            given.decision = match (granted, result["scope"].as_str()) {
                (false, _) => Decision::Decline,
                (true, Some("session")) => Decision::AcceptForSession,
                (true, _) => Decision::Accept,
            };
        }
        _ => {
            given.decision = word(&result["decision"]);
            let amendment = &result["decision"]["acceptWithExecpolicyAmendment"]["execpolicy_amendment"];
            if !amendment.is_null() {
                given.decision = Decision::Accept;
                given.content = Some(Json::from(json!({ "amendment": amendment })));
            }
        }
    }
    given
}

fn word(decision: &Value) -> Decision {
    match decision.as_str().unwrap_or_default() {
        "accept" | "approved" => Decision::Accept,
        "acceptForSession" | "approved_for_session" => Decision::AcceptForSession,
        "cancel" | "abort" => Decision::Cancel,
        _ => Decision::Decline,
    }
}

/// What a tool said, in our words.
fn content(items: &Value) -> Value {
    let items = items.as_array().into_iter().flatten();
    let parts = items.map(|item| match item["imageUrl"].as_str() {
        Some(url) => json!({ "type": "image", "url": url }),
        None => json!({ "type": "text", "text": item["text"] }),
    });
    parts.collect()
}

fn read(json: &Json) -> Value {
    serde_json::from_str(json.text()).unwrap_or_default()
}
