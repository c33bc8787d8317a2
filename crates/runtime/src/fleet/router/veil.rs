//! Hides secrets in what comes in pieces: within a piece, and where one was cut into several.
//!
//! A piece that may end with the beginning of a secret waits for the next one, to which it is joined. Where something else comes in between
//! it goes on without that end; and what was said last is remembered, so that the rest is known when it comes.

use std::collections::VecDeque;

use selvedge_client::Redactions;
use selvedge_session::{Heard, data::DeltaKind};

/// A shorter beginning tells nothing of a secret, and stands at the end of many words.
const TELLING: usize = 3;
/// Of so many streams it is remembered what was said last.
const STREAMS: usize = 16;

/// What one listener was told last of each stream.
#[derive(Debug, Default)]
pub(super) struct Veil {
    /// The newest last.
    said: VecDeque<(Stream, String)>,
}

/// A text that comes in pieces.
#[derive(Debug, PartialEq, Eq)]
struct Stream {
    thread: String,
    item: String,
    kind: DeltaKind,
}

impl Veil {
    /// Whether news that nothing follows yet has to wait for what does.
    pub(super) fn waits(&self, newest: &Heard, redactions: &Redactions) -> bool {
        let Some((stream, delta)) = piece(newest) else { return false };
        if redactions.longest().is_none() {
            return false;
        }
        let before = self.said.iter().rfind(|(known, _)| *known == stream);
        let before = before.map_or("", |(_, said)| said.as_str());
        redactions.begun(&[before, delta].concat()) >= TELLING
    }

    /// Hides what is secret in it. `next` is what follows.
    pub(super) fn cover(&mut self, heard: &mut Heard, next: Option<&Heard>, redactions: &Redactions) {
        let Some(longest) = redactions.longest() else { return };
        let Some((stream, _)) = piece(heard) else { return };
        let is_last = next.is_some_and(|next| ends(next, &stream));
        let Heard::Delta { delta, .. } = heard else { return };
        let before = self.take(&stream);
        let mut said = [&before, delta.as_str()].concat();
        let begun = redactions.begun(&said);
        let hidden_end = if begun >= TELLING && !is_last { begun } else { 0 };
        *delta = redactions.apply_after(&before, delta, hidden_end);
        // No secret that ends in the next piece begins before this.
        said.drain(..said.ceil_char_boundary(said.len().saturating_sub(longest - 1)));
        self.said.push_back((stream, said));
    }

    fn take(&mut self, stream: &Stream) -> String {
        if self.said.len() >= STREAMS {
            self.said.pop_front();
        }
        let place = self.said.iter().position(|(known, _)| known == stream);
        place.and_then(|place| self.said.remove(place)).map(|(_, said)| said).unwrap_or_default()
    }
}

fn piece(heard: &Heard) -> Option<(Stream, &str)> {
    let Heard::Delta { place, item_id, kind, delta } = heard else { return None };
    Some((Stream { thread: place.thread.clone(), item: item_id.clone(), kind: *kind }, delta))
}

/// Whether nothing more of a stream can come after this.
fn ends(heard: &Heard, stream: &Stream) -> bool {
    match heard {
        Heard::ItemCompleted(place, item) => {
            place.thread == stream.thread && item.text().contains(&stream.item)
        }
        Heard::TurnEnded(place, _) => place.thread == stream.thread,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use selvedge_session::{Json, Place};

    use super::*;

    fn piece_of(item: &str, text: &str) -> Heard {
        let place = Place { thread: "t".into(), turn: "u".into() };
        Heard::Delta { place, item_id: item.into(), kind: DeltaKind::Text, delta: text.into() }
    }

    fn shown(heard: &Heard) -> &str {
        piece(heard).unwrap().1
    }

    fn redactions() -> Redactions {
        let redactions = Redactions::default();
        redactions.add("hunter2-very-secret");
        redactions
    }

    #[test]
    fn what_may_be_the_beginning_of_a_secret_waits() {
        let veil = Veil::default();
        for (text, waits) in [("the hun", true), ("the hu", false), ("the hunter3", false), ("", false)] {
            assert_eq!(veil.waits(&piece_of("a", text), &redactions()), waits, "{text}");
        }
        assert!(!veil.waits(&piece_of("a", "the hun"), &Redactions::default()));
    }

    /// Cut anywhere, with another stream in between: then nobody can wait.
    #[test]
    fn what_another_stream_cuts_in_two_stays_hidden() {
        let secret = "hunter2-very-secret";
        for cut in 1..secret.len() {
            let (mut veil, redactions) = (Veil::default(), redactions());
            let mut pieces =
                [piece_of("a", &secret[..cut]), piece_of("b", "b"), piece_of("a", &secret[cut..])];
            let next = [Some(piece_of("b", "b")), Some(piece_of("a", "")), None];
            for (piece, next) in pieces.iter_mut().zip(&next) {
                veil.cover(piece, next.as_ref(), &redactions);
            }
            let all = pieces.each_ref().map(shown).concat();
            assert!(!all.contains("unt") && !all.contains("ret"), "{cut}: {all}");
        }
    }

    #[test]
    fn a_word_that_only_began_like_one_is_shown_when_it_has_ended() {
        let (mut veil, redactions) = (Veil::default(), redactions());
        let mut piece = piece_of("a", "to hunt");
        let place = Place { thread: "t".into(), turn: "u".into() };
        let end = Heard::ItemCompleted(place, Json::parse(r#"{"id":"a","text":"to hunt"}"#).unwrap());
        veil.cover(&mut piece, Some(&end), &redactions);
        assert_eq!(shown(&piece), "to hunt");
    }

    #[test]
    fn no_more_streams_are_remembered_than_it_says() {
        let (mut veil, redactions) = (Veil::default(), redactions());
        for item in 0..100 {
            veil.cover(&mut piece_of(&item.to_string(), "hello"), None, &redactions);
        }
        assert_eq!(veil.said.len(), STREAMS);
    }
}
