//! Whole conversations with a Codex of the future: a proxy before the real one renames, adds and retypes what it says.
//!
//! No turn may be lost, nothing may hang, and everything that nobody knows is in the journal, in order.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod conversation;
mod ends;
mod journals;
mod kept;
mod proxy_log;
mod seeds;

#[path = "../whole/setup.rs"]
#[allow(dead_code, unused_macros, unused_imports, reason = "a part of it is used")]
mod setup;
#[path = "../whole/stage.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod stage;
#[path = "../whole/watch.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod watch;
