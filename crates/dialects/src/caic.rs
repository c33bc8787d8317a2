//! caic's language, in both of its generations: messages of a session, a log with header and trailer, and such logs read.
//!
//! `docs/dialects/caic.md` has the tables, and what differs from upstream.

mod generation_a;
mod generation_b;
mod log;
mod message;
mod parse;
mod speaker;
mod unknown;
mod wire;

pub use log::{Log, Meta, Repo, Trailer, Writer};
pub use message::{
    ApiMessage, Assistant, Content, Ended, Message, Said, Semantic, Stream, StreamEvent, System, TextDelta,
    Usage, User,
};
pub use parse::{ParseError, Parser};
pub use speaker::{Generation, Speaker};
pub use unknown::UnknownField;
pub use wire::Wire;
