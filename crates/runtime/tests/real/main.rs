//! What is said to the real Codex 0.166.0, and what is found out from it, with a scripted model.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod examined;
mod extras;
mod measured;
mod stage;
mod threads;
