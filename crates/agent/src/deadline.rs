//! When something has to be over.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time that is worth beginning with.
const SHORTEST: Duration = Duration::from_secs(1);

/// An instant by which something has to be over. It runs on tokio's clock, which does not jump with the wall's.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{Budget, Deadline};
///
/// let deadline = Deadline::after(Duration::from_secs(120))?;
/// assert!(!deadline.has_passed() && deadline.remaining() <= Duration::from_secs(120));
///
/// // The same one for several: each has what is left of it.
/// let sooner = Deadline::after(Duration::from_secs(30))?;
/// assert_eq!(deadline.earlier(Some(sooner)), sooner);
/// assert_eq!(Budget::until(sooner).and_tokens(5_000).deadline(), Some(sooner));
/// # Ok::<(), selvedge_agent::TooSoon>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    started: Instant,
    expires: Instant,
}

/// A deadline that leaves no time.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::Deadline;
///
/// let error = Deadline::after(Duration::from_millis(500)).unwrap_err();
/// assert_eq!(error.ahead, Duration::from_millis(500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a deadline has to be at least one second ahead, and this one is {} ms\nhint: begin earlier, or give it more time", .ahead.as_millis())]
pub struct TooSoon {
    /// How far ahead it would be.
    pub ahead: Duration,
}

impl Deadline {
    /// That long from now.
    ///
    /// # Errors
    /// If it is less than a second.
    pub fn after(time: Duration) -> Result<Self, TooSoon> {
        let started = Instant::now();
        Self::between(started, later(started, time))
    }

    /// At that instant.
    ///
    /// # Errors
    /// If it is less than a second from now.
    pub fn at(expires: Instant) -> Result<Self, TooSoon> {
        Self::between(Instant::now(), expires)
    }

    fn between(started: Instant, expires: Instant) -> Result<Self, TooSoon> {
        let ahead = expires.saturating_duration_since(started);
        if ahead < SHORTEST { Err(TooSoon { ahead }) } else { Ok(Self { started, expires }) }
    }

    /// The instant itself.
    #[must_use]
    pub fn expires(&self) -> Instant {
        self.expires
    }

    /// How much time is left: nothing, once it has passed.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.expires.saturating_duration_since(Instant::now())
    }

    /// How long it has been running.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::Deadline;
    ///
    /// let deadline = Deadline::after(Duration::from_secs(60))?;
    /// assert!(deadline.elapsed() + deadline.remaining() <= Duration::from_secs(61));
    /// assert_eq!(Deadline::at(deadline.expires())?.expires(), deadline.expires());
    /// # Ok::<(), selvedge_agent::TooSoon>(())
    /// ```
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether there is no time left.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.remaining().is_zero()
    }

    /// The one that comes first.
    #[must_use]
    pub fn earlier(self, other: Option<Self>) -> Self {
        other.filter(|it| it.expires < self.expires).unwrap_or(self)
    }
}

/// The instant that long from now. A time that no clock can hold is as good as none.
pub(crate) fn from_now(time: Duration) -> Instant {
    later(Instant::now(), time)
}

fn later(than: Instant, time: Duration) -> Instant {
    than.checked_add(time).unwrap_or_else(|| than + Duration::from_secs(86_400 * 365 * 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn deadline_remaining_and_elapsed_use_clock() {
        let deadline = Deadline::after(Duration::from_secs(10)).unwrap();
        assert_eq!((deadline.remaining(), deadline.elapsed()), (Duration::from_secs(10), Duration::ZERO));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(
            (deadline.remaining(), deadline.elapsed()),
            (Duration::from_secs(6), Duration::from_secs(4))
        );
        tokio::time::advance(Duration::from_secs(7)).await;
        assert!(deadline.has_passed());
        assert_eq!(deadline.remaining(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn deadline_requires_future_second() {
        assert_eq!(
            Deadline::after(Duration::from_millis(999)),
            Err(TooSoon { ahead: Duration::from_millis(999) })
        );
        assert!(Deadline::after(Duration::from_secs(1)).is_ok());
        assert!(Deadline::after(Duration::MAX).is_ok());
        let past = Instant::now();
        tokio::time::advance(Duration::from_secs(3)).await;
        assert_eq!(Deadline::at(past), Err(TooSoon { ahead: Duration::ZERO }));
    }

    #[tokio::test]
    async fn a_second_is_enough_also_on_a_clock_that_runs() {
        assert!(Deadline::after(Duration::from_secs(1)).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_earlier_of_two_holds() {
        let soon = Deadline::after(Duration::from_secs(2)).unwrap();
        let late = Deadline::after(Duration::from_secs(5)).unwrap();
        assert_eq!(late.earlier(Some(soon)), soon);
        assert_eq!(soon.earlier(Some(late)), soon);
        assert_eq!(soon.earlier(None), soon);
    }
}
