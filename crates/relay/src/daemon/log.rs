//! `output.jsonl`: the one source of everything a client is sent.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Write},
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
    time::Instant,
};

use super::times::HALF_LINE;
use crate::Place;

/// Longer halves of lines are written as they are; they would only cost memory.
const LONGEST_HALF: usize = 64 * 1024;
/// Lines to be put in between wait for the end of the child's line, but not for ever.
const MOST_BETWEEN: usize = 128 * 1024;

/// The log, and what is on its way there.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// What lies in the file.
    end: u64,
    /// What the disk had no room for.
    waiting: Vec<u8>,
    /// The beginning of the child's next line.
    half: Vec<u8>,
    half_since: Option<Instant>,
    /// Whether the last that was written is the end of a line.
    at_line_end: bool,
    between: VecDeque<Between>,
    echoes: Vec<Echo>,
    trouble: Option<io::Error>,
}

/// A line of somebody else than the child.
#[derive(Debug)]
struct Between {
    line: Vec<u8>,
    /// The client that said it.
    by: Option<u64>,
}

/// Where in the log lies what a client said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Echo {
    pub(super) by: u64,
    pub(super) place: Range<u64>,
}

impl Log {
    /// Goes on where it ends; half a last line, of a relay that was killed, is ended first.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = Place::private().append(true).read(true).open(path)?;
        let end = file.metadata()?.len();
        let mut last = [b'\n'];
        if end > 0 {
            file.read_exact_at(&mut last, end - 1)?;
        }
        let waiting = if last == *b"\n" { Vec::new() } else { b"\n".to_vec() };
        let mut log = Self {
            file,
            end,
            waiting,
            half: Vec::new(),
            half_since: None,
            at_line_end: true,
            between: VecDeque::new(),
            echoes: Vec::new(),
            trouble: None,
        };
        log.retry();
        Ok(log)
    }

    /// Where the next byte will lie.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Where it will end when there is room for what waits. A client may have heard up to there.
    pub(super) fn end_at_last(&self) -> u64 {
        self.end + self.waiting.len() as u64
    }

    /// Where a whole line will lie that comes now; nowhere yet, if something comes before it.
    pub(super) fn next_line(&self) -> Option<u64> {
        let is_free = !self.is_full() && self.half.is_empty() && self.at_line_end && self.between.is_empty();
        is_free.then_some(self.end)
    }

    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }

    /// Whether nothing may be read before there is room again.
    pub(super) fn is_full(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether no more lines may be put in between now.
    pub(super) fn is_crowded(&self) -> bool {
        self.is_full() || self.between_bytes() > MOST_BETWEEN
    }

    /// When half a line has waited long enough.
    pub(super) fn due(&self) -> Option<Instant> {
        self.half_since.map(|since| since + HALF_LINE)
    }

    /// Takes what the child said. Its whole lines are written, the rest waits for more.
    pub(super) fn take(&mut self, bytes: &[u8], now: Instant) {
        let lines = whole_lines(bytes);
        let rest = bytes.get(lines.len()..).unwrap_or_default();
        if !lines.is_empty() {
            self.write_half();
            self.write(lines);
        }
        self.half.extend_from_slice(rest);
        if self.half.len() > LONGEST_HALF {
            self.write_half();
        }
        self.half_since = if self.half.is_empty() { None } else { self.half_since.or(Some(now)) };
        self.put_between();
    }

    /// Puts a line in between those of the child, as soon as one of those has ended.
    pub(super) fn put(&mut self, line: Vec<u8>, by: Option<u64>) {
        self.between.push_back(Between { line, by });
        self.put_between();
    }

    /// Half a line is not waited for any longer.
    pub(super) fn release(&mut self) {
        self.write_half();
        self.put_between();
    }

    /// The child says nothing more.
    pub(super) fn close(&mut self) {
        self.write_half();
        self.at_line_end = true;
        self.put_between();
    }

    /// Tries again to write what there was no room for.
    pub(super) fn retry(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.append(&waiting);
    }

    /// Where lines of clients have been put since the last time.
    pub(super) fn echoes(&mut self) -> Vec<Echo> {
        std::mem::take(&mut self.echoes)
    }

    /// Why something could not be written, since the last time.
    pub(super) fn trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    fn between_bytes(&self) -> usize {
        self.between.iter().map(|between| between.line.len()).sum()
    }

    fn write_half(&mut self) {
        let half = std::mem::take(&mut self.half);
        self.half_since = None;
        self.write(&half);
    }

    fn put_between(&mut self) {
        while self.at_line_end || self.between_bytes() > MOST_BETWEEN {
            let Some(Between { line, by }) = self.between.pop_front() else { break };
            let begin = self.end + self.waiting.len() as u64;
            self.write(&line);
            self.echoes.extend(by.map(|by| Echo { by, place: begin..begin + line.len() as u64 }));
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.at_line_end = *last == b'\n';
        if self.is_full() {
            self.waiting.extend_from_slice(bytes);
        } else {
            self.append(bytes);
        }
    }

    /// Writes as much as there is room for; the rest waits.
    fn append(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.file.write(bytes) {
                Ok(written @ 1..) => {
                    self.end += written as u64;
                    bytes = bytes.get(written..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => {
                    self.waiting.extend_from_slice(bytes);
                    self.trouble = Some(other.err().unwrap_or_else(|| io::ErrorKind::WriteZero.into()));
                    return;
                }
            }
        }
    }
}

/// Up to the end of the last line in it.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    bytes.get(..whole).unwrap_or_default()
}

#[cfg(test)]
mod tests;
