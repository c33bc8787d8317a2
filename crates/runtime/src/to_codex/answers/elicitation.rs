//! The answer to a form of an MCP server, and to "may this MCP tool be called?", which comes as an empty form.

use selvedge_protocol::say::{
    McpServerElicitationAction as Action, McpServerElicitationRequestResponse as Response,
};
use selvedge_session::data::Decision;
use serde_json::{Value, json};

pub(super) fn answer(decision: Decision, content: Value, request: &Value) -> Response {
    let (filled, meta) = given(content);
    match decision {
        Decision::Accept => accepted(filled, meta, request),
        Decision::AcceptForSession => {
            let meta = meta.or_else(|| offers_session(request).then(|| json!({"persist": "session"})));
            accepted(filled, meta, request)
        }
        Decision::Decline | Decision::Expired => Response { meta, ..Response::new(Action::Decline) },
        Decision::Cancel => Response { meta, ..Response::new(Action::Cancel) },
    }
}

/// The form's fields and what goes beside them; without those names the whole is the form.
fn given(mut content: Value) -> (Option<Value>, Option<Value>) {
    let named = content.get("content").is_some() || content.get("_meta").is_some();
    if !named {
        return (Some(content).filter(|content| !content.is_null()), None);
    }
    let mut take = |key: &str| content.get_mut(key).map(Value::take).filter(|value| !value.is_null());
    (take("content"), take("_meta"))
}

/// A form that was accepted has content, if only an empty one; a link has none.
fn accepted(filled: Option<Value>, meta: Option<Value>, request: &Value) -> Response {
    let is_link = request["mode"] == "url";
    let content = filled.or_else(|| (!is_link).then(|| json!({})));
    Response { content, meta, ..Response::new(Action::Accept) }
}

/// Whether Codex offers to remember the answer until it ends.
fn offers_session(request: &Value) -> bool {
    match &request["_meta"]["persist"] {
        Value::String(word) => word == "session",
        Value::Array(words) => words.iter().any(|word| word == "session"),
        _ => false,
    }
}
