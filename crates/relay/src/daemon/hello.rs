//! The first line of a connection: what its client wants.

use serde_json::Value;

/// What a client wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hello {
    /// The log from this byte on, then what comes.
    Attach(u64),
    /// The end of the child, down the ladder.
    Stop,
    /// Its end at once.
    Kill,
    /// How things stand, in one line.
    Status,
}

impl Hello {
    /// Reads a line; `None` if it says nothing that can be done.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let said: Value = serde_json::from_slice(line).ok()?;
        let said = said.as_object()?;
        let wants = |what| said.get(what) == Some(&Value::Bool(true));
        if wants("stop") {
            return Some(Self::Stop);
        }
        if wants("kill") {
            return Some(Self::Kill);
        }
        if wants("status") {
            return Some(Self::Status);
        }
        match said.get("offset") {
            None => Some(Self::Attach(0)),
            Some(offset) => offset.as_u64().map(Self::Attach),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hello;

    #[test]
    fn only_what_can_be_done_is_a_hello() {
        let read = |line: &str| Hello::read(line.as_bytes());
        assert_eq!(read(r#"{"offset": 12}"#), Some(Hello::Attach(12)));
        assert_eq!(read(r#" { "who" : ["me"], "offset":0 } "#), Some(Hello::Attach(0)));
        assert_eq!(read("{}"), Some(Hello::Attach(0)));
        assert_eq!(read(r#"{"stop": true}"#), Some(Hello::Stop));
        assert_eq!(read(r#"{"kill": true}"#), Some(Hello::Kill));
        assert_eq!(read(r#"{"status": true}"#), Some(Hello::Status));
        assert_eq!(read(r#"{"stop": false, "offset": 1}"#), Some(Hello::Attach(1)));
        for wrong in
            ["", "5", "null", "[]", "hello", r#"{"offset": -1}"#, r#"{"offset": "1"}"#, r#"{"offset": 1.5}"#]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
