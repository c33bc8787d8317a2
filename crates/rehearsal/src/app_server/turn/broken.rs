//! What no app-server should do: end without a word, say what is not JSON, or half a line, or too much at once.

use bytes::Bytes;

use super::{super::outbox::Out, Played, Playing, ear::Steering};
use crate::scenario::{Crash, Garbage, HalfLine, HugeLine};

impl Playing {
    pub(super) async fn crash(&mut self, crash: &Crash) -> Played {
        if let Some(words) = &crash.stderr {
            eprintln!("{words}");
        }
        self.end_process(crash.code).await
    }

    pub(super) async fn garbage(&mut self, garbage: &Garbage) -> Played {
        let words = garbage.text.as_deref().unwrap_or("this line is not JSON");
        let mut line = unescaped(words);
        line.push(b'\n');
        self.server.outbox.send(Out::Raw(Bytes::from(line))).await;
        Ok(())
    }

    /// A valid delta of about the wanted length.
    pub(super) async fn huge_line(&mut self, huge: &HugeLine) -> Played {
        let id = self.next_item_id("msg");
        let empty = self.place().message_delta(&id, "").line().len();
        let delta = "x".repeat(huge.bytes.saturating_sub(empty));
        self.tell(&self.place().message_delta(&id, &delta)).await;
        Ok(())
    }

    /// Without an end of the process the next line follows on the same line.
    pub(super) async fn half_line(&mut self, half: &HalfLine) -> Played {
        let line = self.place().message_delta("msg_half", "never told in full").line();
        self.server.outbox.send(Out::Raw(line.slice(..line.len() / 2))).await;
        if half.and_exit { self.end_process(0).await } else { Ok(()) }
    }

    async fn end_process(&mut self, code: i32) -> Played {
        self.server.outbox.send(Out::Crash { code }).await;
        self.ear.unless(Steering::Waits, std::future::pending()).await
    }
}

/// `\xNN` stands for a byte, so that a file of text can hold what is not text.
fn unescaped(words: &str) -> Vec<u8> {
    let mut parts = words.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(format!("\\x{part}").as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_bytes_are_bytes() {
        assert_eq!(unescaped(r"a\xffb"), b"a\xffb");
        assert_eq!(unescaped(r"\xzz"), br"\xzz");
    }
}
