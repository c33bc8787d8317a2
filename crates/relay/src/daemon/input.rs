//! What goes to the child: whole lines, and the end.

use std::{
    io::{self, Write},
    process::ChildStdin,
};

/// As long as so much waits for the child, no client is read.
const ENOUGH: usize = 64 * 1024;

/// The child's stdin, and what it has not taken yet.
#[derive(Debug)]
pub(super) struct Input {
    stdin: Option<ChildStdin>,
    waiting: Vec<u8>,
    /// How much of `waiting` has been taken.
    taken: usize,
    closing: bool,
}

impl Input {
    /// The stdin must not block: a child that does not read is no reason not to listen to it.
    pub(super) fn new(stdin: ChildStdin) -> Self {
        Self { stdin: Some(stdin), waiting: Vec::new(), taken: 0, closing: false }
    }

    /// Whether nothing more will reach the child.
    pub(super) fn is_closed(&self) -> bool {
        self.stdin.is_none() || self.closing
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() - self.taken > ENOUGH
    }

    /// The stdin, if something waits for it.
    pub(super) fn wanted(&self) -> Option<&ChildStdin> {
        self.stdin.as_ref().filter(|_| self.taken < self.waiting.len())
    }

    /// Gives it whole lines, in order.
    pub(super) fn give(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.is_closed() {
            return Ok(());
        }
        self.waiting.extend_from_slice(lines);
        self.flush()
    }

    /// Ends it, after what still waits.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.closing = true;
        self.flush()
    }

    /// Writes what the child takes now. An error means that it takes nothing any more.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        while let Some(rest) = self.waiting.get(self.taken..).filter(|rest| !rest.is_empty()) {
            match stdin.write(rest) {
                Ok(written) => self.taken += written,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => {
                    self.forget();
                    self.stdin = None;
                    return Err(error);
                }
            }
        }
        self.forget();
        if self.closing {
            self.stdin = None;
        }
        Ok(())
    }

    /// A line of many megabytes leaves no memory behind.
    fn forget(&mut self) {
        self.taken = 0;
        self.waiting.clear();
        self.waiting.shrink_to(ENOUGH);
    }
}
