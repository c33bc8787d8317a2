//! The simulated app-server beside the real Codex 0.166.0: the same scenario, the same client, and what they say compared.
//!
//! Compared are the methods, their order and every field the real one sends; what differs on purpose stands in
//! `differences.rs` with a reason, and `docs/rehearsal.md` shows that table.

#[path = "app_server_like_codex/answers.rs"]
mod answers;
#[path = "app_server/client.rs"]
#[expect(dead_code, reason = "another test uses the rest of the client")]
mod client;
#[path = "app_server_like_codex/compare.rs"]
mod compare;
#[path = "app_server_like_codex/differences.rs"]
mod differences;
#[path = "app_server_like_codex/normal.rs"]
mod normal;
#[path = "app_server_like_codex/sides.rs"]
mod sides;
#[path = "app_server_like_codex/turns.rs"]
mod turns;
