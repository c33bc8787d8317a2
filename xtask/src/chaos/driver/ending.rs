//! The end of a run: everything may come to its end, all is read again, the host ends, and nothing is left.

use std::io;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::asking::Asked;
use super::{Driver, Ledger};
use crate::chaos::processes;

/// So long everything may take to come to its end when nothing more is done to it.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often sessions that do nothing are told to go on.
const NUDGE: Duration = Duration::from_secs(5);
/// So long a host may take to end its app-servers.
const SHUTTING_DOWN: Duration = Duration::from_secs(40);
/// How long all sessions may take to be read again.
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
        self.ledger.faults = self.world.proxy_faults();
        Ok(self.ledger)
    }

    fn let_everything_end(&mut self) -> io::Result<()> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            for session in 0..self.plan.sessions.len() {
                if !self.ledger.sessions[session].open.is_empty() {
                    self.say_start(session);
                }
            }
            let next = Instant::now() + NUDGE;
            while Instant::now() < next {
                self.listen_until(Instant::now() + Duration::from_millis(100))?;
                if self.is_all_over() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Nothing is open, nothing is asked, and nothing is still to be done.
    fn is_all_over(&self) -> bool {
        let waits = self.asked.values().any(|asked| matches!(asked, Asked::Create(_) | Asked::Send(_)));
        let open = self.ledger.sessions.iter().any(|session| !session.open.is_empty());
        !waits && !open && self.later.is_empty() && self.all_accepted_have_ended()
    }

    /// The end of every message that was accepted was seen.
    fn all_accepted_have_ended(&self) -> bool {
        let mut ids = self.ledger.messages.iter().flat_map(|message| message.replies.iter().flatten());
        ids.all(|id| self.ledger.finished.contains(id))
    }

    fn read_all_again(&mut self) -> io::Result<()> {
        for session in 0..self.plan.sessions.len() {
            self.read_page(session);
        }
        let until = Instant::now() + READING;
        while Instant::now() < until && self.asked.values().any(|asked| matches!(asked, Asked::Read(_))) {
            self.listen_until(Instant::now() + Duration::from_millis(20))?;
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
