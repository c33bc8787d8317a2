//! The loop: one thread that moves every byte between child, log and client.

mod clock;
mod people;

use std::{
    fs::File,
    io::{self, Read},
    os::{
        fd::AsFd,
        unix::net::{UnixListener, UnixStream},
    },
    process::ExitCode,
    time::Instant,
};

use rustix::event::PollFlags;

use super::{
    child::Held,
    client::Client,
    diary::Diary,
    diff::Diff,
    input::Input,
    lobby::Lobby,
    log::{Log, whole_lines},
    open::leave,
    ready::{self, Asked, Who},
};
use crate::{Ended, Options, Place};

const CHUNK: usize = 64 * 1024;
/// What an ended child's stderr can still hold is read in so many steps.
const LAST_READS: usize = 16;

/// What a loop is made of.
pub(super) struct Parts {
    pub(super) place: Place,
    pub(super) options: Options,
    pub(super) lock: File,
    pub(super) diary: Diary,
    pub(super) log: Log,
    pub(super) listener: UnixListener,
    pub(super) wake: UnixStream,
    pub(super) child: Held,
    pub(super) input: Input,
    pub(super) diff: Option<Diff>,
}

/// Everything a daemon holds.
pub(super) struct Exchange {
    parts: Parts,
    lobby: Lobby,
    client: Option<Client>,
    clients: u64,
    /// Clients that have said all, and get what was there then.
    leavers: Vec<Client>,
    /// Those who wait for the child's end; they are told by the closing of their connections.
    stoppers: Vec<UnixStream>,
    /// Since when nobody is there.
    alone_since: Instant,
    /// When it was last looked whether anybody can still come.
    looked_out: Instant,
    /// When a full disk is tried again.
    retry: Option<Instant>,
    /// Since when there is room on the disk.
    room_since: Instant,
    /// When connections are taken again.
    accept: Option<Instant>,
    /// Whether the child has ended and everybody has been told.
    over: bool,
    chunk: Vec<u8>,
}

impl Exchange {
    pub(super) fn new(parts: Parts) -> Self {
        let now = Instant::now();
        Self {
            parts,
            lobby: Lobby::default(),
            client: None,
            clients: 0,
            leavers: Vec::new(),
            stoppers: Vec::new(),
            alone_since: now,
            looked_out: now,
            retry: None,
            room_since: now,
            accept: None,
            over: false,
            chunk: vec![0; CHUNK],
        }
    }

    /// Until the child has ended and whoever listens has heard all of it.
    pub(super) fn run(mut self) -> ExitCode {
        // The pipe to whoever started us is closed by this; without it our stdout would only be another file.
        let _same = rustix::stdio::dup2_stdout(self.parts.diary.file());
        self.look_at_the_clock(Instant::now());
        while !self.is_finished() {
            self.step();
        }
        self.finish();
        while self.client.is_some() || !self.leavers.is_empty() {
            self.step();
        }
        ExitCode::SUCCESS
    }

    fn step(&mut self) {
        for (who, what) in ready::wait(&self.asked(), self.next_moment()) {
            self.attend(who, what);
        }
        self.look_at_the_clock(Instant::now());
        self.serve();
    }

    /// Whom to wait for, and what. Who is asked for nothing is left out: its end would wake us again and again.
    fn asked(&self) -> Vec<Asked<'_>> {
        let parts = &self.parts;
        let mut asked = Vec::with_capacity(8);
        let mut ask = |who, whom, what: PollFlags| asked.push(Asked { who, whom, what });
        if !self.over {
            ask(Who::Wake, parts.wake.as_fd(), PollFlags::IN);
            if self.accept.is_none() {
                ask(Who::Listener, parts.listener.as_fd(), PollFlags::IN);
            }
            for guest in self.lobby.sockets() {
                ask(Who::Guest, guest.as_fd(), PollFlags::IN);
            }
        }
        if let Some(stdout) = parts.child.stdout.as_ref().filter(|_| !parts.log.is_full()) {
            ask(Who::Stdout, stdout.as_fd(), PollFlags::IN);
        }
        if let Some(stderr) = &parts.child.stderr {
            ask(Who::Stderr, stderr.as_fd(), PollFlags::IN);
        }
        if let Some(stdin) = parts.input.wanted() {
            ask(Who::Stdin, stdin.as_fd(), PollFlags::OUT);
        }
        if let Some(client) = &self.client {
            let what = self.wanted(client);
            if !what.is_empty() || !client.is_speaking() {
                ask(Who::Client, client.socket.as_fd(), what);
            }
        }
        for (place, leaver) in self.leavers.iter().enumerate() {
            ask(Who::Leaver(place), leaver.socket.as_fd(), PollFlags::OUT);
        }
        asked
    }

    fn attend(&mut self, who: Who, what: PollFlags) {
        match who {
            Who::Wake => self.woken(),
            Who::Listener => self.welcome(),
            Who::Guest => self.hear_guests(),
            Who::Stdout => self.read_stdout(),
            Who::Stderr => self.read_stderr(),
            Who::Stdin => {
                let flushed = self.parts.input.flush();
                self.given(flushed);
            }
            Who::Client => self.hear_client(what),
            Who::Leaver(place) => {
                if let Some(leaver) = self.leavers.get_mut(place) {
                    leaver.send(&self.parts.log, &mut self.chunk);
                }
            }
        }
    }

    /// The child has ended, or git has been asked.
    fn woken(&mut self) {
        let mut signs = [0; 16];
        // Signs are only signs; what they tell of is looked at below.
        let _signs = self.parts.wake.read(&mut signs);
        self.parts.child.look(Instant::now());
        while let Some(line) = self.parts.diff.as_ref().and_then(Diff::line) {
            self.parts.log.put(line, None);
        }
    }

    fn read_stdout(&mut self) {
        let Some(stdout) = &mut self.parts.child.stdout else { return };
        match stdout.read(&mut self.chunk) {
            Ok(length @ 1..) => {
                let said = self.chunk.get(..length).unwrap_or_default();
                let next_line = self.parts.log.next_line().filter(|_| self.parts.options.ahead);
                if let (Some(client), Some(begin)) = (&mut self.client, next_line) {
                    client.send_ahead(whole_lines(said), begin);
                }
                self.parts.log.take(said, Instant::now());
                if let Some(diff) = &self.parts.diff {
                    diff.stir();
                }
            }
            Err(error) if is_passing(&error) => {}
            _ => self.close_stdout(),
        }
    }

    fn close_stdout(&mut self) {
        self.parts.child.stdout = None;
        self.parts.log.close();
        self.parts.diary.info(format_args!("stdout ended output_bytes={}", self.parts.log.end()));
    }

    fn read_stderr(&mut self) {
        let Some(stderr) = &mut self.parts.child.stderr else { return };
        match stderr.read(&mut self.chunk) {
            Ok(length @ 1..) => self.parts.diary.stderr(self.chunk.get(..length).unwrap_or_default()),
            Err(error) if is_passing(&error) => {}
            _ => {
                self.parts.child.stderr = None;
                self.parts.diary.stderr_ended();
            }
        }
    }

    /// Nothing more will come, and all that came is in the log.
    fn is_finished(&self) -> bool {
        self.parts.child.ended.is_some() && self.parts.child.stdout.is_none() && !self.parts.log.is_full()
    }

    /// Says how it ended and frees the place; only then is anybody told by a closed connection.
    fn finish(&mut self) {
        self.over = true;
        for _ in 0..LAST_READS {
            self.read_stderr();
        }
        let Parts { place, diary, child, input, log, lock, .. } = &mut self.parts;
        let (ended, at) = child.ended.unwrap_or((Ended::Code(0), Instant::now()));
        let code = match ended {
            Ended::Code(code) => code,
            Ended::Signal(signal) => -signal,
        };
        let (closed, elapsed) = (input.is_closed(), at.duration_since(child.started).as_secs());
        diary.info(format_args!("subprocess exited code={code} stdin_closed={closed} elapsed={elapsed}s"));
        child.stderr = None;
        let written = Place::private().write(true).truncate(true).open(place.exit());
        let written = written.and_then(|mut file| io::Write::write_all(&mut file, ended.line().as_bytes()));
        if let Err(error) = written {
            diary.warning(format_args!("how it ended could not be kept: {error}"));
        }
        leave(place);
        // Where it cannot be unlocked, the end of this process does it.
        let _unlocked = lock.unlock();
        self.stoppers.clear();
        self.lobby = Lobby::default();
        if let Some(client) = &mut self.client {
            client.leave(log);
        }
        self.serve();
    }
}

/// Nothing is wrong; there is nothing now.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
