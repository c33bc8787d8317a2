//! Numbers of messages: each says which event it comes from.

use serde::Serialize;

/// Messages that one event can become.
const MOST: u64 = 100;

/// A message and its number. It is written as the message with one more field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Numbered<M> {
    /// Grows from message to message, with gaps.
    pub seq: u64,
    /// What is said.
    #[serde(flatten)]
    pub message: M,
}

/// The number of the message at a place, from 1, among those that an event became.
#[must_use]
pub fn number(event: u64, place: usize) -> u64 {
    let place = u64::try_from(place).unwrap_or(MOST).min(MOST - 1);
    event.saturating_mul(MOST).saturating_add(place)
}

/// The event that a message comes from.
#[must_use]
pub fn event_of(number: u64) -> u64 {
    number / MOST
}

/// Numbers what an event became.
pub(crate) fn numbered<M>(event: u64, messages: Vec<M>) -> Vec<Numbered<M>> {
    let messages = messages.into_iter().enumerate();
    messages.map(|(place, message)| Numbered { seq: number(event, place + 1), message }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_and_name_their_event() {
        let numbers: Vec<_> =
            (1..5).flat_map(|event| (1..100).map(move |place| number(event, place))).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b));
        assert_eq!((event_of(number(7, 1)), event_of(number(7, 99))), (7, 7));
        assert_eq!(
            event_of(number(7, 1_000)),
            7,
            "too many share the last number, and none is another event's"
        );
    }
}
