//! A reader of one session's events over a bare socket.

use std::io;

use memchr::{memchr, memmem};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
};

use crate::{Failure, chunks::Chunks, server::Place, shown};

/// What is read at once: little for who hears little, much in a flood.
const FEW: usize = 4 << 10;
const MANY: usize = 256 << 10;

/// Somebody who follows a session.
pub(crate) struct Reader {
    stream: TcpStream,
    chunks: Chunks,
    raw: Vec<u8>,
    /// Events that have come, the last one perhaps in part.
    text: Vec<u8>,
    /// The last event that was seen.
    pub(crate) seq: u64,
    /// Whether each came once, and after the one before it.
    pub(crate) dense: bool,
}

impl Reader {
    /// Follows a session's events after a number.
    pub(crate) async fn open(place: &Place, session: &str, after: u64) -> Result<Self, Failure> {
        Self::with(TcpSocket::new_v4()?, place, session, after).await
    }

    /// The same, with little room for what is not read: who stands still is soon written to in vain.
    pub(crate) async fn narrow(place: &Place, session: &str, after: u64) -> Result<Self, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(16 << 10)?;
        Self::with(socket, place, session, after).await
    }

    async fn with(socket: TcpSocket, place: &Place, session: &str, after: u64) -> Result<Self, Failure> {
        let headers = &place.headers;
        let request = format!(
            "GET /v1/sessions/{session}/events HTTP/1.1\r\n{headers}accept: text/event-stream\r\nlast-event-id: {after}\r\n\r\n"
        );
        Self::asking(socket, place, &request, after).await
    }

    /// Reads the stream that a post is answered with.
    pub(crate) async fn post(place: &Place, path: &str, body: &str) -> Result<Self, Failure> {
        let (headers, length) = (&place.headers, body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\n{headers}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        Self::asking(TcpSocket::new_v4()?, place, &request, 0).await
    }

    async fn asking(socket: TcpSocket, place: &Place, request: &str, after: u64) -> Result<Self, Failure> {
        let mut stream = socket.connect(place.address).await?;
        stream.write_all(request.as_bytes()).await?;
        let raw = Vec::with_capacity(FEW);
        let mut reader =
            Self { stream, chunks: Chunks::default(), raw, text: Vec::new(), seq: after, dense: true };
        reader.head().await?;
        Ok(reader)
    }

    /// Reads up to the body; what comes with it of the body is kept.
    async fn head(&mut self) -> Result<(), Failure> {
        let end = loop {
            if let Some(end) = memmem::find(&self.raw, b"\r\n\r\n") {
                break end + 4;
            }
            self.read().await?;
        };
        if !self.raw.starts_with(b"HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(&self.raw).into_owned().into());
        }
        let body = self.raw.split_off(end);
        self.raw = Vec::with_capacity(FEW);
        self.unpack(&body)
    }

    /// Waits until something has come, and says when that was.
    pub(crate) async fn more(&mut self) -> Result<u64, Failure> {
        self.raw.clear();
        self.read().await?;
        let now = shown::now();
        let raw = std::mem::take(&mut self.raw);
        self.unpack(&raw)?;
        self.raw = raw;
        if self.raw.len() == self.raw.capacity() && self.raw.len() < MANY {
            self.raw.reserve(self.raw.len() * 2);
        }
        Ok(now)
    }

    async fn read(&mut self) -> io::Result<()> {
        if self.stream.read_buf(&mut self.raw).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the stream of events has ended"));
        }
        Ok(())
    }

    fn unpack(&mut self, raw: &[u8]) -> Result<(), Failure> {
        if self.chunks.take(raw, &mut self.text) { Ok(()) } else { Err("that is no chunk".into()) }
    }

    /// Calls with the number of each delta in the events that have come whole, and forgets those.
    pub(crate) fn numbers(&mut self, mut each: impl FnMut(u64)) -> Result<(), Failure> {
        let (mut seq, mut dense) = (self.seq, self.dense);
        self.frames(|id, data| {
            dense &= id == seq + 1;
            seq = id;
            Ok(shown::numbers(data, &mut each)?)
        })?;
        (self.seq, self.dense) = (seq, dense);
        Ok(())
    }

    /// Calls with each event that has come whole, and forgets it.
    pub(crate) fn frames(
        &mut self,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut from = 0;
        while let Some(length) = memmem::find(&self.text[from..], b"\n\n") {
            let event = Frame::of(&self.text[from..from + length]);
            from += length + 2;
            if let (Some(id), Some(data)) = (event.id, event.data) {
                each(id, data)?;
            }
        }
        self.text.drain(..from);
        Ok(())
    }
}

/// What of an event is looked at.
#[derive(Default)]
struct Frame<'a> {
    id: Option<u64>,
    data: Option<&'a [u8]>,
}

impl<'a> Frame<'a> {
    fn of(mut lines: &'a [u8]) -> Self {
        let mut frame = Self::default();
        while !lines.is_empty() {
            let end = memchr(b'\n', lines).unwrap_or(lines.len());
            let line = &lines[..end];
            if let Some(id) = line.strip_prefix(b"id: ") {
                frame.id = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok());
            } else if let Some(data) = line.strip_prefix(b"data: ") {
                frame.data = Some(data);
            }
            lines = lines.get(end + 1..).unwrap_or_default();
        }
        frame
    }
}
