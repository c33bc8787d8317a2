//! YAAR's dialect, case by case.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::needless_pass_by_value, reason = "cases are written as values")]

mod speaking;
#[path = "../support/mod.rs"]
mod support;
mod understanding;
