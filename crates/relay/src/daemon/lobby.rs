//! Connections that have not said yet what they want.

use std::{
    collections::VecDeque,
    io::{self, Read},
    os::unix::net::UnixStream,
};

use super::hello::Hello;

/// How many may be silent at once; one more, and the oldest has to go.
const MOST: usize = 16;
/// A hello is short.
const LONGEST: usize = 4096;

/// Those who wait.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    guests: VecDeque<Guest>,
}

#[derive(Debug)]
struct Guest {
    socket: UnixStream,
    said: Vec<u8>,
}

/// Somebody who said what it wants.
#[derive(Debug)]
pub(super) struct Visitor {
    pub(super) socket: UnixStream,
    pub(super) hello: Hello,
    /// What it said after its hello.
    pub(super) more: Vec<u8>,
}

/// What became of a guest.
enum Heard {
    All(Visitor),
    NotAll(Guest),
    /// It left, or said something else.
    Nothing,
}

impl Lobby {
    /// Whether somebody has to go when somebody comes.
    pub(super) fn is_full(&self) -> bool {
        self.guests.len() >= MOST
    }

    /// Takes a connection in.
    pub(super) fn enter(&mut self, socket: UnixStream) -> io::Result<()> {
        socket.set_nonblocking(true)?;
        if self.is_full() {
            self.guests.pop_front();
        }
        self.guests.push_back(Guest { socket, said: Vec::new() });
        Ok(())
    }

    pub(super) fn sockets(&self) -> impl Iterator<Item = &UnixStream> {
        self.guests.iter().map(|guest| &guest.socket)
    }

    /// Hears what they have to say by now.
    pub(super) fn hear(&mut self) -> Vec<Visitor> {
        let mut visitors = Vec::new();
        for guest in std::mem::take(&mut self.guests) {
            match guest.hear() {
                Heard::All(visitor) => visitors.push(visitor),
                Heard::NotAll(guest) => self.guests.push_back(guest),
                Heard::Nothing => {}
            }
        }
        visitors
    }
}

impl Guest {
    fn hear(mut self) -> Heard {
        let mut chunk = [0; LONGEST];
        match self.socket.read(&mut chunk) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                return Heard::NotAll(self);
            }
            // Who connects and closes again wanted to know whether we are there.
            Ok(0) | Err(_) => return Heard::Nothing,
            Ok(length) => self.said.extend_from_slice(chunk.get(..length).unwrap_or_default()),
        }
        let Some(end) = self.said.iter().position(|byte| *byte == b'\n') else {
            return if self.said.len() < LONGEST { Heard::NotAll(self) } else { Heard::Nothing };
        };
        let more = self.said.split_off(end + 1);
        match Hello::read(&self.said) {
            Some(hello) => Heard::All(Visitor { socket: self.socket, hello, more }),
            None => Heard::Nothing,
        }
    }
}
