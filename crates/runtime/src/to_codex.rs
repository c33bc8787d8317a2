//! The only writer of the wire: what a session wants becomes what is said to Codex. Pure functions, no I/O.
//!
//! Nothing before this file names a method or a field of Codex's, and nothing behind it knows a session.

mod answers;
mod cut;
mod failure;
mod tool_result;
mod turns;

pub use answers::{ToAnswer, answer};
pub use failure::{Refused, failure, refused};
pub use tool_result::tool;
pub use turns::{TurnStart, turn_interrupt, turn_start, turn_steer};
