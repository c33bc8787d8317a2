//! The file behind the inbox: segments without names, written at one end and read at the other.

use std::{collections::VecDeque, fs::File, io, os::unix::fs::FileExt, sync::Arc};

use bytes::Bytes;

use super::{InboxLimits, record};
use crate::line::Line;

/// A segment that has grown this far gets a successor, so that read ones give their space back.
const SEGMENT_BYTES: u64 = 32 * 1024 * 1024;
/// How much is read back at once.
const READ_BYTES: usize = 256 * 1024;

/// What has been written and read. It does no I/O itself, so that it can stand behind a lock.
#[derive(Debug, Default)]
pub(super) struct Spill {
    segments: VecDeque<Segment>,
}

#[derive(Debug, Clone)]
struct Segment {
    file: Arc<File>,
    written: u64,
    read: u64,
}

/// Where to append next.
pub(super) struct Appender {
    file: Arc<File>,
    at: u64,
}

/// What to read next.
#[derive(Debug)]
pub(super) struct Unread {
    file: Arc<File>,
    from: u64,
    to: u64,
}

/// Lines read back, and how many bytes they were.
pub(super) struct Block {
    pub(super) lines: Vec<Line>,
    pub(super) bytes: u64,
}

impl Spill {
    /// The oldest unread part, if there is one.
    pub(super) fn unread(&self) -> Option<Unread> {
        let segment = self.segments.iter().find(|segment| segment.read < segment.written)?;
        Some(Unread { file: Arc::clone(&segment.file), from: segment.read, to: segment.written })
    }

    /// The segment to append to; a new one when the last is full. Making one is a system call that does not wait.
    pub(super) fn segment(&mut self, limits: &InboxLimits) -> io::Result<Appender> {
        let unread: u64 = self.segments.iter().map(|segment| segment.written - segment.read).sum();
        if unread > limits.file {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if self.segments.back().is_none_or(|last| last.written >= SEGMENT_BYTES) {
            let file = Arc::new(tempfile::tempfile_in(&limits.directory)?);
            self.segments.push_back(Segment { file, written: 0, read: 0 });
        }
        let last = self.segments.back().ok_or(io::ErrorKind::NotFound)?;
        Ok(Appender { file: Arc::clone(&last.file), at: last.written })
    }

    /// The last append is complete.
    pub(super) fn mark_written(&mut self, bytes: u64) {
        if let Some(last) = self.segments.back_mut() {
            last.written += bytes;
        }
    }

    /// The oldest unread part has been read thus far. A segment read to its end is dropped, and its space with it.
    pub(super) fn mark_read(&mut self, bytes: u64) {
        if let Some(segment) = self.segments.iter_mut().find(|segment| segment.read < segment.written) {
            segment.read += bytes;
        }
        let last = self.segments.len().saturating_sub(1);
        let mut place = 0;
        self.segments.retain(|segment| {
            // The last one may be being written to; it goes when a successor stands.
            let keep = place == last || segment.read < segment.written;
            place += 1;
            keep
        });
    }
}

impl Appender {
    /// Appends the lines; on failure nothing counts as written.
    pub(super) fn append(&mut self, lines: &[Line]) -> io::Result<u64> {
        let size = lines.iter().map(|line| record::HEAD + line.bytes().len()).sum();
        let mut bytes = Vec::with_capacity(size);
        for line in lines {
            record::encode(line, &mut bytes);
        }
        self.file.write_all_at(&bytes, self.at)?;
        Ok(bytes.len() as u64)
    }
}

impl Unread {
    /// Reads the next lines: as many as fit one read, and at least one.
    pub(super) fn read(self) -> io::Result<Block> {
        let mut wanted = READ_BYTES;
        loop {
            let available = usize::try_from(self.to - self.from).unwrap_or(usize::MAX);
            let mut bytes = vec![0; wanted.min(available)];
            self.file.read_exact_at(&mut bytes, self.from)?;
            let mut rest = Bytes::from(bytes);
            let whole = rest.len();
            let mut lines = Vec::new();
            let needed = loop {
                match record::decode(&mut rest) {
                    Ok(line) => lines.push(line),
                    Err(needed) => break needed,
                }
            };
            if lines.is_empty() && needed > whole && needed <= available {
                wanted = needed;
                continue;
            }
            return Ok(Block { lines, bytes: (whole - rest.len()) as u64 });
        }
    }
}
