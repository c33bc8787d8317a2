//! Everything that is read: events, the feed, files, diffs, models, usage.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

mod choices;
mod diff;
mod feed;
mod files;
mod following;
mod pictures;
mod places;
mod reconnect;
mod session;
#[path = "../support/mod.rs"]
mod support;
