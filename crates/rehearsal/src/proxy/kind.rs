//! What can happen to a frame, in which direction, and when.

use std::time::Duration;

/// Which way a frame goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// What Codex says.
    FromCodex,
    /// What is said to it.
    ToCodex,
}

/// What happens to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It never arrives.
    Drop,
    /// It arrives twice.
    Duplicate,
    /// It arrives damaged: no longer JSON, but still one line.
    Corrupt,
    /// Half of it arrives, and the next frame on the same line.
    Cut,
    /// A line that is not JSON comes before it.
    Garbage,
    /// It, and with it all that follows in its direction, arrives so much later.
    Delay(Duration),
    /// Nothing passes in either direction for so long.
    Stall(Duration),
    /// Somebody is killed with SIGKILL instead of passing it.
    Kill(Whom),
    /// The same, after half of it has passed.
    KillAfterHalf(Whom),
}

/// Who is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom {
    /// The child and the proxy.
    Both,
    /// The child only; the proxy ends as it ended.
    Child,
}

/// When a rule strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Every frame it is for, with this chance in a million.
    Chance(u32),
    /// The n-th frame it is for, from 1.
    Nth(u64),
}
