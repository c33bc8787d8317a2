//! One fault, for which frames, and when: read from one word of the list.

use std::time::Duration;

use super::kind::{Direction, Fault, When, Whom};
use crate::faults::Word;

/// A million, as in "so many in a million".
const MILLION: f64 = 1e6;

/// One fault of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Of frames that go this way.
    pub direction: Direction,
    /// Of frames with this name only, `*` for any run of characters; without it, of all.
    pub pattern: Option<String>,
    /// What happens.
    pub fault: Fault,
    /// When.
    pub when: When,
}

impl Rule {
    /// Reads `[to.]FAULT[@PATTERN]=WHEN[:MS|:half]`.
    pub(super) fn read(word: Word<'_>) -> Option<Self> {
        let (name, pattern) = match word.name.split_once('@') {
            None => (word.name, None),
            Some((name, pattern)) => (name, Some(pattern.to_owned())),
        };
        let (direction, name) = match name.strip_prefix("to.") {
            Some(name) => (Direction::ToCodex, name),
            None => (Direction::FromCodex, name.strip_prefix("from.").unwrap_or(name)),
        };
        let value = word.value?;
        let (when, detail) = match value.split_once(':') {
            None => (value, None),
            Some((when, detail)) => (when, Some(detail)),
        };
        Some(Self { direction, pattern, fault: fault(name, detail)?, when: read_when(when)? })
    }

    /// Whether it is for a frame of this direction and name.
    pub(super) fn is_for(&self, direction: Direction, name: &str) -> bool {
        self.direction == direction && self.pattern.as_deref().is_none_or(|pattern| matches(pattern, name))
    }
}

fn fault(name: &str, detail: Option<&str>) -> Option<Fault> {
    let time = || Some(Duration::from_millis(detail?.parse().ok()?));
    let kill = |whom| match detail {
        None => Some(Fault::Kill(whom)),
        Some("half") => Some(Fault::KillAfterHalf(whom)),
        Some(_) => None,
    };
    let plain = |fault| detail.is_none().then_some(fault);
    match name {
        "drop" => plain(Fault::Drop),
        "duplicate" => plain(Fault::Duplicate),
        "corrupt" => plain(Fault::Corrupt),
        "cut" => plain(Fault::Cut),
        "garbage" => plain(Fault::Garbage),
        "delay" => Some(Fault::Delay(time()?)),
        "stall" => Some(Fault::Stall(time()?)),
        "kill" => kill(Whom::Both),
        "kill-child" => kill(Whom::Child),
        _ => None,
    }
}

fn read_when(text: &str) -> Option<When> {
    if let Some(number) = text.strip_prefix('#') {
        return number.parse().ok().filter(|number| *number > 0).map(When::Nth);
    }
    let percent: f64 = text.strip_suffix('%')?.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a million")]
    (0.0..=100.0).contains(&percent).then(|| When::Chance((percent / 100.0 * MILLION).round() as u32))
}

/// Whether the pattern stands for the whole name.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(left) = name.strip_prefix(start) else { return false };
    let ends = left.char_indices().map(|(place, _)| place).chain([left.len()]);
    ends.into_iter().any(|place| matches(rest, &left[place..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_pattern_stands_for_the_whole_name() {
        for (pattern, name, expected) in [
            ("turn/completed", "turn/completed", true),
            ("turn/completed", "turn/completedx", false),
            ("item/*", "item/agentMessage/delta", true),
            ("*/delta", "item/agentMessage/delta", true),
            ("item/*/delta", "item/x/started", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} for {name}");
        }
    }
}
