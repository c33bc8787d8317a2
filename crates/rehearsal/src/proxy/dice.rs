//! Decides what happens to each frame: by seed, direction and number, so that a run can be had again.

use super::{
    kind::{Direction, Fault, When},
    spec::ProxyFaults,
};

/// Decides for the frames of one direction.
#[derive(Debug)]
pub(super) struct Dice {
    faults: ProxyFaults,
    direction: Direction,
    /// Frames so far.
    frames: u64,
    /// Frames so far that each rule was for.
    counts: Vec<u64>,
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) fault: Option<Fault>,
    /// The number of the frame in its direction, from 1.
    pub(super) frame: u64,
    /// For whatever else has to be chosen about it.
    pub(super) chance: u64,
}

impl Dice {
    pub(super) fn new(faults: &ProxyFaults, direction: Direction) -> Self {
        let counts = vec![0; faults.rules.len()];
        Self { faults: faults.clone(), direction, frames: 0, counts }
    }

    /// What happens to the next frame, which has this name.
    pub(super) fn next(&mut self, name: &str) -> Decision {
        self.frames += 1;
        let frame = self.frames;
        let (seed, direction) = (self.faults.seed, self.direction);
        let spared = frame <= self.faults.spare;
        let mut struck = None;
        for (place, (rule, count)) in self.faults.rules.iter().zip(&mut self.counts).enumerate() {
            if !rule.is_for(direction, name) {
                continue;
            }
            *count += 1;
            let strikes = match rule.when {
                When::Nth(number) => *count == number,
                When::Chance(chance) => {
                    roll(seed, direction, frame, place as u64) % 1_000_000 < u64::from(chance)
                }
            };
            if strikes && !spared && struck.is_none() {
                struck = Some(rule.fault);
            }
        }
        Decision { fault: struck, frame, chance: roll(seed, direction, frame, u64::MAX) }
    }
}

/// A number that looks like chance and is always the same.
fn roll(seed: u64, direction: Direction, frame: u64, place: u64) -> u64 {
    let direction = match direction {
        Direction::FromCodex => 1,
        Direction::ToCodex => 2,
    };
    [direction, frame, place].into_iter().fold(mixed(seed), |state, next| mixed(state ^ mixed(next)))
}

/// One step of the splitmix64 generator.
pub(super) fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn struck(spec: &str, names: &[&str]) -> Vec<u64> {
        let mut dice = Dice::new(&spec.parse().unwrap(), Direction::FromCodex);
        let decisions = names.iter().map(|name| dice.next(name));
        decisions.filter(|decision| decision.fault.is_some()).map(|decision| decision.frame).collect()
    }

    #[test]
    fn a_seed_decides_always_the_same_and_another_one_otherwise() {
        let names = ["x"; 1000];
        let first = struck("seed=1,drop=10%", &names);
        assert_eq!(first, struck("seed=1,drop=10%", &names));
        assert_ne!(first, struck("seed=2,drop=10%", &names));
        assert!((60..140).contains(&first.len()), "{}", first.len());
    }

    #[test]
    fn a_place_is_counted_among_the_frames_it_is_for() {
        assert_eq!(struck("drop@b=#2", &["b", "a", "a", "b", "b"]), [4]);
        assert_eq!(struck("to.drop=100%", &["a"]), [] as [u64; 0]);
        assert_eq!(struck("drop=100%,spare=2", &["a", "a", "a"]), [3]);
    }
}
