//! Deltas of one item and kind are one delta, if nothing came between them.

use selvedge_session::Heard;

/// Adds what was heard to what waits to be applied.
pub(super) fn push(waiting: &mut Vec<Heard>, next: Heard) {
    if let (
        Some(Heard::Delta { place, item_id, kind, delta }),
        Heard::Delta { place: next_place, item_id: next_item, kind: next_kind, delta: more },
    ) = (waiting.last_mut(), &next)
        && kind == next_kind
        && item_id == next_item
        && place == next_place
    {
        delta.push_str(more);
        return;
    }
    waiting.push(next);
}

#[cfg(test)]
mod tests {
    use selvedge_session::{Place, data::DeltaKind};

    use super::*;

    fn delta(item: &str, kind: DeltaKind, text: &str) -> Heard {
        let place = Place { thread: "t".into(), turn: "u".into() };
        Heard::Delta { place, item_id: item.into(), kind, delta: text.into() }
    }

    #[test]
    fn neighbours_are_joined_and_strangers_are_not() {
        let mut waiting = Vec::new();
        for (item, kind, text) in [
            ("a", DeltaKind::Text, "1"),
            ("a", DeltaKind::Text, "2"),
            ("b", DeltaKind::Text, "3"),
            ("b", DeltaKind::Output, "4"),
            ("a", DeltaKind::Text, "5"),
        ] {
            push(&mut waiting, delta(item, kind, text));
        }
        let said: Vec<_> = waiting
            .iter()
            .map(|heard| match heard {
                Heard::Delta { delta, .. } => delta.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(said, ["12", "3", "4", "5"]);
    }
}
