//! YAAR's language: one `StreamMessage` after the other, and what its pages say.
//!
//! `docs/dialects/yaar.md` has the tables, and what differs from upstream.

mod heard;
mod speaker;
mod telling;

pub use heard::{Heard, understand};
pub use speaker::{Speaker, StreamMessage, Telling};
