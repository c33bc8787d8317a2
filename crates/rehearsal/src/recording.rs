//! A recording speaks in Codex's place: what was said is said again, where it was said, as soon as the client has done what
//! it did then.
//!
//! [`Script`] is a recording as it is played: what Codex said and what its client did, in order. The player says the first
//! and waits for the second. It never claims to be Codex: it is started by name, and whoever starts it says so.

mod answers;
mod cue;
mod deed;
mod pace;
mod player;
mod run;
mod script;
mod serve;
mod stand;

pub use cue::Cue;
pub use deed::{Answered, Deed, Done};
pub use pace::Pace;
pub use run::{Options, run};
pub use script::{Script, Step};
pub use serve::serve;

pub use selvedge_recording::{ReadError, Recording};
