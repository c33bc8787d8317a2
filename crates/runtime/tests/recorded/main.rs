//! Recorded conversations with the real Codex, told to sessions: each turn ends there as it ended in Codex, and what a
//! session is can be rebuilt from a recording alone.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod ends;
mod rebuilt;
mod replay;
