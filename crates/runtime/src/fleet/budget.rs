//! How often an environment's processes may be replaced: growing delays, a limit, and forgiveness.

use std::{collections::VecDeque, time::Duration};

use tokio::time::Instant;

use super::options::RestartLimits;

/// The deaths of one environment.
#[derive(Debug)]
pub(super) struct RestartBudget {
    limits: RestartLimits,
    deaths: VecDeque<Instant>,
    /// Deaths in a row without a healthy life between them.
    in_a_row: u32,
    not_before: Option<Instant>,
    last: Option<LastWords>,
    exhausted: bool,
}

/// How the last one ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastWords {
    /// How.
    pub(super) reason: String,
    /// The last it wrote to stderr.
    pub(super) stderr_tail: String,
}

/// Whether a process may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MayStart {
    /// Yes.
    Now,
    /// Not before then.
    At(Instant),
    /// No: too many have ended, the last one like this.
    GaveUp(LastWords),
}

impl RestartBudget {
    pub(super) fn new(limits: RestartLimits) -> Self {
        Self { limits, deaths: VecDeque::new(), in_a_row: 0, not_before: None, last: None, exhausted: false }
    }

    /// A process ended without our wish, after so long a life.
    pub(super) fn died(&mut self, lived: Duration, last: LastWords) {
        let now = Instant::now();
        if lived >= self.limits.healthy_after {
            self.in_a_row = 0;
        }
        let factor = 2_u32.saturating_pow(self.in_a_row);
        let delay = self.limits.first_delay.saturating_mul(factor).min(self.limits.longest_delay);
        self.in_a_row += 1;
        self.not_before = Some(now + delay);
        self.last = Some(last);
        self.deaths.retain(|death| now.duration_since(*death) < self.limits.within);
        self.deaths.push_back(now);
        self.exhausted |= self.deaths.len() > self.limits.restarts;
    }

    /// Whether a process may be started now.
    pub(super) fn may_start(&self) -> MayStart {
        match (&self.last, self.not_before) {
            (Some(last), _) if self.exhausted => MayStart::GaveUp(last.clone()),
            (_, Some(at)) if Instant::now() < at => MayStart::At(at),
            _ => MayStart::Now,
        }
    }

    /// Somebody said go: as if nothing had happened.
    pub(super) fn forgive(&mut self) {
        *self = Self::new(self.limits.clone());
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const SHORT: Duration = Duration::from_millis(5);

    fn words() -> LastWords {
        LastWords { reason: "it broke".into(), stderr_tail: "because".into() }
    }

    fn delay(budget: &RestartBudget) -> u64 {
        match budget.may_start() {
            MayStart::At(at) => (at - Instant::now()).as_secs(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn delays_double_and_the_sixth_death_is_the_end_until_forgiven() {
        let mut budget = RestartBudget::new(RestartLimits::default());
        assert_eq!(budget.may_start(), MayStart::Now);
        for expected in [1, 2, 4, 8, 16] {
            budget.died(SHORT, words());
            assert_eq!(delay(&budget), expected);
            advance(Duration::from_secs(expected)).await;
            assert_eq!(budget.may_start(), MayStart::Now);
        }
        budget.died(SHORT, words());
        advance(Duration::from_secs(6_000)).await;
        assert_eq!(budget.may_start(), MayStart::GaveUp(words()), "time alone does not heal it");
        budget.forgive();
        assert_eq!(budget.may_start(), MayStart::Now);
    }

    #[tokio::test(start_paused = true)]
    async fn deaths_that_are_far_apart_are_not_added_up() {
        let mut budget = RestartBudget::new(RestartLimits::default());
        for _ in 0..20 {
            budget.died(SHORT, words());
            advance(Duration::from_secs(130)).await;
            assert_eq!(budget.may_start(), MayStart::Now);
        }
        budget.died(SHORT, words());
        assert_eq!(delay(&budget), 30, "no delay is longer");
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_healthy_life_the_delays_begin_anew() {
        let mut budget = RestartBudget::new(RestartLimits::default());
        budget.died(SHORT, words());
        budget.died(SHORT, words());
        assert_eq!(delay(&budget), 2);
        budget.died(Duration::from_secs(60), words());
        assert_eq!(delay(&budget), 1);
    }
}
