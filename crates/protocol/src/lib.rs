//! Read-only views of what `codex app-server` says, and what can be said to it.

pub mod call;
pub mod frame;
pub mod view;
