//! The judge: what we say about Codex, asked of the real Codex with a scripted model. See docs/judge.md.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod acts;
mod cases;
mod differences;
mod ear;
mod history;
mod promises;
mod report;
mod snapshot;
mod stage;
mod transcript;
mod version;

mod approvals;
mod failures;
mod interrupts;
mod messages;
mod recovery;
mod schemas;
mod surroundings;
mod threads;
mod tools;
