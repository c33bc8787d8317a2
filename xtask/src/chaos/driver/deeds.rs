//! Doing what the plan says.

use std::io;
use std::time::{Duration, Instant};

use serde_json::json;

use super::asking::Asked;
use super::{Deed, Driver, Later};
use crate::chaos::plan::Whom;
use crate::chaos::processes;

impl Driver<'_> {
    pub(super) fn perform(&mut self, deed: Deed) -> io::Result<()> {
        match deed {
            Deed::Create(session) => self.create(session),
            Deed::Send(message) => self.send_if_there_is_room(message),
            Deed::SendAgain(message) => self.send_again(message),
            Deed::Interrupt(session) => self.interrupt(session),
            Deed::Stall { session, length, reopen } => self.stall(session, length, reopen),
            Deed::KillServer { pick, whom } => self.kill_server(pick, whom),
            Deed::KillHost => self.kill_host()?,
            Deed::LetHostGo => self.let_host_go()?,
            Deed::KillRelay { pick } => self.kill_relay(pick),
            Deed::Freeze { pick, length } => self.freeze(pick, length),
        }
        Ok(())
    }

    fn interrupt(&mut self, session: usize) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        self.ask(Asked::Other("interrupt"), json!({ "op": "interrupt", "session": id }));
    }

    /// Its reader stops reading; the host must not care.
    fn stall(&mut self, session: usize, length: Duration, reopen: bool) {
        let Some(reader) = self.readers[session] else { return };
        self.ask(Asked::Other("pause"), json!({ "op": "pause", "reader": reader }));
        self.in_a_while(length, Later::ReadOn { session, reader, reopen });
    }

    pub(super) fn read_on(&mut self, session: usize, reader: u64, reopen: bool) {
        if self.readers[session] != Some(reader) {
            // The host was killed meanwhile, and with it this reader.
            return;
        }
        if reopen {
            self.ask(Asked::Other("unfollow"), json!({ "op": "unfollow", "reader": reader }));
            self.follow(session);
        } else {
            self.ask(Asked::Other("resume"), json!({ "op": "resume", "reader": reader }));
        }
    }

    fn kill_relay(&mut self, pick: u64) {
        if processes::kill_relay(&self.world.run, pick) {
            self.ledger.relay_kills += 1;
            self.last_server_kill = Some(Instant::now());
        }
    }

    fn freeze(&mut self, pick: u64, length: Duration) {
        if let Some(frozen) = processes::freeze(&self.world.run, pick) {
            self.ledger.freezes += 1;
            self.in_a_while(length, Later::Thaw(frozen));
        }
    }

    fn kill_server(&mut self, pick: u64, whom: Whom) {
        if processes::kill_server(&self.world.run, pick, whom) > 0 {
            self.ledger.server_kills += 1;
            self.last_server_kill = Some(Instant::now());
        }
    }
}
