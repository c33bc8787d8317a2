//! A session's events in the languages of other programs, and their words as wishes of ours.
//!
//! Each dialect is a fold: a speaker hears events in order and says messages, each with a number that follows from the
//! journal alone. Nothing here has a clock, a socket or a choice: whoever hears the same says the same, so a client that
//! comes back at any point is told exactly what it missed. `docs/design/09-dialects.md` says why it is built so.

pub mod a2a;
pub mod caic;
pub mod companion;
mod dialect;
mod item;
mod number;
pub mod plain;
mod wish;
pub mod yaar;

pub use dialect::{Dialect, Speaker, Spoken, UnknownDialect};
pub use number::{Numbered, event_of, number};
pub use wish::{Picture, Wish};
