//! Prompts evaluated on the stand-in and on the real Codex: what users of the SDK rely on.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod acceptance;
mod answers;
mod approvals;
mod auth;
mod disclosure;
mod examples;
mod forced;
mod limits;
mod mcp;
mod settings;
mod stage;
mod support;
mod threads;
mod tools;
mod workspace;
mod workspace_example;
