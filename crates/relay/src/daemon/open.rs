//! Sets a daemon up: all of it, or nothing and why.

use std::{
    env, fs,
    fs::{File, TryLockError},
    io::{self, Write},
    os::unix::{
        fs::PermissionsExt,
        net::{UnixListener, UnixStream},
    },
    path::Path,
    process, thread,
    time::{Duration, Instant},
};

use super::{
    arguments::Task,
    child,
    diary::Diary,
    diff,
    exchange::{Exchange, Parts},
    input::Input,
    log::Log,
};
use crate::{Error, Place};

/// How long a relay that does not answer may hold its place.
const DYING: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Takes the place, starts the child in it, and listens.
pub(super) fn open(task: &Task) -> Result<Exchange, Error> {
    // It fails only for who is the head of a session already, which is what is wanted.
    let _head_already = rustix::process::setsid();
    let place = &task.place;
    place.prepare()?;
    let lock = take(place)?;
    let opened = hold(task, lock);
    if opened.is_err() {
        leave(place);
    }
    opened
}

fn hold(task: &Task, lock: File) -> Result<Exchange, Error> {
    let place = &task.place;
    let mut diary = Diary::begin(place).map_err(|error| unusable(place, &error))?;
    rustix::stdio::dup2_stderr(diary.file()).map_err(|error| unusable(place, &error.into()))?;
    let (log, listener) = files(place).map_err(|error| unusable(place, &error))?;
    diary.info(format_args!(
        "relay daemon started pid={} cmd={:?} cwd={}",
        process::id(),
        task.command,
        task.options.directory.display()
    ));
    let (wake, waking) = UnixStream::pair().map_err(|error| unusable(place, &error))?;
    let diff = task.options.diff_stat.then(|| diff::watch(task, waking.try_clone()?)).transpose();
    let diff = diff.map_err(|error| unusable(place, &error))?;
    let (child, stdin) = child::spawn(task, waking)?;
    diary.info(format_args!("subprocess started pid={}", child.pid));
    // How the one before ended is true until there is another.
    remove(&place.exit()).map_err(|error| unusable(place, &error))?;
    let input = Input::new(stdin);
    let options = task.options.clone();
    Ok(Exchange::new(Parts {
        place: place.clone(),
        options,
        lock,
        diary,
        log,
        listener,
        wake,
        child,
        input,
        diff,
    }))
}

/// One relay a place. The lock goes with its process, however that ends.
fn take(place: &Place) -> Result<File, Error> {
    let lock = Place::private().write(true).truncate(false).open(place.lock());
    let lock = lock.map_err(|error| unusable(place, &error))?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::Error(error)) => return Err(unusable(place, &error)),
            // One that is being killed answers no more, and lets go of the lock a moment later.
            Err(TryLockError::WouldBlock) if begun.elapsed() < DYING && !place.answers() => {
                thread::park_timeout(LOOK_AGAIN);
            }
            Err(TryLockError::WouldBlock) => return Err(taken(place)),
        }
    }
}

fn taken(place: &Place) -> Error {
    let process = place.process().map_or_else(String::new, |pid| format!(" (process {pid})"));
    let what = format!("a relay runs at {} already{process}", place.directory().display());
    let hint = "go on with `selvedge relay attach`, end it with `selvedge relay stop`, or name another place with --state";
    Error::input(what, hint)
}

/// What a killed relay left is in nobody's way: the place is ours.
fn files(place: &Place) -> io::Result<(Log, UnixListener)> {
    remove(&place.socket())?;
    let log = Log::open(&place.log())?;
    // By a relative name, because an address has room for about 100 bytes only.
    env::set_current_dir(place.directory())?;
    let name = Path::new("relay.sock");
    let listener = UnixListener::bind(name)?;
    fs::set_permissions(name, fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    let mut pid = Place::private().write(true).truncate(true).open(place.pid())?;
    pid.write_all(process::id().to_string().as_bytes())?;
    Ok((log, listener))
}

/// Nobody shall look for us any more.
pub(super) fn leave(place: &Place) {
    // What cannot be removed is stale, and the next relay removes it.
    let _stale = (remove(&place.socket()), remove(&place.pid()));
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn unusable(place: &Place, error: &io::Error) -> Error {
    let what = format!("{} cannot hold the relay's files: {error}", place.directory().display());
    Error::failed(what, "make room or change its permissions, or name another directory with --state")
}
