//! The line to the player: where it is, and the word to go on.

use std::{io, path::Path};

use selvedge_rehearsal::recording::Cue;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    net::{
        UnixListener,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
};

use crate::failure::Failure;

pub(super) struct Conductor {
    listener: UnixListener,
    player: Option<(Lines<BufReader<OwnedReadHalf>>, OwnedWriteHalf)>,
}

/// Whoever says go on, by Enter.
pub(super) struct Person(Option<mpsc::Receiver<()>>);

impl Conductor {
    pub(super) fn listen(socket: &Path) -> Result<Self, Failure> {
        let listener = UnixListener::bind(socket).map_err(Failure::start)?;
        Ok(Self { listener, player: None })
    }

    /// Where the player is; nothing once it is gone. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> io::Result<Option<Cue>> {
        if self.player.is_none() {
            let (stream, _) = self.listener.accept().await?;
            let (from, to) = stream.into_split();
            self.player = Some((BufReader::new(from).lines(), to));
        }
        let Some((from, _)) = &mut self.player else { return Ok(None) };
        let line = from.next_line().await?;
        Ok(line.and_then(|line| serde_json::from_str(&line).ok()))
    }

    pub(super) async fn go_on(&mut self) -> io::Result<()> {
        match &mut self.player {
            Some((_, to)) => to.write_all(b"\n").await,
            None => Ok(()),
        }
    }
}

impl Person {
    /// Somebody, if it goes by steps.
    pub(super) fn new(stepwise: bool) -> Result<Self, Failure> {
        Ok(Self(stepwise.then(enter).transpose().map_err(Failure::start)?))
    }

    /// They say go on. Without anybody who could, it goes on by itself.
    pub(super) async fn says_go(&mut self) {
        if let Some(lines) = &mut self.0
            && lines.recv().await.is_none()
        {
            self.0 = None;
        }
    }
}

/// Reads stdin in a thread, which ends with the process.
fn enter() -> io::Result<mpsc::Receiver<()>> {
    let (to, from) = mpsc::channel(1);
    let read = move || {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
            line.clear();
            if to.blocking_send(()).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("enter".into()).spawn(read)?;
    Ok(from)
}
