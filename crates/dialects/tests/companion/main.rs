//! The Companion's dialect, case by case: events go in, and what a browser is told is compared with what it reads.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::needless_pass_by_value, reason = "cases are written as values")]

mod again;
mod answering;
mod asking;
mod browser;
mod items;
mod saying;
mod session;
mod stage;
mod subagents;
mod tools;
mod turns;
