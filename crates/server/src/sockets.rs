//! WebSockets: a session's events in the words of another program, and that program's words as wishes.
//!
//! One task each. On one side is a reader with a cursor, on the other whoever is connected; a socket that is not read costs
//! that cursor. What a socket wants done is granted in one place, whatever language it was said in.

mod browser;
mod guest;
mod stream;
mod wire;
mod wishes;

pub(crate) use browser::serve as serve_browser;
pub(crate) use guest::{Guest, Opening};
pub(crate) use stream::{Source, serve as serve_stream};
