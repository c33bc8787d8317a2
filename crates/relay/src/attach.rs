//! The client: a relay's child on our own stdin and stdout.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    thread,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{Ended, Error, Place, Standing};

/// How long the last words are waited for after our stdin has ended, as in caic.
const LAST_WORDS: Duration = Duration::from_secs(25);
const CHUNK: usize = 64 * 1024;

/// Why a client and a relay parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parted {
    /// Our stdin or stdout has ended. The child runs on.
    Left,
    /// The child has ended.
    Ended(Ended),
    /// Another client took our place.
    TakenOver,
    /// The relay was killed; its child ends with it, nobody knows how.
    Killed,
}

/// Shows what the child said from this byte of the log on, then live, and hands it our stdin.
///
/// Where the relay has ended already, what is left in its log is shown.
pub fn attach(place: &Place, offset: u64) -> Result<Parted, Error> {
    let Ok(relay) = place.connect() else { return afterwards(place, offset) };
    let heard = converse(relay, offset).map_err(|error| {
        let what = format!("cannot talk with the relay at {}: {error}", place.directory().display());
        Error::failed(what, "look at the system's limits")
    })?;
    let after_stdin = match heard {
        Heard::AllOfIt { after_stdin } => after_stdin,
        // It was about to end when we came, and let nobody in any more.
        Heard::Nothing { .. } if matches!(place.standing(), Standing::Ended(_)) => {
            return afterwards(place, offset);
        }
        Heard::Nothing { after_stdin } => after_stdin,
        Heard::Enough => return Ok(Parted::Left),
    };
    Ok(reason(place, after_stdin))
}

fn converse(mut relay: UnixStream, offset: u64) -> io::Result<Heard> {
    if relay.write_all(format!("{{\"offset\": {offset}}}\n").as_bytes()).is_err() {
        return Ok(Heard::Nothing { after_stdin: false });
    }
    let speaking = relay.try_clone()?;
    let (said_all, our_stdin) = UnixStream::pair()?;
    thread::Builder::new().name("stdin".into()).spawn(move || speak(speaking, said_all))?;
    Ok(listen(relay, &our_stdin))
}

/// Our stdin to the relay. When it has ended, `said_all` is dropped and with that the other thread knows; before the
/// relay does, or its answer would look like an end for another reason.
fn speak(mut relay: UnixStream, said_all: UnixStream) {
    let mut stdin = io::stdin().lock();
    let mut chunk = [0; CHUNK];
    loop {
        match stdin.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(length @ 1..) if relay.write_all(chunk.get(..length).unwrap_or_default()).is_ok() => {}
            _ => break,
        }
    }
    drop(said_all);
    // The relay may be gone, and then it needs not be told.
    let _gone = relay.shutdown(Shutdown::Write);
}

enum Heard {
    /// The relay closed the connection at once.
    Nothing { after_stdin: bool },
    /// The relay closed the connection, perhaps because our stdin had ended.
    AllOfIt { after_stdin: bool },
    /// We have had our time, or nobody reads what we show.
    Enough,
}

/// The relay to our stdout, until it closes, or too long after our stdin has ended.
fn listen(mut relay: UnixStream, our_stdin: &UnixStream) -> Heard {
    let mut stdout = io::stdout().lock();
    let mut chunk = [0; CHUNK];
    let mut until: Option<Instant> = None;
    let mut anything = false;
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut ends = [PollFd::new(&relay, PollFlags::IN), PollFd::new(our_stdin, PollFlags::IN)];
        // Once our stdin has ended there is nothing more to hear of it.
        let asked = if until.is_none() { 2 } else { 1 };
        match poll(ends.get_mut(..asked).unwrap_or_default(), left.as_ref()) {
            Ok(0) => return Heard::Enough,
            Ok(_) => {}
            Err(error) if error == rustix::io::Errno::INTR => continue,
            Err(_) => return Heard::Enough,
        }
        let [from_relay, from_stdin] = ends.map(|end| !end.revents().is_empty());
        if from_stdin && until.is_none() {
            until = Some(Instant::now() + LAST_WORDS);
        }
        if from_relay {
            match relay.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) if anything => return Heard::AllOfIt { after_stdin: until.is_some() },
                Ok(0) | Err(_) => return Heard::Nothing { after_stdin: until.is_some() },
                Ok(length) => {
                    anything = true;
                    let shown = stdout.write_all(chunk.get(..length).unwrap_or_default());
                    if shown.and_then(|()| stdout.flush()).is_err() {
                        return Heard::Enough;
                    }
                }
            }
        }
    }
}

/// The stream does not say why it closed; the relay's files do.
fn reason(place: &Place, after_stdin: bool) -> Parted {
    match place.standing() {
        Standing::Running if after_stdin => Parted::Left,
        Standing::Running => Parted::TakenOver,
        Standing::Ended(ended) => Parted::Ended(ended),
        Standing::Killed | Standing::Nothing => Parted::Killed,
    }
}

/// What an ended relay left in its log.
fn afterwards(place: &Place, offset: u64) -> Result<Parted, Error> {
    let standing = place.standing();
    if standing == Standing::Nothing {
        let what = format!("there is no relay at {}", place.directory().display());
        let hint = "start one with `selvedge relay serve-attach`; --dir or --state say where it is";
        return Err(Error::failed(what, hint));
    }
    let shown = File::open(place.log()).and_then(|mut log| {
        log.seek(SeekFrom::Start(offset))?;
        let mut stdout = io::stdout().lock();
        io::copy(&mut log, &mut stdout)?;
        stdout.flush()
    });
    shown.map_err(|error| {
        Error::failed(format!("cannot show {}: {error}", place.log().display()), "look whether it is there")
    })?;
    Ok(reason(place, false))
}
