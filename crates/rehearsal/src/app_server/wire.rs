//! One line from the client: a request, a notification or an answer; and the errors Codex answers with.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request id: text or a whole number. Codex drops a line whose id is anything else.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RequestId {
    Number(i64),
    Text(String),
}

/// What a client's line is.
#[derive(Debug)]
pub(super) enum Incoming {
    Request(Request),
    Notification {
        method: String,
    },
    Answer {
        id: i64,
        answer: Answer,
    },
    /// Nothing Codex would answer.
    Dropped {
        why: String,
    },
}

/// A client's request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Option<Value>,
}

/// What a client answered to a request of ours; `Err` is a JSON-RPC error.
pub(super) type Answer = Result<Value, Value>;

#[derive(Deserialize)]
struct Raw {
    #[serde(default)]
    id: Option<Value>,
    method: Option<String>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

/// Reads one line as Codex does: by the presence of `method` and `id`.
pub(super) fn read(line: &[u8]) -> Incoming {
    let raw: Raw = match serde_json::from_slice(line) {
        Ok(raw) => raw,
        Err(error) => return Incoming::Dropped { why: format!("not a JSON-RPC message: {error}") },
    };
    match (raw.id, raw.method) {
        (Some(id), Some(method)) => match serde_json::from_value(id) {
            Ok(id) => Incoming::Request(Request { id, method, params: raw.params }),
            Err(_) => Incoming::Dropped { why: "an id is text or a whole number".to_owned() },
        },
        (None, Some(method)) => Incoming::Notification { method },
        (Some(id), None) => answer(&id, raw.result, raw.error),
        (None, None) => Incoming::Dropped { why: "neither id nor method".to_owned() },
    }
}

fn answer(id: &Value, result: Option<Value>, error: Option<Value>) -> Incoming {
    let Some(id) = id.as_i64() else {
        return Incoming::Dropped { why: "an answer to no request of ours".to_owned() };
    };
    let answer = error.map_or_else(|| Ok(result.unwrap_or(Value::Null)), Err);
    Incoming::Answer { id, answer }
}

/// A JSON-RPC error in Codex's words.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RpcError {
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl RpcError {
    /// -32600, Codex's answer to almost everything that is wrong.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into(), data: None }
    }

    /// -32600 with the words of a failed deserialisation.
    pub(super) fn invalid_request(error: impl std::fmt::Display) -> Self {
        Self::invalid(format!("Invalid request: {error}"))
    }

    /// -32601, for histories that are not there yet.
    pub(super) fn unsupported(what: &str) -> Self {
        Self { code: -32601, message: format!("{what} is not supported yet"), data: None }
    }

    /// -32602, with machine-readable details.
    pub(super) fn invalid_params(message: impl Into<String>, data: Value) -> Self {
        Self { code: -32602, message: message.into(), data: Some(data) }
    }

    /// -32001.
    pub(super) fn overloaded() -> Self {
        Self { code: -32001, message: "Server overloaded; retry later.".to_owned(), data: None }
    }

    /// No thread of that id is loaded.
    pub(super) fn thread_not_found(id: &str) -> Self {
        Self::invalid(format!("thread not found: {id}"))
    }

    /// No thread of that id is stored.
    pub(super) fn no_rollout(id: &str) -> Self {
        Self::invalid(format!("no rollout found for thread id {id}"))
    }
}

/// One message as a whole line.
pub(super) fn line(message: &impl Serialize) -> Bytes {
    let mut bytes = serde_json::to_vec(message).unwrap_or_else(|_| b"{}".to_vec());
    bytes.push(b'\n');
    Bytes::from(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_by_its_id_and_method() {
        assert!(
            matches!(read(br#"{"id":0,"method":"m"}"#), Incoming::Request(r) if r.id == RequestId::Number(0))
        );
        assert!(
            matches!(read(br#"{"id":"a","method":"m"}"#), Incoming::Request(r) if r.id == RequestId::Text("a".into()))
        );
        assert!(matches!(read(br#"{"method":"initialized"}"#), Incoming::Notification { .. }));
        assert!(matches!(read(br#"{"id":0,"result":{}}"#), Incoming::Answer { id: 0, answer: Ok(_) }));
        assert!(matches!(read(br#"{"id":3,"error":{}}"#), Incoming::Answer { id: 3, answer: Err(_) }));
    }

    #[test]
    fn what_codex_drops_is_dropped() {
        for line in [&b"[]"[..], b"{}", b"nonsense", br#"{"id":1.5,"method":"m"}"#] {
            assert!(matches!(read(line), Incoming::Dropped { .. }), "{}", String::from_utf8_lossy(line));
        }
    }
}
