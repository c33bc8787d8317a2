//! Sessions of which nothing was heard for long go: looked after at the start, and every day from then on.

use std::{
    sync::{Arc, PoisonError, Weak},
    time::Duration,
};

use selvedge_session::Timestamp;
use tokio::{sync::oneshot, task::JoinHandle};

use super::Runtime;
use crate::{error::Error, house::House};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Who looks every day.
#[derive(Debug)]
pub(crate) struct Broom {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Broom {
    /// Waits until it has put everything down.
    pub(crate) async fn end(self) {
        // One that has ended already holds nothing.
        let _ended = self.stop.send(());
        let _panicked = self.task.await;
    }
}

/// Looks now, and then every day; nothing unless sessions are kept for so many days only.
pub(super) async fn begin(runtime: &Runtime) -> Result<(), Error> {
    let Some(days) = runtime.house.config.retain_days else { return Ok(()) };
    let days = u32::try_from(days).unwrap_or(u32::MAX);
    let older_than = DAY.saturating_mul(days);
    let next = runtime.house.clock.now() + DAY;
    runtime.prune(older_than).await?;
    let (stop, stopped) = oneshot::channel();
    let house = Arc::downgrade(&runtime.house);
    #[expect(clippy::disallowed_methods, reason = "the house holds the handle, and awaits it at its end")]
    let task = tokio::spawn(every_day(house, next, older_than, stopped));
    let mut broom = runtime.house.broom.lock().unwrap_or_else(PoisonError::into_inner);
    *broom = Some(Broom { stop, task });
    Ok(())
}

/// A runtime that nobody has any more needs no broom.
async fn every_day(
    house: Weak<House>,
    mut next: Timestamp,
    older_than: Duration,
    mut stopped: oneshot::Receiver<()>,
) {
    while let Some(clock) = house.upgrade().map(|house| house.clock.clone()) {
        tokio::select! {
            _ = &mut stopped => return,
            () = clock.reach(Some(next)) => {}
        }
        let Some(house) = house.upgrade() else { return };
        // Days that the machine slept through are not made up for.
        next = clock.now() + DAY;
        // What cannot be removed today is tried again tomorrow.
        let _tomorrow = Runtime { house }.prune(older_than).await;
    }
}
