//! How long Codex may take to answer, by what it was asked.

use std::time::Duration;

/// Time limits towards Codex. A limit that passes makes the outcome unknown, not failed.
#[derive(Debug, Clone)]
pub struct TimeLimits {
    /// `initialize`.
    pub initialize: Duration,
    /// `thread/start`, `thread/resume`, `thread/fork` and `account/login/start`.
    pub thread: Duration,
    /// `turn/start`.
    pub turn_start: Duration,
    /// `turn/interrupt` and `turn/steer`.
    pub control: Duration,
    /// Everything else.
    pub other: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            initialize: Duration::from_secs(10),
            thread: Duration::from_secs(30),
            turn_start: Duration::from_secs(120),
            control: Duration::from_secs(5),
            other: Duration::from_secs(60),
        }
    }
}

impl TimeLimits {
    /// The limit for one method.
    #[must_use]
    pub fn of(&self, method: &str) -> Duration {
        match method {
            "initialize" => self.initialize,
            "thread/start" | "thread/resume" | "thread/fork" | "account/login/start" => self.thread,
            "turn/start" => self.turn_start,
            "turn/interrupt" | "turn/steer" => self.control,
            _ => self.other,
        }
    }
}
