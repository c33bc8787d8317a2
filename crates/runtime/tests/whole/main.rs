//! A whole runtime on the stand-in and on the real Codex: what its users rely on.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod abilities;
mod approvals;
mod bare;
mod busy;
mod crashes;
mod differences;
mod errands;
mod host;
mod intents;
mod interrupts;
mod killed;
mod limits;
mod logins;
mod messages;
mod notes;
mod older;
mod once;
mod ownership;
mod places;
mod relays;
mod report;
mod rests;
mod secrets;
mod servers;
mod settings;
mod setup;
mod stage;
mod storage;
mod subagents;
mod switched;
mod threads;
mod tools;
mod unknown;
mod upgrades;
mod watch;
