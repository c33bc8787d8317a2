//! Names one request of one app-server, and finds both in the name again.

use selvedge_protocol::frame::RequestId;
use selvedge_session::RequestKey;
use uuid::Uuid;

/// Ids begin at 0 in each app-server: only together with it a key names one request. The id is written as JSON, because
/// `0` and `"0"` are two ids, and an answer has to repeat the right one.
pub(super) fn key_of(process: Uuid, id: &RequestId<'_>) -> RequestKey {
    let id = match id {
        RequestId::Int(number) => number.to_string(),
        RequestId::Text(text) => serde_json::Value::from(text.as_ref()).to_string(),
    };
    RequestKey(format!("{process}/{id}"))
}

/// The app-server that asked, and the request's id there.
pub(crate) fn asked_by(key: &RequestKey) -> Option<(Uuid, RequestId<'static>)> {
    let (process, id) = key.0.split_once('/')?;
    let id = match id.parse() {
        Ok(number) => RequestId::Int(number),
        Err(_text) => RequestId::Text(serde_json::from_str(id).unwrap_or_else(|_| id.to_owned()).into()),
    };
    Some((process.parse().ok()?, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_digits_is_answered_as_a_text() {
        let process = Uuid::from_u128(7);
        let ids = [
            RequestId::Int(0),
            RequestId::Int(-4),
            RequestId::Text("0".into()),
            RequestId::Text("a/b \"c\"".into()),
            RequestId::Text("".into()),
        ];
        for id in ids {
            assert_eq!(asked_by(&key_of(process, &id)), Some((process, id)));
        }
        assert_ne!(key_of(process, &RequestId::Int(0)), key_of(process, &RequestId::Text("0".into())));
    }
}
