//! A value that is a word or an object with one key: what it is, also if nobody knows it yet, and what equals it.

use selvedge_protocol::{
    see::{CodexErrorInfo, Turn, TurnError, TurnStatus},
    view::View,
};
use serde_json::value::RawValue;

fn raw(json: &str) -> &RawValue {
    serde_json::from_str(json).unwrap_or(RawValue::NULL)
}

fn tag(json: &str) -> Option<String> {
    CodexErrorInfo::view(raw(json))?.tag().map(Into::into)
}

#[test]
fn a_cause_is_named_in_each_of_its_shapes() {
    assert_eq!(tag(r#""serverOverloaded""#).as_deref(), Some("serverOverloaded"));
    assert_eq!(tag(r#"{"httpConnectionFailed":{}}"#).as_deref(), Some("httpConnectionFailed"));
    assert_eq!(tag(r#""brandNew""#).as_deref(), Some("brandNew"));
    assert_eq!(tag(r#"{"brandNew":{"why":1}}"#).as_deref(), Some("brandNew"));
    assert_eq!(tag("7"), None, "neither a word nor an object");
}

#[test]
fn a_known_cause_has_its_details_and_an_unknown_one_is_kept() {
    let error = raw(r#"{"message":"no","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":401}}}"#);
    let info = TurnError::view(error).and_then(|error| error.codex_error_info());
    let status = match &info {
        Some(CodexErrorInfo::HttpConnectionFailed(failed)) => failed.http_status_code(),
        _ => None,
    };
    assert_eq!(status, Some(401), "{info:?}");
    let info = CodexErrorInfo::view(raw(r#"{"brandNew":{"why":1}}"#));
    let kept = if let Some(CodexErrorInfo::Unknown(kept)) = info { kept.get() } else { "" };
    assert_eq!(kept, r#"{"brandNew":{"why":1}}"#);
}

#[test]
fn what_says_the_same_is_equal() {
    let turn = Turn::view(raw(r#"{"id":"u","status":"completed","error":null}"#));
    assert_eq!(turn.as_ref().and_then(Turn::status), Some(TurnStatus::Completed));
    assert_ne!(turn.as_ref().and_then(Turn::status), Some(TurnStatus::Failed));
    assert_eq!(turn, Turn::view(raw(r#"{ "status": "completed", "error": null, "id": "u" }"#)));
    let status = |json| TurnStatus::view(raw(json));
    assert_eq!(status(r#""brandNew""#), status(r#""brand\u004eew""#), "the same unknown word");
    assert_ne!(status(r#""brandNew""#), status(r#""newer""#));
    assert_ne!(status(r#""1""#), status("1"), "a word is not a number");
    let info = |json| CodexErrorInfo::view(raw(json));
    assert_eq!(info(r#""serverOverloaded""#), Some(CodexErrorInfo::ServerOverloaded));
    let failed = info(r#"{"httpConnectionFailed":{"httpStatusCode":401}}"#);
    assert_eq!(failed, info(r#"{"httpConnectionFailed": {"httpStatusCode": 401}}"#));
    assert_ne!(failed, info(r#"{"httpConnectionFailed":{"httpStatusCode":500}}"#));
    assert_ne!(failed, info(r#""serverOverloaded""#));
}
