//! The app-server as a child process: found, started with a marker, owned, and ended by a ladder.

mod launch;
mod locate;
mod own;
mod owner;
pub mod sweep;

pub use launch::{AppServer, Launch, LaunchError};
pub use locate::{LocateError, find_codex, native_binary};
pub use own::own_program;
pub use owner::{Ladder, Process};

/// The environment variable that marks an app-server and everything it starts.
pub const MARKER: &str = "SELVEDGE_PROCESS";
