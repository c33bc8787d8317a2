//! Codex's stderr: always drained, its end kept, its colours removed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much of it is kept.
const TAIL_BYTES: usize = 8 * 1024;
const ESCAPE: u8 = 0x1b;

/// The last of what was written to stderr. Cheap to clone; all clones see the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct StderrTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
}

impl StderrTail {
    /// Reads to the end. An undrained pipe would block Codex after 64 KiB.
    pub(crate) async fn drain(self, mut stderr: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
            self.keep(&buffer[..read]);
        }
    }

    /// What was kept, as text without colours, from its first whole line on.
    pub(crate) fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let full = kept.len() == TAIL_BYTES;
        let bytes: Vec<u8> = kept.iter().copied().collect();
        drop(kept);
        let text = strip_ansi(&bytes);
        let first_whole = if full { text.find('\n').map_or(0, |end| end + 1) } else { 0 };
        text[first_whole..].trim_end().to_owned()
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
        let excess = kept.len().saturating_sub(TAIL_BYTES);
        kept.drain(..excess);
    }
}

/// Removes terminal control sequences: `ESC [ … letter`, `ESC ] … BEL`, and two-byte ones.
pub(crate) fn strip_ansi(bytes: &[u8]) -> String {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != ESCAPE {
            plain.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'[') => _ = rest.find(|byte| (0x40..=0x7e).contains(byte)),
            Some(b']') => _ = rest.find(|byte| *byte == 0x07),
            _ => {}
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_tail_is_kept_without_colours_and_from_a_whole_line_on() {
        let tail = StderrTail::default();
        let mut written = "x".repeat(50_000);
        written.push_str("\n\u{1b}[31mERROR\u{1b}[0m it broke\u{1b}]0;title\u{7}\n");
        tail.clone().drain(written.as_bytes()).await;
        assert_eq!(tail.text(), "ERROR it broke");
    }

    #[tokio::test]
    async fn what_is_not_utf8_is_still_shown() {
        let tail = StderrTail::default();
        tail.clone().drain(&b"a\xffb\n"[..]).await;
        assert_eq!(tail.text(), "a\u{fffd}b");
    }
}
