//! The one clock of a runtime; tests can turn it.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use selvedge_session::Timestamp;
use tokio::sync::watch;

/// What time it is.
#[derive(Debug, Clone, Default)]
pub struct Clock(Hand);

#[derive(Debug, Clone, Default)]
enum Hand {
    #[default]
    System,
    Manual(Arc<watch::Sender<i64>>),
}

impl Clock {
    /// The machine's.
    #[must_use]
    pub fn system() -> Self {
        Self(Hand::System)
    }

    /// One that stands still until it is [turned](Clock::turn).
    #[must_use]
    pub fn manual(start: Timestamp) -> Self {
        Self(Hand::Manual(Arc::new(watch::Sender::new(start.0))))
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Hand::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
            Hand::Manual(hand) => Timestamp(*hand.borrow()),
        }
    }

    /// Lets time pass, if this clock is turned by hand.
    pub fn turn(&self, by: Duration) {
        if let Hand::Manual(hand) = &self.0 {
            hand.send_modify(|now| *now = (Timestamp(*now) + by).0);
        }
    }

    /// Waits until a moment; for ever without one.
    pub(crate) async fn reach(&self, moment: Option<Timestamp>) {
        let Some(moment) = moment else { return std::future::pending().await };
        match &self.0 {
            Hand::System => tokio::time::sleep(moment.since(self.now())).await,
            Hand::Manual(hand) => {
                // The sender is here, so it cannot be gone.
                let mut hand = hand.subscribe();
                let _reached = hand.wait_for(|now| *now >= moment.0).await;
            }
        }
    }
}
