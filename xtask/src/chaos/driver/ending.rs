//! The end of a run: everything may come to its end, all is read again, the host ends, and nothing is left.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::asking::Asked;
use super::{Driver, Ledger};
use crate::chaos::processes;

/// So long nothing at all may end, in any session, before we give up.
const PATIENCE: Duration = Duration::from_secs(120);
/// So long everything may take to come to its end, however short the run was.
const AT_LEAST: Duration = Duration::from_secs(600);
/// How often sessions that do nothing are told to go on.
const NUDGE: Duration = Duration::from_secs(5);
/// So long a host may take to end its app-servers, on a machine that has other things to do.
const SHUTTING_DOWN: Duration = Duration::from_secs(120);
/// So long no page may come while everything is read again.
const READING: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

impl Driver<'_> {
    pub(super) fn bring_to_an_end(mut self) -> io::Result<Ledger> {
        self.let_everything_end()?;
        self.read_all_again()?;
        self.host.hang_up();
        if !self.hear_last_words(SHUTTING_DOWN)? {
            self.ledger.violated("a host that is asked to end ends", "it had to be killed", None);
            self.host.kill()?;
        }
        let status = self.host.reap()?;
        if !status.success() {
            self.ledger.violated("a host that is asked to end ends well", status.to_string(), None);
        }
        for left in processes::of(&self.world.run) {
            self.ledger.left.push(format!("{} {}", left.pid, left.command.join(" ")));
            processes::kill(&left, &self.world.run);
        }
        for relay in self.world.relays() {
            self.ledger.violated("a relay goes with its app-server", relay.display().to_string(), None);
        }
        self.ledger.faults = self.world.proxy_faults();
        Ok(self.ledger)
    }

    /// Nothing more is done to anybody. As long as messages end, here or there, we wait; but not longer than the run took.
    fn let_everything_end(&mut self) -> io::Result<()> {
        self.world.calm()?;
        let since = Instant::now();
        let most = since.duration_since(self.started).max(AT_LEAST);
        self.last_end = since;
        while !self.is_all_over() {
            if self.last_end.elapsed() > PATIENCE || since.elapsed() > most {
                self.give_up(since.elapsed());
                break;
            }
            self.nudge();
            let next = Instant::now() + NUDGE;
            while Instant::now() < next && !self.is_all_over() {
                self.listen_until(Instant::now() + Duration::from_millis(100))?;
            }
        }
        self.ledger.waited = since.elapsed();
        Ok(())
    }

    fn nudge(&mut self) {
        for session in 0..self.plan.sessions.len() {
            if !self.ledger.sessions[session].open.is_empty() {
                self.say_start(session);
            }
        }
    }

    /// What has not ended by now never does, as far as anybody can tell.
    fn give_up(&mut self, after: Duration) {
        let open = self.without_an_end().len();
        let unanswered = self.asked.values().filter(|asked| asked.has_to_be_answered()).count();
        let still = self.last_end.elapsed().as_secs();
        if open + unanswered > 0 {
            let what = format!(
                "gave up after {} s with {open} messages open and {unanswered} requests without an answer; \
                 the last end was {still} s ago",
                after.as_secs(),
            );
            self.ledger.violated("everything comes to its end when it is let", what, None);
        }
    }

    /// Nothing is open, nothing is asked, and nothing is still to be done.
    fn is_all_over(&self) -> bool {
        let waits = self.asked.values().any(Asked::has_to_be_answered);
        !waits && self.later.is_empty() && self.without_an_end().is_empty()
    }

    /// Messages that were accepted, as their senders or the readers know, and whose end was not seen.
    fn without_an_end(&self) -> BTreeSet<&String> {
        let told = self.ledger.messages.iter().flat_map(|message| message.replies.iter().flatten());
        let seen = self.ledger.sessions.iter().flat_map(|session| &session.open);
        told.chain(seen).filter(|id| !self.ledger.finished.contains(*id)).collect()
    }

    /// Reads everything again. What the readers get from now on is not looked at: all that they saw was there before this was
    /// asked, so it has to be in the answers.
    fn read_all_again(&mut self) -> io::Result<()> {
        self.readers.fill(None);
        for session in 0..self.plan.sessions.len() {
            self.read_page(session);
        }
        let mut until = Instant::now() + READING;
        let mut read = 0;
        while Instant::now() < until && self.asked.values().any(|asked| matches!(asked, Asked::Read(_))) {
            self.listen_until(Instant::now() + Duration::from_millis(20))?;
            let now = self.ledger.sessions.iter().map(|session| session.reread.len()).sum();
            if std::mem::replace(&mut read, now) < now {
                until = Instant::now() + READING;
            }
        }
        Ok(())
    }

    fn read_page(&mut self, session: usize) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        let after = self.ledger.sessions[session].reread.len();
        self.ask(
            Asked::Read(session),
            json!({ "op": "events", "session": id, "after": after, "limit": 1000 }),
        );
    }

    pub(super) fn page(&mut self, session: usize, page: &str) {
        let Ok(page) = serde_json::from_str::<Page<'_>>(page) else {
            return self.ledger.violated("what was shown can be read again", page, Some(session));
        };
        let reread = &mut self.ledger.sessions[session].reread;
        reread.extend(page.events.iter().map(|event| event.get().to_owned()));
        if !page.events.is_empty() {
            self.read_page(session);
        }
    }
}
