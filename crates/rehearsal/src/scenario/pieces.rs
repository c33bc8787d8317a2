//! Texts cut into deltas, the same way for every player.

use super::{Say, Think};

impl Say {
    /// The deltas of the text (already filled): repeated, then cut.
    pub fn pieces(&self, text: &str) -> Vec<String> {
        cut(&text.repeat(self.repeat.unwrap_or(1)), self.deltas)
    }
}

impl Think {
    /// The deltas of the summary.
    pub fn pieces(&self) -> Vec<String> {
        cut(&self.text, self.deltas)
    }
}

/// One delta a word, or so many of about the same length; joined they are the text again.
pub(crate) fn cut(text: &str, deltas: Option<usize>) -> Vec<String> {
    match deltas {
        None => text.split_inclusive(char::is_whitespace).map(str::to_owned).collect(),
        Some(wanted) => cut_evenly(text, wanted.max(1)),
    }
}

fn cut_evenly(text: &str, wanted: usize) -> Vec<String> {
    let mut pieces = Vec::with_capacity(wanted);
    let mut from = 0;
    for n in 1..=wanted {
        let to = text.ceil_char_boundary(text.len() * n / wanted);
        if to > from {
            pieces.push(text[from..to].to_owned());
            from = to;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn pieces_join_to_the_text() {
        for (text, deltas, count) in [
            ("Hello dear world", None, 3),
            ("Hello dear world", Some(4), 4),
            ("äöü", Some(6), 3),
            ("ab", Some(100), 2),
            ("", Some(3), 0),
            ("one\n\ntwo ", None, 3),
        ] {
            let pieces = cut(text, deltas);
            assert_eq!(pieces.concat(), text);
            assert_eq!(pieces.len(), count, "{text:?} in {deltas:?}: {pieces:?}");
        }
    }
}
