//! The door of a program that owns sessions: others on the same data directory knock, and their commands are done there.
//!
//! A session has one owner. Somebody in another terminal who answers its approval or sends it a message reaches that
//! owner through a Unix socket that only this user can open: one line with the command, one line back.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::Duration,
};

use selvedge_journal::Store as _;
use selvedge_session::{Code, Command, SessionId};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    sync::oneshot,
    task::{JoinHandle, JoinSet},
    time::timeout,
};

use crate::{
    actor::{Ask, Done, IdempotencyKey, Wish},
    error::Error,
    fleet::Owner,
    house::House,
    ledger::{self, LEASE},
};

/// How long the owner may take; it waits for nothing but its disk.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest line: a message at its limit, in the widest characters, escaped.
const LONGEST_LINE: u64 = 32 * 1024 * 1024;

/// What is wanted of the owner.
#[derive(Serialize, Deserialize)]
struct Wanted {
    session: SessionId,
    command: Command,
    key: Option<IdempotencyKey>,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
enum Answered {
    Done(Done),
    Refused { code: String, message: String, hint: Option<String> },
}

/// An open door. One that is dropped lets nobody in any more.
#[derive(Debug)]
pub(crate) struct Door {
    place: PathBuf,
    close: oneshot::Sender<()>,
    porter: JoinHandle<()>,
}

impl Door {
    /// Lets nobody in any more, and waits for those who are inside: what was done for them is said to them.
    pub(crate) async fn close(self) {
        // Whoever knocks at a socket that is gone learns the same from the lease.
        let _gone = fs::remove_file(&self.place);
        let _ended = self.close.send(());
        let _panicked = self.porter.await;
    }
}

/// Opens the door of this program. Where there can be none (a path too long for a socket, another runtime of this
/// program), its sessions can only be commanded from here.
pub(crate) fn open(house: &Arc<House>) -> Option<Door> {
    let place = place_of(&house.config.data_dir, &house.owner);
    let listener = bind(&place).ok()?;
    let (close, closed) = oneshot::channel();
    #[expect(clippy::disallowed_methods, reason = "the `Door` holds the handle, and awaits it")]
    let porter = tokio::spawn(let_in(listener, Arc::downgrade(house), closed));
    Some(Door { place, close, porter })
}

/// Lets visitors in, until the door is closed or dropped.
async fn let_in(listener: UnixListener, house: Weak<House>, mut closed: oneshot::Receiver<()>) {
    let mut visits = JoinSet::new();
    loop {
        let visitor = tokio::select! {
            _ = &mut closed => break,
            visitor = listener.accept() => visitor,
        };
        while visits.try_join_next().is_some() {}
        let (Ok((visitor, _)), Some(house)) = (visitor, house.upgrade()) else { continue };
        visits.spawn(async move {
            // A visitor who leaves early is not waited for.
            let _left = timeout(PATIENCE, receive(&house, visitor)).await;
        });
    }
    drop(listener);
    while visits.join_next().await.is_some() {}
}

fn place_of(data_dir: &Path, owner: &Owner) -> PathBuf {
    data_dir.join("doors").join(format!("{}.sock", owner.pid()))
}

fn bind(place: &Path) -> io::Result<UnixListener> {
    let directory = place.parent().unwrap_or(place);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    match UnixListener::bind(place) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && !is_answered(place) => {
            // Left by a program that had our number before us.
            fs::remove_file(place)?;
            UnixListener::bind(place)
        }
        bound => bound,
    }
    .and_then(|listener| {
        fs::set_permissions(place, fs::Permissions::from_mode(0o600))?;
        Ok(listener)
    })
}

fn is_answered(place: &Path) -> bool {
    std::os::unix::net::UnixStream::connect(place).is_ok()
}

async fn receive(house: &Arc<House>, visitor: UnixStream) -> io::Result<()> {
    let (reading, mut writing) = visitor.into_split();
    let mut line = String::new();
    BufReader::new(reading.take(LONGEST_LINE)).read_line(&mut line).await?;
    let answered = match serde_json::from_str::<Wanted>(&line) {
        Ok(Wanted { session, command, key }) => {
            let wish = Box::new(Wish { command, key });
            let make = |reply| Ask::Command { wish: wish.clone(), reply };
            house.ask(session, make).await.map_or_else(Answered::of, Answered::Done)
        }
        Err(error) => Answered::of(Error::coded(Code::InvalidArgument, error.to_string())),
    };
    let mut line = serde_json::to_vec(&answered)?;
    line.push(b'\n');
    writing.write_all(&line).await
}

impl Answered {
    fn of(error: Error) -> Self {
        Self::Refused { code: error.code.as_str().to_owned(), message: error.message, hint: error.hint }
    }
}

/// Has a command done by the program that owns the session; nothing if there is no such program to be reached.
pub(crate) async fn knock(
    house: &House,
    session: SessionId,
    command: &Command,
    key: Option<&IdempotencyKey>,
) -> Option<Result<Done, Error>> {
    let lease = house.store.newest(&ledger::key(session), LEASE).await.ok()??;
    let owner: Owner = ledger::lease_of(&lease)??.parse().ok()?;
    let wanted = Wanted { session, command: command.clone(), key: key.cloned() };
    let answered =
        timeout(PATIENCE, ask(&place_of(&house.config.data_dir, &owner), &wanted)).await.ok()?.ok()?;
    Some(match answered {
        Answered::Done(done) => Ok(done),
        Answered::Refused { code, message, hint } => {
            Err(Error { code: Code::named(&code).unwrap_or(Code::Internal), message, hint, field: None })
        }
    })
}

async fn ask(place: &Path, wanted: &Wanted) -> io::Result<Answered> {
    let mut owner = UnixStream::connect(place).await?;
    let mut line = serde_json::to_vec(wanted)?;
    line.push(b'\n');
    owner.write_all(&line).await?;
    let mut answer = String::new();
    BufReader::new(owner.take(LONGEST_LINE)).read_line(&mut answer).await?;
    Ok(serde_json::from_str(&answer)?)
}
