//! The agent SDK's pure half, from outside: without a Codex, a model or a sleep.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod build;
mod calling;
mod completion;
mod denied;
mod disclosure;
mod events;
mod examples_of_everything;
mod feedback;
mod golden;
mod limits;
mod overrides;
mod overrides_examples;
mod policies;
mod properties;
mod render;
mod resources;
mod resources_in_calls;
mod sessions;
mod side_by_side;
mod skills;
mod snapshots;
mod support;
mod tools;
mod transactions;
mod workspace;
mod workspace_files;
mod workspace_leftovers;
mod workspace_properties;
mod workspace_races;
mod workspace_reach;
mod workspace_security;
mod workspace_view;
