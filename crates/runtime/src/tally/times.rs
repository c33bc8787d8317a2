//! How long something took, counted by how long: what a histogram shows.

use std::time::Duration;

/// The longest that counts to each part, in microseconds: what is usual lies between the first and the fifth.
const BOUNDS: [u64; 13] =
    [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// Times, counted by their length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    parts: [u64; BOUNDS.len()],
    longer: u64,
    sum: Duration,
}

impl Times {
    pub(super) fn add(&mut self, took: Duration) {
        let place = BOUNDS.iter().position(|bound| took <= Duration::from_micros(*bound));
        *place.and_then(|place| self.parts.get_mut(place)).unwrap_or(&mut self.longer) += 1;
        self.sum += took;
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.parts.iter().sum::<u64>() + self.longer
    }

    /// All of them together.
    #[must_use]
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// Each bound, and how many lie between the one before and it; those beyond the last are what is missing to the count.
    pub fn parts(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        BOUNDS.iter().map(|bound| Duration::from_micros(*bound)).zip(self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_counts_once_where_it_belongs() {
        let mut times = Times::default();
        for micros in [1, 50, 51, 2_000, 5_000_000] {
            times.add(Duration::from_micros(micros));
        }
        let parts: Vec<_> = times.parts().filter(|(_, count)| *count > 0).collect();
        let wanted = [(50, 2), (100, 1), (2_500, 1)];
        assert_eq!(parts, wanted.map(|(bound, count)| (Duration::from_micros(bound), count)));
        assert_eq!((times.count(), times.sum()), (5, Duration::from_micros(5_002_102)));
    }
}
