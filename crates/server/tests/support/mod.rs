//! What the tests of the gateway share: a gateway on loopback, and a client that keeps nothing from them.
#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod http;
pub(crate) mod serving;
pub(crate) mod slow_git;
pub(crate) mod stage;
