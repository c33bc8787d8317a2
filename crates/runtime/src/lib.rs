//! Wires client, session and journal. Today: the border where the wire stops.

pub mod from_codex;
