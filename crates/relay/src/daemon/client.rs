//! The client: a cursor in the log, and lines that are not whole yet.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    ops::Range,
    os::unix::net::UnixStream,
    time::Instant,
};

use super::log::{Log, whole_lines};

/// Nothing else waits for a client that reads quickly for longer than this takes.
const AT_ONCE: usize = 16;
/// A longer line is no line.
const LONGEST_LINE: usize = 128 * 1024 * 1024;
/// So many of its own lines may lie before its cursor.
const MOST_ECHOES: usize = 16 * 1024;

/// One client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) number: u64,
    pub(super) socket: UnixStream,
    /// What it has been sent of the log.
    cursor: u64,
    /// What of the log it said itself.
    echoes: VecDeque<Range<u64>>,
    half: Vec<u8>,
    speech: Speech,
    /// Whether it can still be sent something.
    hears: bool,
    /// Where it leaves.
    until: Option<u64>,
    pub(super) took_last: Instant,
}

/// What its words are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speech {
    Heeded,
    /// It closed the child's stdin; what it still says is read, so that the connection can be closed in peace.
    Ignored,
    Ended,
}

/// What a client said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Whole lines.
    pub(super) lines: Vec<u8>,
    pub(super) then: Then,
}

/// What follows its lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Then {
    /// It may say more.
    #[default]
    More,
    /// A NUL: the child's stdin is to be closed.
    Close,
    /// It has left.
    Left,
}

impl Client {
    pub(super) fn new(number: u64, socket: UnixStream, cursor: u64) -> Self {
        let now = Instant::now();
        Self {
            number,
            socket,
            cursor,
            echoes: VecDeque::new(),
            half: Vec::new(),
            speech: Speech::Heeded,
            hears: true,
            until: None,
            took_last: now,
        }
    }

    /// Whether it has not been sent everything that is for it.
    pub(super) fn is_behind(&self, log: &Log) -> bool {
        self.hears && self.cursor < self.until.unwrap_or_else(|| log.end())
    }

    /// Whether nothing can be had from it or brought to it any more.
    pub(super) fn is_gone(&self) -> bool {
        !self.hears && self.speech != Speech::Heeded
    }

    /// Whether something may come from it.
    pub(super) fn is_speaking(&self) -> bool {
        self.speech != Speech::Ended
    }

    /// From now on nothing it says counts.
    pub(super) fn ignore(&mut self) {
        if self.speech == Speech::Heeded {
            self.speech = Speech::Ignored;
        }
        self.half = Vec::new();
    }

    /// The other end is closed; what it said before may still be read.
    pub(super) fn hung_up(&mut self) {
        self.hears = false;
    }

    /// Whether it is heard at all before it has read more.
    pub(super) fn is_swamped(&self) -> bool {
        self.echoes.len() >= MOST_ECHOES
    }

    /// It gets what is there now, and then leaves.
    pub(super) fn leave(&mut self, log: &Log) {
        self.ignore();
        self.until = Some(self.until.unwrap_or_else(|| log.end()));
        self.took_last = Instant::now();
    }

    /// This of the log is its own.
    pub(super) fn echo(&mut self, place: Range<u64>) {
        match self.echoes.back_mut().filter(|last| last.end == place.start) {
            Some(last) => last.end = place.end,
            None => self.echoes.push_back(place),
        }
    }

    /// Sends lines before they are written, to a client that has all that lies before them. What it does not take now it gets from
    /// the log.
    pub(super) fn send_ahead(&mut self, lines: &[u8], begin: u64) {
        if !self.hears || self.until.is_some() || self.cursor != begin || !self.echoes.is_empty() {
            return;
        }
        // Whatever is wrong with the connection is found out when the rest is sent.
        if let Ok(taken) = self.socket.write(lines) {
            self.cursor += taken as u64;
            self.took_last = Instant::now();
        }
    }

    /// Sends what it takes now of what lies between its cursor and the log's end.
    pub(super) fn send(&mut self, log: &Log, chunk: &mut [u8]) {
        if self.hears && self.try_send(log, chunk).is_err() {
            self.hears = false;
        }
    }

    fn try_send(&mut self, log: &Log, chunk: &mut [u8]) -> io::Result<()> {
        for _ in 0..AT_ONCE {
            let next = self.next(self.until.unwrap_or_else(|| log.end()));
            let wanted = usize::try_from(next.end - next.start).unwrap_or(chunk.len()).min(chunk.len());
            if wanted == 0 {
                return Ok(());
            }
            let length = log.read_at(chunk.get_mut(..wanted).unwrap_or_default(), next.start)?;
            if length == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match self.socket.write(chunk.get(..length).unwrap_or_default()) {
                Ok(taken) => {
                    self.cursor = next.start + taken as u64;
                    self.took_last = Instant::now();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// What is to be sent next: up to `end`, its own lines left out.
    fn next(&mut self, end: u64) -> Range<u64> {
        while let Some(own) = self.echoes.front() {
            if own.start > self.cursor {
                return self.cursor..own.start.min(end).max(self.cursor);
            }
            self.cursor = self.cursor.max(own.end);
            self.echoes.pop_front();
        }
        self.cursor..end.max(self.cursor)
    }

    /// Reads what it said.
    pub(super) fn hear(&mut self, chunk: &mut [u8]) -> Said {
        match self.socket.read(chunk) {
            Ok(length @ 1..) if self.speech == Speech::Heeded => {
                self.understand(chunk.get(..length).unwrap_or_default())
            }
            Ok(1..) => Said::default(),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Said::default()
            }
            Ok(0) | Err(_) if self.speech == Speech::Heeded => Said { then: Then::Left, ..Said::default() },
            Ok(0) | Err(_) => {
                self.speech = Speech::Ended;
                Said::default()
            }
        }
    }

    /// Takes what lies in the connection, which would else be closed with an error.
    pub(super) fn close(mut self, chunk: &mut [u8]) {
        for _ in 0..AT_ONCE {
            let Ok(1..) = self.socket.read(chunk) else { return };
        }
    }

    /// Whole lines, and what a NUL ends; the rest waits for its end.
    pub(super) fn understand(&mut self, bytes: &[u8]) -> Said {
        if let Some(nul) = bytes.iter().position(|byte| *byte == 0) {
            let mut lines = std::mem::take(&mut self.half);
            lines.extend_from_slice(bytes.get(..nul).unwrap_or_default());
            if lines.last().is_some_and(|last| *last != b'\n') {
                lines.push(b'\n');
            }
            return Said { lines, then: Then::Close };
        }
        let lines = whole_lines(bytes);
        let rest = bytes.get(lines.len()..).unwrap_or_default();
        let mut said = Said::default();
        if !lines.is_empty() {
            said.lines = std::mem::take(&mut self.half);
            said.lines.extend_from_slice(lines);
        }
        self.half.extend_from_slice(rest);
        if self.half.len() > LONGEST_LINE {
            said.then = Then::Left;
        }
        said
    }
}

#[cfg(test)]
mod tests;
