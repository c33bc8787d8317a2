//! Both directions of a conversation, heard line by line on their way.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Everything that was said, oldest first. It holds what a test said, so it needs no bound.
#[derive(Clone, Default)]
pub(super) struct Heard {
    lines: Arc<Mutex<Vec<Line>>>,
}

/// One line.
#[derive(Clone)]
pub(super) struct Line {
    /// Of which conversation.
    pub(super) conversation: usize,
    /// By the client; else by the stand-in.
    pub(super) sent: bool,
    pub(super) message: Value,
}

impl Heard {
    /// All of it so far.
    pub(super) fn lines(&self) -> Vec<Line> {
        self.lock().clone()
    }

    /// Hears one direction of a conversation.
    pub(super) fn listen<S>(&self, stream: S, conversation: usize, sent: bool) -> Ear<S> {
        Ear { stream, heard: self.clone(), conversation, sent, rest: Vec::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that is heard.
pub(super) struct Ear<S> {
    stream: S,
    heard: Heard,
    conversation: usize,
    sent: bool,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl<S> Ear<S> {
    fn hear(&mut self, bytes: &[u8]) {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        self.rest.extend_from_slice(parts.next().unwrap_or_default());
        for part in parts {
            let line = std::mem::replace(&mut self.rest, part.to_vec());
            // What is no message was asked for as a fault, and says nothing.
            if let Ok(message) = serde_json::from_slice(&line) {
                let (conversation, sent) = (self.conversation, self.sent);
                self.heard.lock().push(Line { conversation, sent, message });
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Ear<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.hear(&buffer.filled()[before..]);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Ear<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = written {
            self.hear(&bytes[..count]);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
