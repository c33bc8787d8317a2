//! A simulated `codex app-server` 0.166: deterministic, for machines without Codex, for faults and for thousands of sessions.
//!
//! It never claims to be Codex: its user agent, its configuration warning and its model are called `rehearsal`. It is
//! trusted only where `tests/app_server_like_codex.rs` holds it to the real one; what differs on purpose is listed in
//! `docs/rehearsal.md`.

mod calls;
mod command;
mod dispatch;
mod faults;
mod items;
mod messages;
mod numbered;
mod outbox;
mod params;
mod patch;
mod requests;
mod run;
mod script;
mod server;
mod store;
mod thread;
mod turn;
mod views;
mod wire;

pub use faults::Faults;
pub use run::{End, Options, run, serve};
