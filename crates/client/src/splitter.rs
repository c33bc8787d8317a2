//! Cuts a stream of bytes into lines, without copying them and without trusting their length.

use bytes::{Bytes, BytesMut};
use memchr::{memchr, memchr_iter, memrchr};
use selvedge_protocol::frame::Malformed;

use crate::line::Line;

/// How much room a read is offered. One pipe of Linux holds as much.
const CHUNK: usize = 64 * 1024;
/// What is kept of a line that is too long: enough to see what it was.
const HEAD: usize = 1024;

/// The part of the stream that has been read but not cut yet.
#[derive(Debug)]
pub(crate) struct Splitter {
    buffer: BytesMut,
    /// Bytes of `buffer` known to hold no line end, so that a long line is searched once.
    searched: usize,
    /// Where `buffer` begins in the stream.
    offset: u64,
    limit: usize,
    overlong: Option<Overlong>,
}

/// A line past the limit, whose rest is being skipped.
#[derive(Debug)]
struct Overlong {
    offset: u64,
    head: Bytes,
    bytes: u64,
}

impl Splitter {
    pub(crate) fn new(offset: u64, limit: usize) -> Self {
        Self { buffer: BytesMut::new(), searched: 0, offset, limit, overlong: None }
    }

    /// Room for the next read.
    pub(crate) fn space(&mut self) -> &mut BytesMut {
        self.buffer.reserve(CHUNK);
        &mut self.buffer
    }

    /// Cuts what has been read; an unfinished line stays.
    pub(crate) fn cut(&mut self, lines: &mut Vec<Line>) {
        self.finish_overlong(lines);
        if let Some(last) = memrchr(b'\n', &self.buffer[self.searched..]) {
            let block = self.buffer.split_to(self.searched + last + 1).freeze();
            self.searched = 0;
            self.cut_block(&block, lines);
        }
        if self.overlong.is_none() {
            self.searched = self.buffer.len();
            if self.searched > self.limit {
                self.begin_overlong();
            }
        }
    }

    /// The end of the stream: half a line is a line of its own kind.
    pub(crate) fn finish(mut self) -> Option<Line> {
        if let Some(overlong) = self.overlong.take() {
            let bytes = overlong.bytes + self.buffer.len() as u64;
            return Some(Line::flawed(overlong.offset, overlong.head, Malformed::TooLong { bytes }));
        }
        let rest = self.buffer.freeze();
        (!rest.is_empty()).then(|| Line::flawed(self.offset, rest, Malformed::Cut))
    }

    /// Cuts a block that ends with a line end.
    fn cut_block(&mut self, block: &Bytes, lines: &mut Vec<Line>) {
        let mut start = 0;
        for end in memchr_iter(b'\n', block) {
            let offset = self.offset + start as u64;
            lines.push(self.line(offset, block.slice(start..end)));
            start = end + 1;
        }
        self.offset += block.len() as u64;
    }

    fn line(&self, offset: u64, raw: Bytes) -> Line {
        if raw.len() <= self.limit {
            return Line::whole(offset, raw);
        }
        let bytes = raw.len() as u64;
        Line::flawed(offset, head_of(&raw), Malformed::TooLong { bytes })
    }

    fn begin_overlong(&mut self) {
        let bytes = self.buffer.len() as u64;
        self.overlong = Some(Overlong { offset: self.offset, head: head_of(&self.buffer), bytes });
        self.offset += bytes;
        self.forget_buffer();
    }

    /// Skips to the end of an overlong line, if there is one and its end has come.
    fn finish_overlong(&mut self, lines: &mut Vec<Line>) {
        let Some(overlong) = &mut self.overlong else { return };
        let Some(end) = memchr(b'\n', &self.buffer) else {
            let skipped = self.buffer.len() as u64;
            overlong.bytes += skipped;
            self.offset += skipped;
            return self.forget_buffer();
        };
        let bytes = overlong.bytes + end as u64;
        lines.push(Line::flawed(overlong.offset, overlong.head.clone(), Malformed::TooLong { bytes }));
        self.overlong = None;
        self.offset += end as u64 + 1;
        let _skipped = self.buffer.split_to(end + 1);
        self.searched = 0;
    }

    /// A new buffer, because the old one has grown to the limit.
    fn forget_buffer(&mut self) {
        self.buffer = BytesMut::new();
        self.searched = 0;
    }
}

/// Copied, so that the head does not keep a line of many megabytes alive.
fn head_of(raw: &[u8]) -> Bytes {
    Bytes::copy_from_slice(&raw[..raw.len().min(HEAD)])
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::frame::Frame;

    use super::*;

    /// Feeds `pieces` one read at a time and describes what comes out.
    fn split(limit: usize, pieces: &[&[u8]]) -> Vec<String> {
        let mut splitter = Splitter::new(100, limit);
        let mut lines = Vec::new();
        for piece in pieces {
            splitter.space().extend_from_slice(piece);
            splitter.cut(&mut lines);
        }
        lines.extend(splitter.finish());
        lines.iter().map(describe).collect()
    }

    fn describe(line: &Line) -> String {
        let text = String::from_utf8_lossy(line.bytes());
        match line.frame() {
            Frame::Malformed(flaw) if line.flaw().is_some() => format!("{} {text} ({flaw})", line.offset),
            _ => format!("{} {text}", line.offset),
        }
    }

    #[test]
    fn lines_keep_their_text_and_place_however_they_arrive() {
        let whole = split(64, &[b"one\ntwo\n\nthree\n"]);
        assert_eq!(whole, ["100 one", "104 two", "108 ", "109 three"]);
        let bytes: Vec<&[u8]> = b"one\ntwo\n\nthree\n".chunks(1).collect();
        assert_eq!(split(64, &bytes), whole);
    }

    #[test]
    fn an_overlong_line_becomes_a_value_and_the_next_one_is_whole() {
        let expected = ["100 a", "102 bbbbbbbbbb (a line of 10 bytes, longer than the limit)", "113 c"];
        assert_eq!(split(4, &[b"a\nbbbbbbbbbb\nc\n"]), expected, "in one read");
        assert_eq!(split(4, &[b"a\nbbbbb", b"bbb", b"bb\nc\n"])[2], expected[2], "in several");
        let bytes: Vec<&[u8]> = b"a\nbbbbbbbbbb\nc\n".chunks(1).collect();
        assert_eq!(split(4, &bytes)[1], "102 bbbbb (a line of 10 bytes, longer than the limit)");
        assert_eq!(split(4, &bytes)[2], expected[2]);
    }

    #[test]
    fn half_a_line_at_the_end_is_kept() {
        assert_eq!(split(64, &[b"one\ntw"]), ["100 one", "104 tw (cut by the end of the stream)"]);
        assert_eq!(split(2, &[b"one"]), ["100 one (a line of 3 bytes, longer than the limit)"]);
    }
}
