//! The agent SDK's pure half, from outside: without a Codex, a model or a sleep.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod build;
mod calling;
mod denied;
mod disclosure;
mod events;
mod golden;
mod limits;
mod policies;
mod properties;
mod render;
mod sessions;
mod side_by_side;
mod snapshots;
mod support;
mod tools;
mod transactions;
mod workspace;
mod workspace_files;
mod workspace_races;
mod workspace_security;
