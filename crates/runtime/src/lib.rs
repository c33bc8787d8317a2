//! Wires client, session and journal. Today: the border where the wire stops, and what is found out from Codex.

pub mod examine;
pub mod files;
pub mod from_codex;
pub mod git;
mod private;
pub mod secrets;
pub mod to_codex;
