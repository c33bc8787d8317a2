//! The player as a process: stdin and stdout as an app-server has them, and a socket to whoever conducts.

use std::{
    io::{self, BufRead, BufReader, BufWriter, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::Instant,
};

use super::{
    pace::Pace,
    player::{Next, Player},
    script::Script,
};

/// Lines that may wait to be heard.
const WAITING: usize = 1024;

/// What the player is started with.
#[derive(Debug)]
pub struct Options {
    /// What it plays.
    pub script: Script,
    /// How fast.
    pub pace: Pace,
    /// The socket of whoever conducts.
    pub conductor: Option<PathBuf>,
}

enum Heard {
    Line(String),
    Word,
    /// The client closed its end.
    End,
}

/// Plays to the end of stdin.
pub fn run(options: Options) -> io::Result<()> {
    let (to, heard) = mpsc::sync_channel(WAITING);
    let conductor = options.conductor.map(UnixStream::connect).transpose()?;
    if let Some(conductor) = &conductor {
        listen(BufReader::new(conductor.try_clone()?), to.clone(), |_| Heard::Word, None)?;
    }
    listen(BufReader::new(io::stdin()), to, Heard::Line, Some(Heard::End))?;
    let mut stage = Stage { out: BufWriter::new(io::stdout()), conductor, heard };
    stage.play(Player::new(options.script, options.pace))
}

/// Reads in a thread of its own, which ends with the process.
fn listen(
    mut from: impl BufRead + Send + 'static,
    to: SyncSender<Heard>,
    make: impl Fn(String) -> Heard + Send + 'static,
    end: Option<Heard>,
) -> io::Result<()> {
    let read = move || {
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if to.send(make(text)).is_err() {
                return;
            }
        }
        if let Some(end) = end {
            let _nobody_listens = to.send(end);
        }
    };
    thread::Builder::new().spawn(read).map(drop)
}

struct Stage {
    out: BufWriter<io::Stdout>,
    conductor: Option<UnixStream>,
    heard: Receiver<Heard>,
}

impl Stage {
    fn play(&mut self, mut player: Player) -> io::Result<()> {
        let start = Instant::now();
        loop {
            while let Ok(heard) = self.heard.try_recv() {
                if take(&mut player, heard) {
                    return self.out.flush();
                }
            }
            let heard = match player.next(start.elapsed()) {
                Next::Say(line) => {
                    self.out.write_all(line.as_bytes())?;
                    self.out.write_all(b"\n")?;
                    continue;
                }
                Next::Cue(cue) => {
                    self.out.flush()?;
                    self.tell(&serde_json::to_string(&cue)?);
                    continue;
                }
                Next::At(due) => {
                    self.out.flush()?;
                    self.heard.recv_timeout(due.saturating_sub(start.elapsed()))
                }
                Next::Wait => {
                    self.out.flush()?;
                    self.heard.recv().map_err(|_| RecvTimeoutError::Disconnected)
                }
            };
            let ended = match heard {
                Ok(heard) => take(&mut player, heard),
                Err(error) => error == RecvTimeoutError::Disconnected,
            };
            if ended {
                return self.out.flush();
            }
        }
    }

    /// Whoever conducts may be gone; then nobody does.
    fn tell(&mut self, cue: &str) {
        let told = self.conductor.as_mut().map(|conductor| writeln!(conductor, "{cue}"));
        if matches!(told, Some(Err(_))) {
            self.conductor = None;
        }
    }
}

/// Whether it is the end.
fn take(player: &mut Player, heard: Heard) -> bool {
    match heard {
        Heard::Line(line) => player.heard(&line),
        Heard::Word => player.word(),
        Heard::End => return true,
    }
    false
}
