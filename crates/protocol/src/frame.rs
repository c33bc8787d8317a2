//! One line of the wire, classified once: by `id` and `method`, never by guessing at shapes.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Serialize,
    de::{Deserializer, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// What one line is. It borrows from the line; nothing is copied but an escaped method name.
#[derive(Debug, Clone)]
pub enum Frame<'a> {
    /// The answer to a request of ours.
    Response {
        /// Which request.
        id: RequestId<'a>,
        /// How it went.
        outcome: Outcome<'a>,
    },
    /// Codex asks us something and waits for the answer.
    Request {
        /// To be repeated in the answer. It may be 0.
        id: RequestId<'a>,
        /// What it asks.
        method: Cow<'a, str>,
        /// With what.
        params: Option<&'a RawValue>,
    },
    /// Codex tells us something.
    Notification {
        /// What it tells.
        method: Cow<'a, str>,
        /// With what.
        params: Option<&'a RawValue>,
    },
    /// The line is none of these. It is kept, and the conversation goes on.
    Malformed(Malformed),
}

/// How a request went.
#[derive(Debug, Clone)]
pub enum Outcome<'a> {
    /// `result`.
    Result(&'a RawValue),
    /// `error`.
    Error(&'a RawValue),
}

/// Why a line is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// It is not JSON.
    NotJson,
    /// It is JSON, but not an object.
    NotAnObject,
    /// It has no method, and no id with a result or an error.
    NotAMessage,
    /// Its id is neither an integer nor a string.
    BadId,
    /// It is not UTF-8.
    NotUtf8,
    /// It is longer than the limit; only its head was kept.
    TooLong {
        /// Its whole length in bytes.
        bytes: u64,
    },
    /// The stream ended in the middle of it.
    Cut,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("not JSON"),
            Self::NotAnObject => f.write_str("JSON, but not an object"),
            Self::NotAMessage => f.write_str("neither request, response nor notification"),
            Self::BadId => f.write_str("an id that is neither integer nor string"),
            Self::NotUtf8 => f.write_str("not UTF-8"),
            Self::TooLong { bytes } => write!(f, "a line of {bytes} bytes, longer than the limit"),
            Self::Cut => f.write_str("cut by the end of the stream"),
        }
    }
}

/// The id of a request: an integer or a string, as in the line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum RequestId<'a> {
    /// What Codex and we use. 0 is an id like any other.
    Int(i64),
    /// Allowed by the protocol.
    Text(Cow<'a, str>),
}

impl RequestId<'_> {
    /// The same id, free of the line it was read from.
    #[must_use]
    pub fn into_owned(self) -> RequestId<'static> {
        match self {
            Self::Int(n) => RequestId::Int(n),
            Self::Text(text) => RequestId::Text(Cow::Owned(text.into_owned())),
        }
    }

    fn read(raw: &RawValue) -> Option<RequestId<'_>> {
        let text = raw.get();
        if text.starts_with('"') {
            return serde_json::from_str::<BorrowedText<'_>>(text).ok().map(|t| RequestId::Text(t.0));
        }
        text.parse().ok().map(RequestId::Int)
    }
}

impl fmt::Display for RequestId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A string that stays borrowed when it has no escapes; `Cow` alone would always copy.
#[derive(Deserialize)]
struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Frame<'a> {
    /// Classifies one line, without its line end.
    #[must_use]
    pub fn read(line: &'a str) -> Self {
        match serde_json::from_str::<Envelope<'a>>(line) {
            Ok(envelope) => envelope.classify(),
            Err(error) if error.is_data() => Self::Malformed(Malformed::NotAnObject),
            Err(_) => Self::Malformed(Malformed::NotJson),
        }
    }
}

/// The method of a line that begins with it, as Codex writes all that is not a response. `None` says nothing about the
/// line: it has to be read. This is the fast path of a flood of deltas, where reading each line to its end only to
/// learn that it is no response would double the work.
#[must_use]
pub fn leading_method(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(br#"{"method":""#)?;
    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    (rest[end] == b'"').then(|| &rest[..end])
}

/// The fields that decide what a line is; everything else stays unread.
#[derive(Default)]
struct Envelope<'a> {
    id: Option<&'a RawValue>,
    method: Option<Cow<'a, str>>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    fn classify(self) -> Frame<'a> {
        let params = self.params;
        match (self.id, self.method) {
            (None, Some(method)) => Frame::Notification { method, params },
            (Some(id), Some(method)) => match RequestId::read(id) {
                Some(id) => Frame::Request { id, method, params },
                None => Frame::Malformed(Malformed::BadId),
            },
            (Some(id), None) => {
                let outcome = match (self.result, self.error) {
                    (_, Some(error)) => Outcome::Error(error),
                    (Some(result), None) => Outcome::Result(result),
                    (None, None) => return Frame::Malformed(Malformed::NotAMessage),
                };
                match RequestId::read(id) {
                    Some(id) => Frame::Response { id, outcome },
                    None => Frame::Malformed(Malformed::BadId),
                }
            }
            (None, None) => Frame::Malformed(Malformed::NotAMessage),
        }
    }
}

// By hand, because a derive would fail on a method that is not a string, or on a repeated key, and with it the line.
impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(BorrowedText(key)) = map.next_key()? {
                    match key.as_ref() {
                        "id" => envelope.id = Some(map.next_value()?),
                        "method" => envelope.method = method_name(map.next_value()?),
                        "params" => envelope.params = Some(map.next_value()?),
                        "result" => envelope.result = Some(map.next_value()?),
                        "error" => envelope.error = present(map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

fn method_name(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<BorrowedText<'_>>(raw.get()).ok().map(|text| text.0)
}

/// `"error": null` beside a result is a result.
fn present(raw: &RawValue) -> Option<&RawValue> {
    (raw.get() != "null").then_some(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> String {
        match Frame::read(line) {
            Frame::Response { id, outcome: Outcome::Result(raw) } => format!("result {id} {raw}"),
            Frame::Response { id, outcome: Outcome::Error(raw) } => format!("error {id} {raw}"),
            Frame::Request { id, method, params } => format!("request {id} {method} {}", params.is_some()),
            Frame::Notification { method, params } => format!("notification {method} {}", params.is_some()),
            Frame::Malformed(why) => why.to_string(),
        }
    }

    #[test]
    fn a_line_is_classified_by_id_and_method() {
        let cases = [
            (r#"{"id":0,"result":{}}"#, "result 0 {}"),
            (r#"{"id":"a","result":null}"#, "result a null"),
            (r#"{"id":-3,"error":{"code":-32600}}"#, r#"error -3 {"code":-32600}"#),
            (r#"{"id":1,"error":null,"result":1}"#, "result 1 1"),
            (r#"{"method":"x/y","id":0,"params":{}}"#, "request 0 x/y true"),
            (r#"{"params":{},"method":"x","emittedAtMs":1}"#, "notification x true"),
            (r#"{"jsonrpc":"2.0","method":"a\/b"}"#, "notification a/b false"),
            (r#"{"method":"x","method":"y"}"#, "notification y false"),
            (r#"{"method":7,"id":1}"#, "neither request, response nor notification"),
            (r#"{"id":1.5,"result":1}"#, "an id that is neither integer nor string"),
            (r#"{"id":null,"result":1}"#, "an id that is neither integer nor string"),
            (r#"{}"#, "neither request, response nor notification"),
            (r#"[1]"#, "JSON, but not an object"),
            ("hello", "not JSON"),
            ("", "not JSON"),
            (r#"{"method":"x""#, "not JSON"),
            (r#"{"method":"x"} trailing"#, "not JSON"),
        ];
        for (line, expected) in cases {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn the_leading_method_is_found_without_reading_the_line() {
        assert_eq!(leading_method(br#"{"method":"item/started","params":{"#), Some(&b"item/started"[..]));
        assert_eq!(leading_method(br#"{"method":"a\/b"}"#), None);
        assert_eq!(leading_method(br#"{"id":1,"method":"x"}"#), None);
        assert_eq!(leading_method(br#"{"method":"unfinished"#), None);
    }
}
