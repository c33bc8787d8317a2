//! Those who connect: guests, the client, leavers, and those who want the end.

use std::{
    io::{self, Write},
    process,
    time::Instant,
};

use rustix::event::PollFlags;
use serde_json::json;

use super::{Exchange, is_passing};
use crate::daemon::{
    client::{Client, Said, Then},
    hello::Hello,
    lobby::Visitor,
    times::REFUSED,
};

/// More than so many leave at once only if they do not read; the oldest then gets no more.
const MOST_LEAVERS: usize = 4;
/// So many may wait for the end.
const MOST_STOPPERS: usize = 16;

impl Exchange {
    pub(super) fn welcome(&mut self) {
        loop {
            if self.lobby.is_full() {
                // Who has spoken meanwhile shall not have to go for one who has not.
                self.hear_guests();
            }
            match self.parts.listener.accept().and_then(|(socket, _)| self.lobby.enter(socket)) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if is_passing(&error) || error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    self.parts.diary.warning(format_args!("a connection was refused: {error}"));
                    self.accept = Some(Instant::now() + REFUSED);
                    return;
                }
            }
        }
    }

    /// Hears all of them: none blocks, and they are few.
    pub(super) fn hear_guests(&mut self) {
        for visitor in self.lobby.hear() {
            match visitor.hello {
                Hello::Attach(offset) => self.attach(visitor, offset),
                Hello::Stop => self.stop(visitor),
                Hello::Kill => self.kill(visitor),
                Hello::Status => self.tell(visitor),
            }
        }
    }

    /// A new client takes the place of the one before.
    fn attach(&mut self, visitor: Visitor, offset: u64) {
        self.dismiss("replaced");
        self.clients += 1;
        let offset = offset.min(self.parts.log.end_at_last());
        let (closed, alive) = (self.parts.input.is_closed(), self.parts.child.ended.is_none());
        self.parts.diary.info(format_args!(
            "client #{} connected offset={offset} stdin_closed={closed} proc_alive={alive}",
            self.clients
        ));
        let mut client = Client::new(self.clients, visitor.socket, offset);
        let said = client.understand(&visitor.more);
        self.client = Some(client);
        self.follow(&said);
    }

    fn stop(&mut self, visitor: Visitor) {
        self.parts.diary.info("stop requested");
        self.stoppers.truncate(MOST_STOPPERS - 1);
        self.stoppers.push(visitor.socket);
        let closed = self.parts.input.close();
        self.given(closed);
        self.parts.child.descend(Instant::now());
    }

    fn kill(&mut self, visitor: Visitor) {
        self.stop(visitor);
        self.parts.diary.info("… at once: SIGKILL");
        self.parts.child.kill();
    }

    /// One line, and the connection closes. It fits into any socket; who has gone again needs no answer.
    fn tell(&mut self, mut visitor: Visitor) {
        let parts = &self.parts;
        let status = json!({
            "pid": process::id(),
            "child": parts.child.pid.as_raw_nonzero().get(),
            "offset": parts.log.end_at_last(),
            "stdin_closed": parts.input.is_closed(),
            "client": self.client.is_some(),
        });
        let _gone = visitor.socket.write_all(format!("{status}\n").as_bytes());
    }

    /// Lets the client go; its half line goes with it.
    pub(super) fn dismiss(&mut self, reason: &str) {
        if let Some(client) = self.client.take() {
            self.parts.diary.info(format_args!("client #{} disconnected reason={reason}", client.number));
            self.alone_since = Instant::now();
            client.close(&mut self.chunk);
        }
    }

    /// What is waited for of a client: what it says, as long as there is room for it, and room for what it is sent.
    pub(super) fn wanted(&self, client: &Client) -> PollFlags {
        let crowded = self.parts.options.log_stdin && self.parts.log.is_crowded();
        let full = self.parts.input.is_full() || crowded || client.is_swamped();
        let mut what = PollFlags::empty();
        what.set(PollFlags::IN, client.is_speaking() && !full);
        what.set(PollFlags::OUT, client.is_behind(&self.parts.log));
        what
    }

    pub(super) fn hear_client(&mut self, what: PollFlags) {
        let Some(client) = &mut self.client else { return };
        if what.contains(PollFlags::IN) {
            let said = client.hear(&mut self.chunk);
            return self.follow(&said);
        }
        if what.intersects(PollFlags::HUP | PollFlags::ERR) {
            client.hung_up();
        }
    }

    /// Does what the client said.
    fn follow(&mut self, said: &Said) {
        let Some(client) = &mut self.client else { return };
        let number = client.number;
        if !said.lines.is_empty() {
            if self.parts.options.log_stdin && !self.parts.input.is_closed() {
                self.parts.log.put(said.lines.clone(), Some(number));
            }
            let given = self.parts.input.give(&said.lines);
            self.given(given);
        }
        match said.then {
            Then::More => {}
            Then::Close => self.close_stdin(&format!("client #{number} requested stdin close")),
            Then::Left => self.part(),
        }
    }

    /// The child shall end by itself. A client still hears its last words.
    pub(super) fn close_stdin(&mut self, why: &str) {
        if let Some(client) = &mut self.client {
            client.ignore();
        }
        if self.parts.input.is_closed() {
            return self.parts.diary.warning(format_args!("{why} but stdin already closed"));
        }
        self.parts.diary.info(why);
        let closed = self.parts.input.close();
        self.given(closed);
    }

    /// The client has said all and wants no more than what is there.
    fn part(&mut self) {
        if let Some(client) = &mut self.client {
            client.leave(&self.parts.log);
        }
        let leaver = self.client.take();
        self.alone_since = Instant::now();
        if let Some(leaver) = leaver {
            self.parts.diary.info(format_args!("client #{} disconnected reason=client_eof", leaver.number));
            if self.leavers.len() == MOST_LEAVERS {
                self.leavers.remove(0);
            }
            self.leavers.push(leaver);
        }
    }

    pub(super) fn given(&mut self, given: io::Result<()>) {
        if let Err(error) = given {
            self.parts.diary.warning(format_args!("the subprocess takes no more input: {error}"));
        }
    }

    /// Brings the log to who is behind, and lets go who has all of it or is gone.
    pub(super) fn serve(&mut self) {
        let log = &mut self.parts.log;
        for echo in log.echoes() {
            if let Some(client) = self.client.as_mut().filter(|client| client.number == echo.by) {
                client.echo(echo.place);
            }
        }
        for client in self.client.iter_mut().chain(&mut self.leavers) {
            if client.is_behind(log) {
                client.send(log, &mut self.chunk);
            }
        }
        self.leavers.retain(|leaver| leaver.is_behind(log) && !leaver.is_gone());
        let told_all = self.over && self.client.as_ref().is_some_and(|client| !client.is_behind(log));
        if self.client.as_ref().is_some_and(Client::is_gone) {
            self.dismiss("gone");
        } else if told_all {
            self.dismiss("subprocess_eof");
        }
    }
}
