//! Prompts evaluated on the stand-in and on the real Codex: what users of the SDK rely on.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod acceptance;
mod answers;
mod approvals;
mod auth;
mod completion;
mod disclosure;
mod examples;
mod feedback;
mod forced;
mod killed;
mod limits;
mod mcp;
mod recorded;
mod resources;
mod settings;
mod skills;
mod stage;
mod support;
mod threads;
mod tools;
mod transcript;
mod workspace;
mod workspace_example;
