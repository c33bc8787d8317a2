//! Between the wire and the disk: bounded, and whoever hands something in never waits.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    time::Duration,
};

use crate::entry::Direction;

/// So many lines may wait for the disk,
const LINES: usize = 65_536;
/// with so many bytes. One line that is longer is taken alone.
const BYTES: usize = 64 << 20;

/// What the writer is told.
pub(crate) enum Told {
    /// A line of the conversation.
    Line(Said),
    /// Codex has introduced itself, perhaps with a version.
    Introduced(Option<String>),
    /// It did not, and that is of interest.
    Unintroduced,
}

/// A line of the conversation.
pub(crate) struct Said {
    pub(crate) at: Duration,
    pub(crate) direction: Direction,
    pub(crate) bytes: Box<[u8]>,
    /// So many before it found no room.
    pub(crate) missing: u64,
}

/// Where lines are handed in.
#[derive(Debug, Clone)]
pub(crate) struct Entrance {
    to: SyncSender<Told>,
    load: Arc<Load>,
}

/// Where they come out.
pub(crate) struct Exit {
    from: Receiver<Told>,
    load: Arc<Load>,
}

#[derive(Debug, Default)]
struct Load {
    bytes: AtomicUsize,
    missing: AtomicU64,
}

pub(crate) fn queue() -> (Entrance, Exit) {
    let (to, from) = mpsc::sync_channel(LINES);
    let load = Arc::new(Load::default());
    (Entrance { to, load: Arc::clone(&load) }, Exit { from, load })
}

impl Entrance {
    /// Hands in a line, or counts it if there is no room.
    pub(crate) fn line(&self, at: Duration, direction: Direction, line: &[u8]) {
        let waiting = self.load.bytes.fetch_add(line.len(), Ordering::AcqRel);
        let missing = self.load.missing.swap(0, Ordering::AcqRel);
        let fits = waiting == 0 || waiting.saturating_add(line.len()) <= BYTES;
        let said = || Told::Line(Said { at, direction, bytes: line.into(), missing });
        if !fits || self.to.try_send(said()).is_err() {
            self.load.bytes.fetch_sub(line.len(), Ordering::AcqRel);
            self.load.missing.fetch_add(missing + 1, Ordering::AcqRel);
        }
    }

    /// Says something beside the lines. What does not fit is left out: the version is then not known.
    pub(crate) fn tell(&self, told: Told) {
        let _full = self.to.try_send(told);
    }
}

impl Exit {
    /// What comes next, if it comes in time.
    pub(crate) fn next(&self, within: Duration) -> Result<Told, RecvTimeoutError> {
        let told = self.from.recv_timeout(within)?;
        if let Told::Line(said) = &told {
            self.load.bytes.fetch_sub(said.bytes.len(), Ordering::AcqRel);
        }
        Ok(told)
    }

    /// What found no room since the last line that did.
    pub(crate) fn missing(&self) -> u64 {
        self.load.missing.swap(0, Ordering::AcqRel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(told: Told) -> (usize, u64) {
        match told {
            Told::Line(said) => (said.bytes.len(), said.missing),
            _ => panic!("a line was expected"),
        }
    }

    #[test]
    fn what_finds_no_room_is_counted_where_it_is_missing() {
        let (entrance, exit) = queue();
        let say = |bytes: usize| entrance.line(Duration::ZERO, Direction::Received, &vec![b'x'; bytes]);
        say(BYTES + 1);
        say(1);
        say(2);
        assert_eq!(
            bytes_of(exit.next(Duration::ZERO).unwrap()),
            (BYTES + 1, 0),
            "one long line is taken alone"
        );
        say(3);
        assert_eq!(bytes_of(exit.next(Duration::ZERO).unwrap()), (3, 2));
        for _ in 0..=LINES {
            say(0);
        }
        for _ in 0..LINES {
            exit.next(Duration::ZERO).unwrap();
        }
        assert_eq!(exit.missing(), 1);
    }
}
