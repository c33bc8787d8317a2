//! Text that grows by pieces and is copied cheaply.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Pieces shorter than this are joined; longer runs are shared between copies.
const SEAL: usize = 4096;

/// A text that streams in: a copy shares all of it but the last few thousand bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    sealed: Vec<Arc<str>>,
    tail: String,
}

impl Text {
    pub(crate) fn push(&mut self, piece: &str) {
        self.tail.push_str(piece);
        if self.tail.len() >= SEAL {
            self.sealed.push(self.tail.as_str().into());
            self.tail.clear();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.sealed.clear();
        self.tail.clear();
    }

    pub(crate) fn whole(&self) -> String {
        self.sealed.iter().map(AsRef::as_ref).chain([self.tail.as_str()]).collect()
    }
}

/// The same text, however it is cut into pieces.
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.whole() == other.whole()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.whole())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { sealed: Vec::new(), tail: String::deserialize(deserializer)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_was_pushed() {
        let mut text = Text::default();
        let mut plain = String::new();
        for n in 0..3_000 {
            let piece = format!("piece {n} ");
            text.push(&piece);
            plain.push_str(&piece);
        }
        assert_eq!(text.whole(), plain);
        assert!(text.sealed.len() > 5, "shared in runs");
        let read: Text = serde_json::from_str(&serde_json::to_string(&text).unwrap()).unwrap();
        assert_eq!(read, text);
    }
}
