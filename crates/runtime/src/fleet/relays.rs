//! App-servers behind relays: they outlive this program, and the next one goes on with them.
//!
//! Each has a directory of its own, named after its marker: the relay's files, a note of ours that says what cannot be
//! asked again, and a lock that whoever works with it holds. `docs/design/06-relay.md` has the whole.

mod adopt;
mod held;
mod list;
mod note;
mod said;

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use selvedge_client::{self as client, Client, Inbox, Options, ServerInfo, connect_to, process::MARKER};
use selvedge_relay::{Error, Place};
use tokio::{net::UnixStream, task::spawn_blocking};

pub(super) use adopt::{Adopted, Gate, adopt};
pub(super) use held::Relayed;
pub use list::{RelayInfo, RelayState, list};
pub(super) use note::{Backend, Note};

use said::Said;

use super::{
    environment::Environment,
    options::FleetOptions,
    owner::{self, Owner},
};

/// How long a lock of somebody who is gone is waited for.
const LAST_MOMENT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// How app-servers are held by relays.
#[derive(Debug, Clone)]
pub(crate) struct RelayOptions {
    /// The program that is a relay's daemon when it is started with `relay daemon …`; new app-servers are held by none,
    /// if there is no such program.
    pub(crate) program: Option<PathBuf>,
    /// Where their directories lie.
    pub(crate) directory: PathBuf,
    /// After so long without a program of ours they end.
    pub(crate) idle: Option<Duration>,
}

/// Where the relays of a data directory lie.
pub(crate) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("relays")
}

/// A conversation through a relay.
pub(super) struct Through {
    pub(super) client: Client,
    pub(super) inbox: Inbox,
    pub(super) relayed: Relayed,
}

/// Starts an app-server behind a relay of its own, and begins the first conversation with it.
pub(super) async fn start(child: &client::Launch, options: &FleetOptions) -> Result<Option<Through>, Error> {
    let Some(relays) = &options.relays else { return Ok(None) };
    let Some(program) = relays.program.clone() else { return Ok(None) };
    let id = child.marker;
    let directory = relays.directory.join(id.to_string());
    let launch = launch(child, (program, &directory, relays.idle))?;
    let place = launch.place.clone();
    let started = spawn_blocking(move || {
        private_directory(&directory)?;
        let lock = lock(&directory)?.ok_or_else(|| io::Error::other("another program has it"))?;
        Ok((lock, selvedge_relay::start(launch)))
    });
    let unusable = |error: io::Error| failed(&place, &error);
    let (lock, started) = started.await.map_err(io::Error::other).and_then(|it| it).map_err(unusable)?;
    started?;
    let relayed = Relayed::new(id, place.clone(), lock);
    let stream = attach(&place, 0).map_err(unusable)?;
    let (client, inbox) = converse(stream, &child.options, &relayed);
    Ok(Some(Through { client, inbox, relayed }))
}

fn launch(
    child: &client::Launch,
    (program, directory, idle): (PathBuf, &Path, Option<Duration>),
) -> Result<selvedge_relay::Launch, Error> {
    let place = Place::at(directory)?;
    // Whoever looks for what a dead program left behind finds the child by these, and asks its relay whether it is left.
    let owner = owner::of_relay(place.directory());
    let signs = vec![(MARKER.into(), child.marker.to_string().into()), (owner::OWNER.into(), owner)];
    let mut environment = child.environment.clone();
    environment.retain(|(name, _)| name != owner::OWNER);
    environment.extend([(MARKER.into(), None), (owner::OWNER.into(), None)]);
    let held = selvedge_relay::Options {
        directory: child.directory.clone().unwrap_or_else(|| PathBuf::from(".")),
        // What is said to Codex holds secrets, and none of them is ever written to a log.
        log_stdin: false,
        ahead: true,
        diff_stat: false,
        idle,
    };
    let command = std::iter::once(child.program.clone().into_os_string())
        .chain(child.arguments.iter().cloned())
        .collect();
    Ok(selvedge_relay::Launch { program, place, options: held, command, environment, signs })
}

/// Talks with the app-server through this stream. How it ended is found out from the relay's files.
fn converse(stream: UnixStream, options: &Options, relayed: &Relayed) -> (Client, Inbox) {
    let (input, output) = stream.into_split();
    let said = Said::by(input, relayed.place().log(), options.offset);
    let relayed = relayed.clone();
    connect_to(said, output, options, async move |closed_by| relayed.how_it_ended(closed_by).await)
}

fn attach(place: &Place, offset: u64) -> io::Result<UnixStream> {
    let stream = place.attach(offset)?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

fn private_directory(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Held by whoever works with the relay; nothing if somebody else does. What a dead one had started in its last moment may
/// have a copy of it for a moment more.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    let path = directory.join("owner");
    let mut options = File::options();
    let mut file = options.create(true).truncate(false).write(true).mode(0o600).open(&path)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(fs::TryLockError::WouldBlock)
                if begun.elapsed() < LAST_MOMENT && !has_living_owner(&path) =>
            {
                thread::park_timeout(LOOK_AGAIN);
            }
            Err(fs::TryLockError::WouldBlock) => return Ok(None),
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
    }
    file.set_len(0)?;
    file.write_all(Owner::this().to_string().as_bytes())?;
    Ok(Some(file))
}

fn has_living_owner(path: &Path) -> bool {
    let owner: Option<Owner> = fs::read_to_string(path).ok().and_then(|said| said.parse().ok());
    owner.is_some_and(|owner| owner.is_alive())
}

pub(super) fn failed(place: &Place, error: &io::Error) -> Error {
    Error {
        what: format!("the relay at {} cannot be used: {error}", place.directory().display()),
        hint: "make room for it, or do without relays: --no-relay".to_owned(),
        wrong_input: false,
    }
}

/// What is to be noted of an app-server that has just introduced itself.
pub(super) fn note_of(environment: &Environment, info: &ServerInfo) -> Note {
    Note::new(environment, info)
}
