//! At a start: every relay that an earlier program left, living or dead, with what is not in the journal yet.

use std::{
    collections::HashSet,
    fmt,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use selvedge_client::{Client, Inbox, Listener, Options, connect_to};
use selvedge_relay::{Place, Standing};
use selvedge_session::SessionId;
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    task::{JoinSet, spawn_blocking},
    time::timeout,
};
use uuid::Uuid;

use super::{Note, Relayed, Said, Through, attach, converse, lock};
use crate::fleet::{
    counters::Counters,
    generation::{Generation, Hold, Parts},
    options::FleetOptions,
    router::{Board, Loaded, Router, Whose, parent_in},
    start::{Started, listen},
};

/// How long a session may take to go on listening before the others go on without it.
const ARRIVAL: Duration = Duration::from_secs(20);

/// An app-server of an earlier program. It is read as soon as all have come that it is expected to talk to.
pub(in crate::fleet) struct Adopted {
    pub(in crate::fleet) started: Started,
    /// By what its sessions find it.
    pub(in crate::fleet) environment: String,
    /// Whether its app-server had ended: it is there only for what it said last.
    pub(in crate::fleet) is_dead: bool,
}

impl fmt::Debug for Adopted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.started.generation.id;
        f.debug_struct("Adopted").field("id", &id).field("is_dead", &self.is_dead).finish_non_exhaustive()
    }
}

/// Opens when all are named that are expected, and have come.
#[derive(Debug, Clone)]
pub(in crate::fleet) struct Gate {
    awaited: watch::Sender<Awaited>,
}

#[derive(Debug, Default)]
struct Awaited {
    /// Whether somebody else may still be named.
    unnamed: bool,
    sessions: HashSet<SessionId>,
}

impl Awaited {
    fn is_nobody(&self) -> bool {
        !self.unnamed && self.sessions.is_empty()
    }
}

impl Gate {
    /// One that is open.
    pub(in crate::fleet) fn open() -> Self {
        Self { awaited: watch::Sender::default() }
    }

    /// One that is closed until all are named.
    pub(in crate::fleet) fn closed() -> Self {
        Self { awaited: watch::Sender::new(Awaited { unnamed: true, ..Awaited::default() }) }
    }

    pub(in crate::fleet) fn expect(&self, session: SessionId) {
        self.awaited.send_modify(|awaited| _ = awaited.sessions.insert(session));
    }

    /// Nobody else is expected.
    pub(in crate::fleet) fn all_named(&self) {
        self.awaited.send_modify(|awaited| awaited.unnamed = false);
    }

    pub(in crate::fleet) fn came(&self, session: SessionId) {
        self.awaited.send_modify(|awaited| _ = awaited.sessions.remove(&session));
    }

    pub(in crate::fleet) fn is_open(&self) -> bool {
        self.awaited.borrow().is_nobody()
    }

    /// Waits until it is open; not for ever.
    pub(in crate::fleet) async fn pass(&self) {
        let mut awaited = self.awaited.subscribe();
        let _late = timeout(ARRIVAL, awaited.wait_for(Awaited::is_nobody)).await;
    }
}

/// Takes over what is there and nobody else works with, all of it or one. What is of no use is removed.
pub(in crate::fleet) async fn adopt(
    options: &FleetOptions,
    only: Option<Uuid>,
    counters: &Arc<Counters>,
) -> Vec<Adopted> {
    let Some(relays) = &options.relays else { return Vec::new() };
    let paths = match only {
        Some(one) => vec![relays.directory.join(one.to_string())],
        None => {
            let entries = fs::read_dir(&relays.directory).into_iter().flatten();
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
        }
    };
    // All at once: one that takes its time to answer holds up no other.
    let adopt = |path| adopt_one(path, options.clone(), Arc::clone(counters));
    let adopting: JoinSet<_> = paths.into_iter().map(adopt).collect();
    adopting.join_all().await.into_iter().flatten().collect()
}

async fn adopt_one(path: PathBuf, options: FleetOptions, counters: Arc<Counters>) -> Option<Adopted> {
    let looked = path.clone();
    let left = spawn_blocking(move || left_at(&looked)).await.ok()??;
    match take_over(left, &options, &counters).await {
        Ok(one) => Some(one),
        Err(error) => {
            tracing::warn!(relay = %path.display(), %error, "what an earlier program left cannot be gone on with");
            None
        }
    }
}

/// A relay of an earlier program.
struct Left {
    id: Uuid,
    place: Place,
    lock: File,
    note: Note,
    is_dead: bool,
}

fn left_at(path: &Path) -> Option<Left> {
    let id = path.file_name()?.to_str()?.parse().ok()?;
    let place = Place::at(path).ok()?;
    if !path.is_dir() {
        return None;
    }
    // Nobody's, or it is not ours to take.
    let lock = lock(path).ok()??;
    let standing = place.standing();
    let is_dead = standing != Standing::Running;
    match Note::read(path) {
        Some(note) if standing != Standing::Nothing => Some(Left { id, place, lock, note, is_dead }),
        // It was never introduced to anybody: no session knows it.
        _ => {
            if !is_dead {
                let _gone = selvedge_relay::stop(&place);
            }
            let _next_time = fs::remove_dir_all(path);
            None
        }
    }
}

async fn take_over(left: Left, options: &FleetOptions, counters: &Arc<Counters>) -> io::Result<Adopted> {
    let Left { id, place, lock, mut note, mut is_dead } = left;
    note.epoch += 1;
    note.write(place.directory())?;
    let ear = listen(id, note.backend, options);
    let tap = ear.clone().map(|ear| ear as Arc<dyn Listener>);
    let conversation = Options { epoch: note.epoch, offset: note.durable, tap, ..options.conversation() };
    let relayed = Relayed::new(id, place.clone(), lock);
    // It may have ended since it was looked at.
    let stream = if is_dead { None } else { attach(&place, note.durable).ok() };
    is_dead = stream.is_none();
    let (client, inbox) = match stream {
        Some(stream) => converse(stream, &conversation, &relayed),
        None => read_again(&place, &conversation, &relayed)?,
    };
    let through = Through { client, inbox, relayed };
    let (environment, isolated) = (note.environment.clone(), note.isolated);
    let started = Started { ear, ..generation(id, through, note, (options, counters)).await };
    if isolated {
        started.generation.reserve();
    }
    Ok(Adopted { started, environment, is_dead })
}

/// What a dead one said last, as if it said it now.
fn read_again(place: &Place, options: &Options, relayed: &Relayed) -> io::Result<(Client, Inbox)> {
    let (said, relayed) = (Said::at_last(place.log(), options.offset)?, relayed.clone());
    let look = async move |closed_by| relayed.how_it_ended(closed_by).await;
    Ok(connect_to(said, tokio::io::sink(), options, look))
}

async fn generation(
    id: Uuid,
    through: Through,
    note: Note,
    (options, counters): (&FleetOptions, &Arc<Counters>),
) -> Started {
    let Through { client, inbox, relayed } = through;
    let board = Arc::new(Board::new(id, options.hold.clone()));
    board.are_loaded(loaded(&client, options.probe).await, relayed.place().said());
    let router = Router::new((&client, inbox), Arc::clone(&board), options, (id, Arc::clone(counters)));
    let parts = Parts {
        id,
        client,
        info: note.info(),
        stamp: note.stamp,
        is_astray: note.tools_at.is_some() && note.tools_at != options.tools_at,
        hold: Hold::Relay(relayed, note.into()),
        board,
        threads: options.threads_per_process,
        probe_limit: options.probe,
        gate: Gate::closed(),
    };
    Started { generation: Arc::new(Generation::new(parts)), router, ear: None }
}

/// The threads that nobody else can load while this one lives, and what each says of itself.
async fn loaded(client: &Client, limit: Duration) -> Vec<Loaded> {
    let Ok(answer) = client.request_within("thread/loaded/list", &json!({}), limit).await else {
        return Vec::new();
    };
    let answer: Value = serde_json::from_str(answer.result().get()).unwrap_or_default();
    let ids = answer["data"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let reading: JoinSet<_> = ids.map(|id| read(client.clone(), id.to_owned(), limit)).collect();
    reading.join_all().await
}

async fn read(client: Client, thread: String, limit: Duration) -> Loaded {
    let params = json!({ "threadId": thread, "includeTurns": false });
    let answer = client.request_within("thread/read", &params, limit).await;
    let said: Option<Value> = answer.ok().and_then(|reply| serde_json::from_str(reply.result().get()).ok());
    let whose = match said.map(|said| parent_in(&said["thread"])) {
        None => Whose::Unknown,
        Some(None) => Whose::OfItself,
        Some(Some(parent)) => Whose::ChildOf(parent),
    };
    Loaded { thread, whose }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_opens_when_all_are_named_and_have_come() {
        let (gate, late) = (Gate::closed(), SessionId(Uuid::now_v7()));
        assert!(!gate.is_open(), "nobody is named yet");
        gate.expect(late);
        gate.all_named();
        assert!(!gate.is_open(), "one is still to come");
        gate.came(late);
        assert!(gate.is_open());
    }
}
