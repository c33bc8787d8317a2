//! A value that is a word or an object with one key: what it is, also if nobody knows it yet.

use selvedge_protocol::{
    see::{CodexErrorInfo, TurnError},
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
