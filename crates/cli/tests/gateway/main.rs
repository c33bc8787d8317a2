//! Commands through a gateway, as a person and a script meet them: the same as without one.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../stage/mod.rs"]
mod stage;

mod refusals;
mod relays;
mod restarts;
mod same;
mod talking;
#[cfg(feature = "https")]
mod tls;
