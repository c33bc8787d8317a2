//! The only writer of the wire: what a session wants becomes what is said to Codex. Pure functions, no I/O.
//!
//! Nothing before this file names a method or a field of Codex's, and nothing behind it knows a session.

mod answers;
mod config;
mod cut;
mod failure;
mod lacking;
mod policy;
mod switches;
mod threads;
mod tool_result;
mod turns;
mod wishes;

pub use answers::{ToAnswer, answer};
pub use failure::{Refused, failure, refused};
pub use lacking::{replaced_effort, too_old, unfit};
pub use policy::{Warning, approval_policy, mode};
pub use switches::{Features, switches};
pub use threads::{ForkOf, Said, ThreadExtras, thread_fork, thread_resume, thread_start};
pub use tool_result::tool;
pub use turns::{Steer, ThreadNow, TurnStart, effort, turn_interrupt, turn_start, turn_steer};
pub use wishes::{archive, clean_terminals, compact, drop_turn, review, roll_back, set_name, unarchive};
