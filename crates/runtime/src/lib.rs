//! Wires client, session and journal. Today: the border where the wire stops.

#[allow(dead_code, unused_imports, reason = "until the session actors use all of it")]
mod fleet;
pub mod from_codex;
