//! What users of the crate test with, as they would: a stand-in within this program, and no Codex.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod defaults;
mod rehearsed;
