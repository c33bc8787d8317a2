//! Telling history shortly: an item that began and ended with nothing between but its own pieces is told once, and pieces of which
//! the whole item holds all are left out.

use bytes::Bytes;
use selvedge_session::Whole;
use serde::{Deserialize, de::IgnoredAny};

use super::{Written, head};

/// So much of an item's words is held back at most.
const MOST_HELD: usize = 256 << 10;

/// Holds an item's beginning and its pieces back until it is known whether they have to be told.
#[derive(Debug, Default)]
pub(super) struct Settling {
    held: Option<Held>,
}

/// The beginning of one item, with nothing of anything else in between.
#[derive(Debug, Default)]
struct Held {
    /// As [`head::Head::item`].
    item: Vec<u8>,
    began: Option<Written>,
    runs: Vec<Run>,
    bytes: usize,
}

/// Pieces of one kind, one after the other.
#[derive(Debug)]
struct Run {
    kind: String,
    first: Written,
    last: Written,
    /// What all of them say, as it is written.
    words: Vec<u8>,
}

impl Settling {
    /// Takes the next event, and adds what is to be told by now.
    pub(super) fn take(&mut self, event: Written, told: &mut Vec<Written>) {
        let text = event.text.clone();
        let head = head::of(&text).filter(|head| !head.item.is_empty());
        let Some(head) = head else { return self.pass(event, told) };
        match head.name {
            "item.started" => {
                self.rest(told);
                self.held = Some(Held { item: head.item.to_vec(), began: Some(event), ..Held::default() });
            }
            "item.delta" => match head::piece(head.data) {
                Some(piece) => {
                    self.held_of(head.item, told).add(event, piece);
                }
                None => self.pass(event, told),
            },
            "item.completed" => self.complete(event, &head, told),
            _ => self.pass(event, told),
        }
    }

    /// Adds what is still held: nothing more comes, for now.
    pub(super) fn rest(&mut self, told: &mut Vec<Written>) {
        let Some(held) = self.held.take() else { return };
        told.extend(held.began);
        told.extend(held.runs.into_iter().map(Run::told));
    }

    fn pass(&mut self, event: Written, told: &mut Vec<Written>) {
        self.rest(told);
        told.push(event);
    }

    /// What is held of this item; what is held of another one, or is too much, is told first.
    fn held_of(&mut self, item: &[u8], told: &mut Vec<Written>) -> &mut Held {
        if self.held.as_ref().is_some_and(|held| held.item != item || held.bytes > MOST_HELD) {
            self.rest(told);
        }
        self.held.get_or_insert_with(|| Held { item: item.to_vec(), ..Held::default() })
    }

    fn complete(&mut self, event: Written, head: &head::Head<'_>, told: &mut Vec<Written>) {
        match self.held.take_if(|held| held.item == head.item && holds_all(head.data, &held.runs)) {
            Some(held) => told.push(held.first().map_or_else(|| event.clone(), |first| since(&event, first))),
            None => self.pass(event, told),
        }
    }
}

impl Held {
    fn first(&self) -> Option<&Written> {
        self.began.as_ref().or_else(|| self.runs.first().map(|run| &run.first))
    }

    fn add(&mut self, event: Written, (kind, words): (&str, &[u8])) {
        self.bytes += words.len();
        match self.runs.last_mut().filter(|run| run.kind == kind) {
            Some(run) => {
                run.words.extend_from_slice(words);
                run.last = event;
            }
            None => self.runs.push(Run {
                kind: kind.to_owned(),
                words: words.to_vec(),
                first: event.clone(),
                last: event,
            }),
        }
    }
}

impl Run {
    /// One piece that stands for all of them. What is joined is written already, and so is what comes of it.
    fn told(self) -> Written {
        let Self { first, last, words, .. } = self;
        let Some((_, own)) = head::of(&last.text).and_then(|head| head::piece(head.data)) else {
            return last;
        };
        if first.seq == last.seq {
            return last;
        }
        // After its own words come their quote and two braces.
        let before = last.text.len().saturating_sub(own.len() + 3);
        let mut text = last.text.get(..before).unwrap_or_default().to_vec();
        text.extend_from_slice(&words);
        text.extend_from_slice(b"\"}}");
        since(&Written { seq: last.seq, text: text.into() }, &first)
    }
}

/// The event with `began`: the first of what it stands for.
fn since(event: &Written, first: &Written) -> Written {
    let at = head::of(&first.text).map(|head| head.at).unwrap_or_default();
    let at = String::from_utf8_lossy(at);
    let began = format!(",\"began\":{{\"seq\":{},\"at\":\"{at}\"}}}}", first.seq);
    let open = event.text.strip_suffix(b"}").unwrap_or(&event.text);
    Written { seq: event.seq, text: Bytes::from([open, began.as_bytes()].concat()) }
}

/// Whether the whole item has everything that was said in pieces.
fn holds_all(data: &[u8], runs: &[Run]) -> bool {
    #[derive(Deserialize)]
    struct Data<'a> {
        #[serde(borrow)]
        item: Whole<'a>,
        /// One that was not closed by Codex is as it began: its pieces are all there is of it.
        closed: Option<IgnoredAny>,
    }
    runs.is_empty()
        || serde_json::from_slice::<Data<'_>>(data).is_ok_and(|Data { item, closed }| {
            closed.is_none() && runs.iter().all(|run| item.holds(&run.kind))
        })
}

#[cfg(test)]
mod tests;
