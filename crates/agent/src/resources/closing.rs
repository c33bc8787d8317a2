//! Ending what was opened.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::binding::{Closing, Restore};
use crate::toolbox::guarded;

/// How long one may take to close.
const LONGEST: Duration = Duration::from_secs(5);

type Close = Box<dyn FnOnce() -> Closing + Send>;

/// What is left to be done for things whose time is over, in the order in which it has to be done. Dropped, it is done in the background.
#[derive(Default)]
pub(crate) struct Ending(pub(super) Vec<(&'static str, Close)>);

impl Ending {
    /// Closes one after the other. One that fails keeps no other from it.
    pub(crate) async fn run(mut self) {
        close_all(std::mem::take(&mut self.0)).await;
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let left = std::mem::take(&mut self.0);
        if left.is_empty() {
            return;
        }
        match Handle::try_current() {
            // It ends by itself within seconds, and nobody is left who could wait for it.
            Ok(handle) => drop(handle.spawn(close_all(left))),
            Err(_) => tracing::warn!("resources were left open: no runtime is left to close them"),
        }
    }
}

async fn close_all(all: Vec<(&'static str, Close)>) {
    for (resource, close) in all {
        match timeout(LONGEST, guarded(async move { close().await })).await {
            Ok(Ok(())) => {}
            Ok(Err(panic)) => tracing::warn!(resource, panic, "closing panicked"),
            Err(_) => tracing::warn!(resource, "closing took too long, and is left"),
        }
    }
}

/// Puts things back, the last that was taken first.
pub(super) fn restore(undo: Vec<(&'static str, Restore)>) {
    for (resource, restore) in undo.into_iter().rev() {
        // What it left half done is its own; the others are still put back.
        if catch_unwind(AssertUnwindSafe(restore)).is_err() {
            tracing::error!(resource, "what a failed call did to it could not be undone");
        }
    }
}
