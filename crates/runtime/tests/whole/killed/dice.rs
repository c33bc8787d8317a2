//! Chance that is always the same for the same seed.

use std::hash::{BuildHasher, RandomState};

/// A generator of numbers that look like chance.
pub(super) struct Dice(u64);

impl Dice {
    /// The one for the so manieth of a kind: what happens meanwhile changes nothing in it.
    pub(super) fn of(seed: u64, kind: &str, number: u64) -> Self {
        let kind = kind.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Self(kind.wrapping_mul(1_000_003).wrapping_add(number))
    }

    /// A seed that nobody chose.
    pub(super) fn fresh() -> u64 {
        RandomState::new().hash_one(0) % 1_000_000
    }

    /// One step of the splitmix64 generator, below a limit.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    pub(super) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of them, by its weight.
    pub(super) fn pick<T: Copy>(&mut self, from: &[(T, u64)]) -> T {
        let mut left = self.below(from.iter().map(|(_, weight)| weight).sum());
        for (one, weight) in from {
            if left < *weight {
                return *one;
            }
            left -= weight;
        }
        from[0].0
    }
}
