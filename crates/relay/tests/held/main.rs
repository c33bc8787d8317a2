//! The relay from outside: real sockets, real children, real kills.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod caic;
mod clients;
mod codex;
mod disk;
mod ends;
mod lines;
mod planted;
mod stage;
mod starts;
