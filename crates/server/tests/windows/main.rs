//! YAAR's process model at the gateway: one app-server, a main agent and its forked windows, each with an MCP endpoint of
//! its own.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

mod agent;
mod calling;
mod crash;
mod desk;
mod ending;
#[path = "../access/gate.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod gate;
mod guarded;
mod mcp;
mod parallel;
mod relayed;
mod restart;
#[path = "../dialects/socket.rs"]
mod socket;
#[path = "../support/mod.rs"]
mod support;
