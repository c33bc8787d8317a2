//! Deltas as fast as the pipe takes them: the lines are built once, and only their numbers change.

use bytes::Bytes;
use serde_json::json;

use super::{
    super::{items, outbox::Out},
    Played, Playing,
    ear::Steering,
};
use crate::scenario::Flood;

/// Lines of one write.
const CHUNK_LINES: usize = 512;
/// Digits of a line's number: with them a reader knows that nothing was lost and nothing swapped.
const DIGITS: usize = 9;
const MARK: &str = "000000000";

impl Playing {
    /// Each delta begins with its number. The item's text is not their sum: a line of many megabytes would be another test.
    pub(super) async fn flood(&mut self, flood: &Flood) -> Played {
        let id = self.next_item_id("msg");
        let mut item = items::agent_message(&id, None);
        self.item_started(&item).await;
        let mut lines = Numbered::new(&self.template(&id, flood.line_bytes.unwrap_or(250)));
        let mut left = flood.deltas;
        while left > 0 {
            let count = left.min(CHUNK_LINES);
            let chunk = lines.next(count);
            self.ear.unless(Steering::Cuts, self.server.outbox.send(Out::Lines(chunk))).await?;
            left -= count;
        }
        item.set("text", json!(format!("{} deltas", flood.deltas)));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    fn template(&self, item: &str, bytes: usize) -> Bytes {
        let bare = self.place().message_delta(item, MARK).line().len();
        let filling = ".".repeat(bytes.saturating_sub(bare));
        self.place().message_delta(item, &format!("{MARK}{filling}")).line()
    }
}

/// Copies of one line with numbers that count on.
struct Numbered {
    chunk: Vec<u8>,
    line: usize,
    digits_at: usize,
    next: u64,
}

impl Numbered {
    fn new(template: &[u8]) -> Self {
        let at = template.windows(DIGITS).position(|window| window == MARK.as_bytes());
        Self {
            chunk: template.repeat(CHUNK_LINES),
            line: template.len(),
            digits_at: at.unwrap_or(0),
            next: 0,
        }
    }

    fn next(&mut self, count: usize) -> Bytes {
        for line in 0..count {
            let at = line * self.line + self.digits_at;
            let digits = &mut self.chunk[at..at + DIGITS];
            let mut number = self.next;
            for digit in digits.iter_mut().rev() {
                *digit = b'0' + u8::try_from(number % 10).unwrap_or(0);
                number /= 10;
            }
            self.next += 1;
        }
        Bytes::copy_from_slice(&self.chunk[..count * self.line])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_on_over_chunks() {
        let mut lines = Numbered::new(format!("<{MARK}>\n").as_bytes());
        assert_eq!(&lines.next(2)[..], b"<000000000>\n<000000001>\n");
        assert_eq!(&lines.next(1)[..], b"<000000002>\n");
    }
}
