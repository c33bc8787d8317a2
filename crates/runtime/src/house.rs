//! What everything in a runtime stands on, and the actors that live in it.

use std::{
    collections::HashMap,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use selvedge_client::Redactions;
use selvedge_journal::{AppendError, Head, Record, SessionId as Key, SqliteStore, Store as _};
use selvedge_session::{Code, SessionId, Settings};
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::{JoinHandle, JoinSet},
};

use crate::{
    actor::{self, Ask},
    clock::Clock,
    config::Config,
    door::{self, Door},
    endpoint::Endpoints,
    error::Error,
    files::{Files, hex},
    fleet::{Fleet, Owner},
    git,
    ledger::{self, table},
    named::Named,
    once::Answers,
    runtime::{Broom, Sessions},
    secrets::{Secrets, SessionSecrets},
    tally::Tallies,
    unclaimed::Keeper,
};

/// Asks that wait for one actor; more of them make their callers wait.
const ASKS: usize = 64;
/// Rows of the index read at once.
const PAGE: usize = 1000;
/// How often an ask that met an actor going to rest is made again.
const TRIES: usize = 10;

/// What the actors of a runtime share.
pub(crate) struct House {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) store: SqliteStore,
    pub(crate) fleet: Fleet,
    pub(crate) files: Files,
    pub(crate) secrets: Secrets,
    /// Where sessions' tools are reached.
    pub(crate) endpoints: Endpoints,
    pub(crate) owner: Owner,
    pub(crate) actors: Actors,
    /// Room for sessions is given by one at a time, so that none is too many.
    pub(crate) room: tokio::sync::Mutex<Sessions>,
    /// What is made with a key is made by one at a time, so that a key makes one.
    pub(crate) making: Named,
    /// Servers of sessions are switched one at a time.
    pub(crate) switching: tokio::sync::Mutex<()>,
    /// What an earlier program left is taken over by one at a time.
    pub(crate) adopting: tokio::sync::Mutex<()>,
    /// What is done once for a key is done by one at a time.
    pub(crate) answering: Named,
    /// What was answered to them.
    pub(crate) answers: Answers,
    /// Where git is shown what it is to look at.
    pub(crate) looks: git::Looks,
    /// What git said lately.
    pub(crate) git: Arc<git::Recent>,
    /// Who keeps what no session could claim.
    pub(crate) keeper: Mutex<Option<Keeper>>,
    /// What was done, in numbers.
    pub(crate) tallies: Tallies,
    /// Where other programs knock.
    pub(crate) door: Mutex<Option<Door>>,
    /// Who removes old sessions.
    pub(crate) broom: Mutex<Option<Broom>>,
    /// Who ends, at the start, what dead programs left running.
    pub(crate) leftovers: Mutex<Option<JoinHandle<()>>>,
}

/// The sessions in use.
#[derive(Default)]
pub(crate) struct Actors {
    map: Mutex<HashMap<SessionId, Entry>>,
    tasks: Mutex<JoinSet<()>>,
}

#[derive(Clone)]
struct Entry {
    asks: mpsc::Sender<Ask>,
    /// Closed when the actor is gone for good.
    gone: watch::Receiver<()>,
}

impl House {
    /// Sessions that a start looks after: with a turn, a queue, or something that was not answered.
    pub(crate) async fn open_sessions(&self) -> Result<Vec<SessionId>, Error> {
        let mut open = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.store.list(table::OPEN, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(open) };
            cursor = Some(last.key.clone());
            open.extend(page.iter().filter_map(|found| found.key.parse().ok()).map(SessionId));
        }
    }

    /// What a session's thread is told that nobody else may know.
    pub(crate) async fn secrets_of(
        &self,
        id: SessionId,
        settings: &Settings,
    ) -> Result<SessionSecrets, Error> {
        let mut secrets = self.secrets.get(id).await?;
        self.endpoints.add_to(&mut secrets, id, settings);
        Ok(secrets)
    }

    /// What is cut out of everything that is shown of a session, though no app-server says it.
    pub(crate) async fn hidden_of(&self, id: SessionId, settings: &Settings) -> Result<Redactions, Error> {
        let secrets = self.secrets_of(id, settings).await?;
        Ok(self.config.hidden.with(&secrets.values()))
    }

    /// Where a session works that has a branch of its own.
    pub(crate) fn worktree(&self, id: SessionId) -> PathBuf {
        self.config.data_dir.join("worktrees").join(id.to_string())
    }

    /// Whether a directory is one that was made for a session on a branch.
    pub(crate) fn is_worktree(&self, place: &Path) -> bool {
        let id = place.file_name().and_then(|name| name.to_str()?.parse().ok());
        id.is_some_and(|id| self.worktree(SessionId(id)) == place)
    }

    /// Where a session works that was given no directory: empty, and its own.
    pub(crate) fn workplace(&self, id: SessionId) -> PathBuf {
        self.config.data_dir.join("workplaces").join(id.to_string())
    }

    /// Whether a session works in a directory that was made for it.
    pub(crate) fn has_workplace(&self, id: SessionId, cwd: &str) -> bool {
        Path::new(cwd) == self.workplace(id)
    }

    /// The home of bare sessions, beside this one of Codex's.
    pub(crate) fn bare_home(&self, codex_home: &Path) -> PathBuf {
        let name = hex(&Sha256::digest(codex_home.as_os_str().as_bytes())[..8]);
        self.config.data_dir.join("bare").join(name)
    }

    /// Appends a record, and counts it.
    pub(crate) async fn append(
        &self,
        key: &Key,
        expected_n: u64,
        record: Record,
    ) -> Result<Head, AppendError> {
        self.timed(record.events.len(), self.store.append(key, expected_n, record)).await
    }

    /// The same of a session that is ours; a [brief](ledger::is_brief) record may be jotted down.
    pub(crate) async fn append_ours(
        &self,
        key: &Key,
        expected_n: u64,
        record: Record,
    ) -> Result<Head, AppendError> {
        if ledger::is_brief(&record) {
            self.timed(record.events.len(), self.store.jot(key, expected_n, record)).await
        } else {
            self.append(key, expected_n, record).await
        }
    }

    async fn timed(
        &self,
        events: usize,
        append: impl Future<Output = Result<Head, AppendError>>,
    ) -> Result<Head, AppendError> {
        let begun = Instant::now();
        let head = append.await?;
        self.tallies.committed(events as u64, begun.elapsed());
        Ok(head)
    }

    /// Asks a session's actor, and wakes it if it sleeps.
    pub(crate) async fn ask<T>(
        self: &Arc<Self>,
        id: SessionId,
        make: impl Fn(oneshot::Sender<Result<T, Error>>) -> Ask,
    ) -> Result<T, Error> {
        for _ in 0..TRIES {
            let mut entry = self.entry(id)?;
            let (reply, answer) = oneshot::channel();
            if entry.asks.send(make(reply)).await.is_ok()
                && let Ok(answer) = answer.await
            {
                return answer;
            }
            // It was going to rest and did not look at this: when it is gone, another takes its place.
            while entry.gone.changed().await.is_ok() {}
            self.actors.forget(id, &entry);
        }
        Err(Error::coded(Code::Internal, "the session's owner ended again and again"))
    }

    /// Wakes a session without asking anything of it.
    pub(crate) fn wake(self: &Arc<Self>, id: SessionId) -> Result<(), Error> {
        self.entry(id).map(drop)
    }

    /// Nobody else's commands are taken from now on; those that were are done.
    pub(crate) async fn close_door(&self) {
        let door = self.door.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(door) = door {
            door.close().await;
        }
    }

    /// What no session could claim, and has come by now, is kept.
    pub(crate) async fn last_keeping(&self) {
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeper) = keeper {
            keeper.end().await;
        }
    }

    /// Old sessions stay from now on.
    pub(crate) async fn last_sweeping(&self) {
        let broom = self.broom.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(broom) = broom {
            broom.end().await;
        }
    }

    /// Nothing of a dead program's runs any more.
    pub(crate) async fn last_leftovers(&self) {
        let leftovers = self.leftovers.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(leftovers) = leftovers {
            let _panicked = leftovers.await;
        }
    }

    /// Lets others knock.
    pub(crate) fn open_door(self: &Arc<Self>) {
        let door = door::open(self);
        *self.door.lock().unwrap_or_else(PoisonError::into_inner) = door;
    }

    /// The actors that live now.
    pub(crate) fn awake(&self) -> Vec<SessionId> {
        self.actors.map().keys().copied().collect()
    }

    /// Lets every actor go to rest, and waits until they have. Somebody who asks meanwhile may wake another: it is told too.
    pub(crate) async fn rest(&self) {
        for mut entry in self.tell_to_rest().await {
            while entry.gone.changed().await.is_ok() {}
        }
        let mut tasks = std::mem::take(&mut *self.actors.tasks());
        while !tasks.is_empty() {
            self.tell_to_rest().await;
            let _ended = tasks.join_next().await;
        }
    }

    async fn tell_to_rest(&self) -> Vec<Entry> {
        let entries: Vec<_> = self.actors.map().values().cloned().collect();
        for entry in &entries {
            // A closed channel means that it is resting already.
            let _resting = entry.asks.send(Ask::Rest).await;
        }
        entries
    }

    fn entry(self: &Arc<Self>, id: SessionId) -> Result<Entry, Error> {
        let mut map = self.actors.map();
        if let Some(entry) = map.get(&id) {
            return Ok(entry.clone());
        }
        let (asks, received) = mpsc::channel(ASKS);
        let (leaving, gone) = watch::channel(());
        let entry = Entry { asks, gone };
        map.insert(id, entry.clone());
        drop(map);
        let house = Arc::clone(self);
        let mut tasks = self.actors.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            actor::run(&house, id, received).await;
            house.actors.map().remove(&id);
            drop(leaving);
        });
        Ok(entry)
    }
}

impl Actors {
    fn map(&self) -> MutexGuard<'_, HashMap<SessionId, Entry>> {
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets an actor that ended without a word, unless another has taken its place.
    fn forget(&self, id: SessionId, entry: &Entry) {
        let mut map = self.map();
        if map.get(&id).is_some_and(|now| now.asks.same_channel(&entry.asks)) {
            map.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests;
