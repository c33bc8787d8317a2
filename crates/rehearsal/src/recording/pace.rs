//! How fast a recording is played.

use std::time::Duration;

/// Where times are unknown, a line follows another after so long.
const EVEN: Duration = Duration::from_millis(50);

/// How fast a recording is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// So many times as fast as it was.
    Times(f64),
    /// Without waiting.
    AtOnce,
    /// A line whenever somebody says so.
    Step,
}

impl Pace {
    /// How long a step waits after the one before it.
    #[must_use]
    pub fn gap(self, before: Option<Duration>, at: Option<Duration>) -> Duration {
        let Self::Times(speed) = self else { return Duration::ZERO };
        let recorded = match (before, at) {
            (Some(before), Some(at)) => at.saturating_sub(before),
            (None, Some(_)) => Duration::ZERO,
            (_, None) => EVEN,
        };
        Duration::try_from_secs_f64(recorded.as_secs_f64() / speed).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_the_recorded_ones_divided_by_the_speed() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(Pace::Times(1.0).gap(seconds(2), seconds(5)), Duration::from_secs(3));
        assert_eq!(Pace::Times(10.0).gap(seconds(2), seconds(5)), Duration::from_millis(300));
        assert_eq!(Pace::Times(0.5).gap(seconds(2), seconds(5)), Duration::from_secs(6));
        assert_eq!(Pace::Times(1.0).gap(seconds(5), seconds(2)), Duration::ZERO, "never backwards");
        assert_eq!(Pace::Times(1.0).gap(None, None), EVEN);
        assert_eq!(Pace::AtOnce.gap(seconds(2), seconds(5)), Duration::ZERO);
    }
}
