//! Whether these are busy times: then it costs everybody less to share a commit than to have one soon.

use std::time::{Duration, Instant};

/// More than this many in this time are many.
const MANY: u32 = 16;
const SPAN: Duration = Duration::from_millis(10);

/// How many came lately: in the span that runs, and in the one before it.
#[derive(Debug, Default)]
pub(super) struct Lately {
    began: Option<Instant>,
    count: u32,
    before: u32,
}

impl Lately {
    /// Another one comes; whether these are busy times.
    pub(super) fn one_more(&mut self, now: Instant) -> bool {
        let age = self.began.map_or(Duration::MAX, |began| now.saturating_duration_since(began));
        if age >= SPAN {
            self.before = if age < 2 * SPAN { self.count } else { 0 };
            self.count = 0;
            self.began = Some(now);
        }
        self.count += 1;
        self.count.max(self.before) > MANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether it was busy each time, when one came every so often.
    fn each(every: Duration, count: u32) -> Vec<bool> {
        let (mut lately, begin) = (Lately::default(), Instant::now());
        (0..count).map(|nth| lately.one_more(begin + every * nth)).collect()
    }

    #[test]
    fn a_few_are_not_busy_and_many_stay_busy() {
        assert!(each(SPAN / 10, 100).iter().all(|busy| !busy));
        let many = each(SPAN / 50, 500);
        let quiet_until = many.iter().position(|busy| *busy);
        assert_eq!(quiet_until, Some(MANY as usize));
        assert!(many.iter().skip(MANY as usize).all(|busy| *busy), "also at the beginning of a span");
    }

    #[test]
    fn after_a_pause_it_is_quiet_again() {
        let (mut lately, begin) = (Lately::default(), Instant::now());
        assert!((0..=MANY).any(|_| lately.one_more(begin)));
        assert!(!lately.one_more(begin + 2 * SPAN));
    }
}
