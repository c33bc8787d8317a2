//! A proxy in front of any app-server, on stdin and stdout, that does to the conversation what pipes and dying processes do.
//!
//! What it does is decided by a seed and by the number of the frame in its direction, never by time, so a run can be
//! had again. Without faults it cannot be told from the program behind it: bytes, end of input, signals and exit code
//! pass through.

mod dice;
mod frame;
mod future;
mod kind;
mod log;
mod pump;
mod rule;
mod run;
mod spec;

pub use kind::{Direction, Fault, When, Whom};
pub use rule::Rule;
pub use run::{Options, run};
pub use spec::ProxyFaults;
