//! What happens because time has passed.

use std::time::Instant;

use super::Exchange;
use crate::daemon::times::{ALONE, FULL_DISK, LAST_WORDS, SLOW_LEAVER, has_come, sooner};

impl Exchange {
    /// When to look at the clock next.
    pub(super) fn next_moment(&self) -> Option<Instant> {
        let slow = self.client.iter().filter(|_| self.over).chain(&self.leavers);
        let slow = slow.map(|client| client.took_last + SLOW_LEAVER).min();
        [
            self.parts.log.due(),
            self.retry,
            self.accept,
            self.parts.child.due(),
            self.idle_due(),
            self.lookout_due(),
            self.words_due(),
        ]
        .into_iter()
        .fold(slow, sooner)
    }

    pub(super) fn look_at_the_clock(&mut self, now: Instant) {
        if has_come(self.parts.log.due(), now) {
            self.parts.log.release();
        }
        self.look_at_the_disk(now);
        if has_come(self.accept, now) {
            self.accept = None;
        }
        if has_come(self.parts.child.due(), now)
            && let Some(signal) = self.parts.child.push(now)
        {
            self.parts.diary.info(format_args!("the subprocess does not end: {signal}"));
        }
        if has_come(self.idle_due(), now) {
            self.close_stdin("nobody is there: stdin closed");
        }
        if has_come(self.lookout_due(), now) {
            self.looked_out = now;
            if !self.parts.place.socket().exists() {
                self.close_stdin("the relay's directory was removed, and nobody can come: stdin closed");
            }
        }
        if has_come(self.words_due(), now) {
            self.parts.diary.warning("something holds the ended subprocess's stdout open");
            self.close_stdout();
        }
        let slow = |took_last: Instant| took_last + SLOW_LEAVER <= now;
        self.leavers.retain(|leaver| !slow(leaver.took_last));
        if self.over && self.client.as_ref().is_some_and(|client| slow(client.took_last)) {
            self.dismiss("slow");
        }
    }

    /// A full disk is told once, tried again and again, and told again when there is room.
    fn look_at_the_disk(&mut self, now: Instant) {
        if has_come(self.retry, now) {
            self.parts.log.retry();
        }
        let trouble = self.parts.log.trouble();
        if !self.parts.log.is_full() {
            if self.retry.take().is_some() {
                self.room_since = now;
                self.parts.diary.info("output.jsonl can be written again");
            }
            return;
        }
        if let (None, Some(error)) = (self.retry, &trouble) {
            let words = format_args!("output.jsonl cannot be written, the subprocess has to wait: {error}");
            self.parts.diary.warning(words);
        }
        if self.retry.is_none() || has_come(self.retry, now) {
            self.retry = Some(now + FULL_DISK);
        }
    }

    /// When nobody has been there for too long.
    fn idle_due(&self) -> Option<Instant> {
        let idle = self.parts.options.idle?;
        let alone = self.client.is_none() && !self.parts.input.is_closed();
        if alone { self.alone_since.checked_add(idle) } else { None }
    }

    /// When one who is alone looks whether anybody can still come.
    fn lookout_due(&self) -> Option<Instant> {
        let alone = self.client.is_none() && !self.parts.input.is_closed();
        alone.then(|| self.looked_out.max(self.alone_since) + ALONE)
    }

    /// When an ended child's last words have been waited for long enough.
    fn words_due(&self) -> Option<Instant> {
        let (_, at) = self.parts.child.ended.filter(|_| self.parts.child.stdout.is_some())?;
        // While there is no room nothing is read, and its last words may all be in the pipe.
        if self.parts.log.is_full() { None } else { Some(at.max(self.room_since) + LAST_WORDS) }
    }
}
