//! The thread that writes one conversation: it holds up nobody, and what it could not write it says.

use std::{
    io,
    path::PathBuf,
    sync::mpsc::RecvTimeoutError,
    time::{Duration, Instant},
};

use crate::{
    entry::{Direction, Header, Line, VERSION},
    name::Name,
    part::Part,
    queue::{Exit, Said, Told},
    recordings::{Redact, Tally},
};

/// What was said can be read from the file so long after, at the latest.
const FLUSH: Duration = Duration::from_secs(1);
/// So long the first line waits for Codex to introduce itself.
const INTRODUCTION: Duration = Duration::from_secs(30);
/// What is said to introduce oneself.
const INTRODUCTIONS: [&[u8]; 2] = [b"\"initialize\"", b"\"initialized\""];
/// What ends a turn.
const TURN_ENDED: &[u8] = b"\"turn/completed\"";
/// A method is looked for so far; what stands before it is short.
const BEGINNING: usize = 96;

/// What the thread works with.
pub(crate) struct Writer {
    pub(crate) directory: PathBuf,
    pub(crate) name: Name,
    pub(crate) header: Header,
    pub(crate) file_bytes: u64,
    pub(crate) redact: Redact,
    pub(crate) exit: Exit,
    pub(crate) tally: std::sync::Arc<Tally>,
}

/// What has been written up to now.
enum State {
    /// Nothing: the first lines wait.
    Waiting(Beginning),
    Writing(Part),
    /// It could not be written; what comes is thrown away.
    Stopped,
}

impl State {
    fn flushed(mut self) -> io::Result<Self> {
        if let Self::Writing(part) = &mut self
            && part.dirty
        {
            part.flush()?;
        }
        Ok(self)
    }
}

/// The first lines of a conversation.
#[derive(Default)]
struct Beginning {
    lines: Vec<Said>,
    introduced: bool,
    /// It was not, or not in time: that is when somebody wants to know what was said.
    failed: bool,
    /// More was said to it than who speaks: until then a process is only kept ready, and worth no file.
    used: bool,
}

impl Beginning {
    fn take(&mut self, said: Said) {
        let introduces = INTRODUCTIONS.iter().any(|word| begins_with(&said.bytes, word));
        self.used |= said.direction == Direction::Sent && !introduces;
        self.lines.push(said);
    }

    fn is_over(&self) -> bool {
        (self.introduced && self.used) || (self.failed && !self.lines.is_empty())
    }
}

impl Writer {
    /// Writes until whoever hands in is gone; an error ends the recording, not the conversation.
    pub(crate) fn run(mut self) -> io::Result<()> {
        let (begun, mut flushed) = (Instant::now(), Instant::now());
        let mut state = State::Waiting(Beginning::default());
        let mut failed = Ok(());
        loop {
            let told = self.exit.next(FLUSH);
            let ended = matches!(told, Err(RecvTimeoutError::Disconnected));
            let mut stepped = self.step(state, told.ok(), begun.elapsed() >= INTRODUCTION);
            if flushed.elapsed() >= FLUSH {
                stepped = stepped.and_then(State::flushed);
                flushed = Instant::now();
            }
            state = stepped.unwrap_or_else(|error| {
                failed = Err(error);
                self.tally.failed();
                State::Stopped
            });
            if ended {
                break;
            }
        }
        match state {
            State::Writing(part) => self.end(part),
            State::Waiting(_) | State::Stopped => failed,
        }
    }

    fn step(&mut self, state: State, told: Option<Told>, waited: bool) -> io::Result<State> {
        Ok(match (state, told) {
            (State::Stopped, _) => State::Stopped,
            (State::Waiting(mut beginning), told) => {
                match told {
                    Some(Told::Line(said)) => beginning.take(said),
                    Some(Told::Introduced(version)) => {
                        self.header.codex = version;
                        beginning.introduced = true;
                    }
                    Some(Told::Unintroduced) => beginning.failed = true,
                    None => beginning.failed |= waited && !beginning.introduced,
                }
                if beginning.is_over() {
                    State::Writing(self.begin(beginning.lines)?)
                } else {
                    State::Waiting(beginning)
                }
            }
            (State::Writing(part), Some(Told::Line(said))) => State::Writing(self.write(part, &said)?),
            (writing, _) => writing,
        })
    }

    fn begin(&mut self, lines: Vec<Said>) -> io::Result<Part> {
        let mut part = self.open()?;
        for said in lines {
            part = self.write(part, &said)?;
        }
        Ok(part)
    }

    fn open(&mut self) -> io::Result<Part> {
        let mut part = Part::create(&self.directory.join(self.name.to_string()))?;
        self.header.version = VERSION;
        self.header.part = self.name.part();
        part.line(&self.header)?;
        part.flush()?;
        self.tally.began();
        Ok(part)
    }

    fn write(&mut self, mut part: Part, said: &Said) -> io::Result<Part> {
        if part.bytes >= self.file_bytes {
            part.end()?;
            self.name = self.name.next();
            part = self.open()?;
        }
        self.note_missing(&mut part, said.at, said.missing)?;
        let text = String::from_utf8_lossy(&said.bytes);
        let text = (self.redact)(&text);
        part.line(&Line::said(said.at, said.direction, &text))?;
        self.tally.line();
        if begins_with(&said.bytes, TURN_ENDED) {
            part.flush()?;
        }
        Ok(part)
    }

    fn note_missing(&self, part: &mut Part, at: Duration, missing: u64) -> io::Result<()> {
        if missing > 0 {
            self.tally.missing(missing);
            part.line(&Line::missing(at, missing))?;
        }
        Ok(())
    }

    fn end(&self, mut part: Part) -> io::Result<()> {
        // When these came is not known; that they are missing at the end is.
        self.note_missing(&mut part, Duration::ZERO, self.exit.missing())?;
        part.end()
    }
}

/// Whether a line's beginning has this word.
fn begins_with(line: &[u8], word: &[u8]) -> bool {
    let beginning = &line[..line.len().min(BEGINNING)];
    beginning.windows(word.len()).any(|window| window == word)
}
