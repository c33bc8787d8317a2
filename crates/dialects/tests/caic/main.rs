//! caic's dialect, case by case: the lines of its own tests, both generations, and logs.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::needless_pass_by_value, reason = "cases are written as values")]

mod first;
mod logs;
mod recorded;
mod second;
#[path = "../support/mod.rs"]
mod support;
mod unknown;

use selvedge_dialects::caic::{Generation, Parser};
use serde_json::Value;

/// The messages of a line: their kind, and what they say.
pub(crate) fn parse(generation: Generation, line: Value) -> Vec<(String, Value)> {
    let messages = Parser::of(generation).line(&line.to_string()).unwrap();
    messages.iter().map(|it| (it.kind.to_string(), serde_json::to_value(it).unwrap())).collect()
}
