//! Server-sent events, read as the standard says: from chunks that may be cut anywhere.

use bytes::Bytes;
use memchr::memchr2;

/// A line or an event that is longer is no event of ours.
const LONGEST: usize = 256 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// The last `id` that was said; empty if there was none.
    pub(super) id: String,
    /// The lines of `data`, joined.
    pub(super) data: Bytes,
}

/// Reads frames from chunks.
#[derive(Debug, Default)]
pub(super) struct Parser {
    /// A line that has not ended.
    line: Vec<u8>,
    /// What came last ended a line with `\r`: a `\n` now belongs to it.
    after_return: bool,
    begun: bool,
    id: String,
    data: Option<Vec<u8>>,
}

impl Parser {
    /// The events that end in this chunk. An event that is too long is an error, and the end.
    pub(super) fn feed(&mut self, mut chunk: &[u8]) -> Result<Vec<Frame>, String> {
        let mut frames = Vec::new();
        while !chunk.is_empty() {
            if std::mem::take(&mut self.after_return) && chunk[0] == b'\n' {
                chunk = &chunk[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', chunk) else {
                self.line.extend_from_slice(chunk);
                break;
            };
            self.line.extend_from_slice(&chunk[..end]);
            self.after_return = chunk[end] == b'\r';
            chunk = &chunk[end + 1..];
            let line = std::mem::take(&mut self.line);
            frames.extend(self.ended(&line));
        }
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if held > LONGEST { Err("an event is longer than it may be".to_owned()) } else { Ok(frames) }
    }

    /// A whole line; an empty one ends the event.
    fn ended(&mut self, line: &[u8]) -> Option<Frame> {
        let first = !std::mem::replace(&mut self.begun, true);
        let line = line.strip_prefix("\u{feff}".as_bytes()).filter(|_| first).unwrap_or(line);
        if line.is_empty() {
            let data = self.data.take()?;
            return Some(Frame { id: self.id.clone(), data: data.into() });
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let (field, value) = (&line[..colon], line.get(colon + 1..).unwrap_or_default());
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.data(value),
            b"id" if !value.contains(&0) => self.id = String::from_utf8_lossy(value).into_owned(),
            // Comments (an empty field), `event`, `retry` and what is not known.
            _ => {}
        }
        None
    }

    fn data(&mut self, value: &[u8]) {
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut parser = Parser::default();
        let frames = chunks.iter().flat_map(|chunk| parser.feed(chunk).unwrap());
        frames.map(|frame| (frame.id, String::from_utf8(frame.data.to_vec()).unwrap())).collect()
    }

    #[test]
    fn each_form_that_the_standard_allows_is_read() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            ("id: 1\nevent: x\ndata: {}\n\n", &[("1", "{}")]),
            ("id:1\r\ndata:{}\r\n\r\n", &[("1", "{}")]),
            ("id: 1\rdata: {}\r\r", &[("1", "{}")]),
            ("\u{feff}data: a\n\n", &[("", "a")]),
            (": still here\n\n:\n\nretry: 1000\n\ndata: a\n\n", &[("", "a")]),
            ("data: a\ndata: b\ndata\n\n", &[("", "a\nb\n")]),
            ("data:  two spaces\n\n", &[("", " two spaces")]),
            ("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", &[("1", "a"), ("1", "b"), ("", "c")]),
            ("id: 7\n\ndata: after an id alone\n\n", &[("7", "after an id alone")]),
            ("id: 1\0\nunknown: x\ndata: a\n\n", &[("", "a")]),
            ("data: not ended\n", &[]),
            ("data: \u{1f9f5} é\n\n", &[("", "\u{1f9f5} é")]),
        ];
        for (text, frames) in cases {
            let frames: Vec<_> = frames.iter().map(|(id, data)| ((*id).into(), (*data).into())).collect();
            assert_eq!(read(&[text.as_bytes()]), frames, "{text:?}");
        }
    }

    #[test]
    fn it_does_not_matter_where_chunks_are_cut() {
        let text = "id: 1\r\ndata: {\"é\":1}\r\n\r\n:\n\nid: 2\ndata: x\ndata: y\n\n".as_bytes();
        let whole = read(&[text]);
        assert_eq!(whole.len(), 2);
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let cut = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(read(&cut), whole, "cut at {first} and {second}");
            }
        }
    }
}
