//! A whole runtime on the stand-in and on the real Codex: what its users rely on.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod approvals;
mod crashes;
mod host;
mod interrupts;
mod messages;
mod ownership;
mod setup;
mod stage;
mod tools;
mod watch;
