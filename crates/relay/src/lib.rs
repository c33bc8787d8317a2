//! The relay: holds one child, so that it outlives whoever watches it.
//!
//! A daemon owns the child, keeps what it says in a log, and hands it to one client at a time over a Unix socket, in
//! the protocol of caic's relay. It knows bytes, sockets and that child; `docs/design/06-relay.md` says why.
//!
//! [`look`] is how git is looked at, which a relay does when it counts changes, and the runtime for what it shows.

mod attach;
pub mod daemon;
mod ended;
mod error;
pub mod look;
mod place;
mod start;
mod stop;

pub use attach::{Parted, attach};
pub use ended::Ended;
pub use error::Error;
pub use place::{Place, Standing};
pub use start::{Launch, Options, start};
pub use stop::{kill, stop};
