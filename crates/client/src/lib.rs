//! One conversation with one `codex app-server`.
