//! What can be read or written now.

use std::{os::fd::BorrowedFd, time::Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Wake,
    Listener,
    Stdout,
    Stderr,
    Stdin,
    Client,
    Guest,
    Leaver(usize),
}

/// Somebody, and what is waited for.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) who: Who,
    pub(super) whom: BorrowedFd<'a>,
    pub(super) what: PollFlags,
}

/// Waits until somebody is ready, or until a moment has come.
pub(super) fn wait(asked: &[Asked<'_>], until: Option<Instant>) -> Vec<(Who, PollFlags)> {
    let mut ends: Vec<PollFd<'_>> =
        asked.iter().map(|one| PollFd::from_borrowed_fd(one.whom, one.what)).collect();
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let left = left.and_then(|left| Timespec::try_from(left).ok());
    // An interruption or a moment without memory: the caller comes back anyway.
    let Ok(1..) = poll(&mut ends, left.as_ref()) else { return Vec::new() };
    let ready = asked.iter().zip(&ends).filter(|(_, end)| !end.revents().is_empty());
    ready.map(|(one, end)| (one.who, end.revents())).collect()
}
