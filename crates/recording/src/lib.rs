//! Recordings of the wire: how they are written without holding it up, kept within limits, and read again.
//!
//! [`Recordings`] is a directory of them. Each conversation with an app-server is written by a thread of its own, which
//! [`Recorder`] hands lines to and never waits for. [`Recording`] is one that is read: ours, and the forms that others
//! have. What a line means is not known here.

mod entry;
mod name;
mod part;
mod queue;
mod read;
mod recorder;
mod recordings;
mod retention;
mod writer;

pub use entry::{Direction, Header, VERSION};
pub use name::Name;
pub use read::{Entry, Form, ReadError, Recording};
pub use recorder::Recorder;
pub use recordings::{Conversation, Counts, Limits, Recordings, Redact, Tell};
