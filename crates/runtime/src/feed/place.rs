//! A place in the feed: after a record of the journal, or within one.

use std::{fmt, str::FromStr};

use selvedge_journal::FeedCursor;

/// Everything up to `before` was given, and of one further record some events. That record is named, because it may be
/// gone when somebody comes back: then nothing of the one in its place was given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) before: FeedCursor,
    within: Option<(FeedCursor, usize)>,
}

impl Place {
    pub(super) fn after(record: FeedCursor) -> Self {
        Self { before: record, within: None }
    }

    pub(super) fn within(before: FeedCursor, record: FeedCursor, passed: usize) -> Self {
        Self { before, within: Some((record, passed)) }
    }

    /// How many events of a record were given.
    pub(super) fn passed_in(&self, record: FeedCursor) -> usize {
        self.within.filter(|(named, _)| *named == record).map_or(0, |(_, passed)| passed)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.within {
            None => self.before.fmt(f),
            Some((record, passed)) => write!(f, "{}.{record}.{passed}", self.before),
        }
    }
}

/// The text is no place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let mut parts = text.split('.');
        let before = read(parts.next())?;
        let within = match parts.next() {
            None => None,
            Some(record) => Some((read(Some(record))?, read(parts.next())?)),
        };
        if parts.next().is_some() { Err(NoPlace) } else { Ok(Self { before, within }) }
    }
}

fn read<T: FromStr>(text: Option<&str>) -> Result<T, NoPlace> {
    text.ok_or(NoPlace)?.parse().map_err(|_| NoPlace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let [before, record] = ["12", "15"].map(|text| text.parse::<FeedCursor>().unwrap());
        for place in [Place::default(), Place::after(before), Place::within(before, record, 3)] {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        let within = Place::within(before, record, 3);
        assert_eq!((within.passed_in(record), within.passed_in(before)), (3, 0));
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", "x", "1.", "1.2", "1.2.x", "1.2.3.4", "-1", " 1"] {
            assert_eq!(text.parse::<Place>(), Err(NoPlace), "{text:?}");
        }
    }
}
