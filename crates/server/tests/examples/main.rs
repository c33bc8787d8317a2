//! The examples in other languages, run as their readers run them.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks and programs end with it")]

mod breaking_line;
mod door;
mod program;
#[path = "../support/mod.rs"]
mod support;
mod tools;
