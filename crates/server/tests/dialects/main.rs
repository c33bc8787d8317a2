//! Clients of other programs at the gateway: sockets in their languages, on the real Codex and on the stand-in.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

mod browser;
mod choices;
mod older;
mod reconnect;
mod servers;
mod socket;
mod stream;
mod streamed;
#[path = "../support/mod.rs"]
mod support;
