//! Every route as its users ask it.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

mod health;
#[path = "../support/mod.rs"]
mod support;
