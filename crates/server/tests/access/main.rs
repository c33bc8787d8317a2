//! Who comes in and who does not, tried from outside; and how a gateway begins and ends.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

mod browsers;
mod claims;
mod docs;
mod ending;
mod gate;
mod leaving;
mod limits;
mod metrics;
mod page;
mod scopes;
mod secrets;
#[path = "../dialects/socket.rs"]
mod socket;
mod sockets;
#[path = "../support/mod.rs"]
mod support;
mod tokens;
