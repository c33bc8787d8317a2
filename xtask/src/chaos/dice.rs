//! Chance that is always the same for the same seed.

/// A generator of numbers that look like chance.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One step of the splitmix64 generator.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, without `high`.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low).max(1)
    }

    pub(super) fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of them; there has to be one.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.next() % from.len() as u64).unwrap_or(0)]
    }

    /// A place in a list of this length.
    pub(super) fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.next() % length.max(1) as u64).unwrap_or(0)
    }
}
