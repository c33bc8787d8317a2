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

/// What is left to be done for things whose time is over, in the order in which it has to be done.
pub(super) struct Ending(pub(super) Vec<(&'static str, Close)>);

impl Ending {
    /// Closes one after the other. One that fails keeps no other from it.
    pub(super) async fn run(self) {
        for (resource, close) in self.0 {
            match timeout(LONGEST, guarded(async move { close().await })).await {
                Ok(Ok(())) => {}
                Ok(Err(panic)) => tracing::warn!(resource, panic, "closing panicked"),
                Err(_) => tracing::warn!(resource, "closing took too long, and is left"),
            }
        }
    }

    /// The same when nobody can wait for it: in the background, or if there is nobody to run it, not at all.
    pub(super) fn run_later(self) {
        if self.0.is_empty() {
            return;
        }
        match Handle::try_current() {
            // It ends by itself within seconds, and nobody is left who could wait for it.
            Ok(handle) => drop(handle.spawn(self.run())),
            Err(_) => tracing::warn!("resources were left open: no runtime is left to close them"),
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
