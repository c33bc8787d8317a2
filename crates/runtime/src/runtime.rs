//! A runtime: sessions that survive, on a directory of their own.

mod create;
mod daily;
mod details;
mod lists;
mod reading;
mod room;
mod start;
mod worktrees;

pub(crate) use daily::Broom;
pub use details::DetailListing;
pub use lists::Listing;
pub(crate) use room::{Sessions, takes};

use std::{path::Path, sync::Arc};

use selvedge_journal::Store as _;
use selvedge_session::{ApprovalId, Code, Command, Json, SessionId, Settings, ToolCallId};

use crate::{
    actor::{self, Ask, Done, IdempotencyKey, Wish},
    clock::Clock,
    config::Config,
    door,
    error::Error,
    events::Events,
    fleet::{Ignored, ProcessInfo},
    handle::SessionHandle,
    house::House,
    ledger::{self, table},
    recording::Recorded,
    request::{Answer, NewSession},
    tally::Tally,
    unclaimed,
};

/// Sessions on a data directory. Cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    pub(crate) house: Arc<House>,
}

impl Runtime {
    /// Opens the data directory, ends what a dead owner left running, and takes up every session with a turn or a queue.
    pub async fn open(config: Config) -> Result<Self, Error> {
        Self::open_at(config, Clock::system()).await
    }

    /// The same with another clock.
    pub async fn open_at(config: Config, clock: Clock) -> Result<Self, Error> {
        start::open(config, clock).await
    }

    /// Opens the data directory without taking up anything: for looking, and for a session of one's own. What a dead
    /// owner left is taken up when it is used; what it left running is ended meanwhile.
    pub async fn open_quietly(config: Config) -> Result<Self, Error> {
        start::open_quietly(config, Clock::system()).await
    }

    /// What it was told at its start.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.house.config
    }

    /// What time it is here, for whoever writes something down beside its sessions.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.house.clock
    }

    /// Makes a session. It costs nothing until its first message.
    pub async fn create(&self, new: NewSession) -> Result<SessionHandle, Error> {
        create::create(&self.house, new).await.map(|id| self.handle(id))
    }

    /// A session that there is.
    pub async fn session(&self, id: SessionId) -> Result<SessionHandle, Error> {
        let head = self.house.store.head(&ledger::key(id)).await?;
        if head.n == 0 {
            return Err(Error::coded(Code::NotFound, format!("there is no session {id}")));
        }
        Ok(self.handle(id))
    }

    /// Answers what Codex asks a person. The first answer wins.
    pub async fn answer(&self, approval_id: ApprovalId, answer: Answer) -> Result<(), Error> {
        self.asked_in(approval_id).await?.answer(approval_id, answer).await
    }

    /// The session in which Codex asks a person this, or has asked.
    pub async fn asked_in(&self, approval_id: ApprovalId) -> Result<SessionHandle, Error> {
        Ok(self.handle(self.owner_of(table::APPROVALS, &approval_id.to_string()).await?))
    }

    /// Answers a call of one of a session's own tools.
    pub async fn answer_tool(&self, id: ToolCallId, success: bool, content: Json) -> Result<(), Error> {
        self.called_in(id).await?.answer_tool(id, success, content).await
    }

    /// The session in which one of its own tools is called so, or was.
    pub async fn called_in(&self, id: ToolCallId) -> Result<SessionHandle, Error> {
        Ok(self.handle(self.owner_of(table::TOOL_CALLS, &id.to_string()).await?))
    }

    /// Whether this is the secret by which a session's agent calls its tools.
    #[must_use]
    pub fn knows_tools_secret(&self, session: SessionId, given: &str) -> bool {
        self.house.endpoints.knows(session, given)
    }

    /// Writes everything, as of one moment, into a new file.
    pub async fn backup(&self, file: &Path) -> Result<(), Error> {
        Ok(self.house.store.backup(file).await?)
    }

    /// Lets everything rest: sessions are given up as they stand, app-servers end.
    pub async fn shut_down(&self) {
        self.house.close_door().await;
        self.house.last_sweeping().await;
        self.house.rest().await;
        self.house.fleet.shut_down().await;
        self.close().await;
    }

    /// Goes, and leaves running what can do without us: app-servers behind relays, with their turns. The rest ends.
    pub async fn leave(&self) {
        self.house.close_door().await;
        self.house.last_sweeping().await;
        // First nobody reads any more: what is said from now on is for whoever comes next.
        self.house.fleet.stop_reading().await;
        self.house.rest().await;
        self.house.fleet.leave().await;
        self.close().await;
    }

    /// Nobody says anything any more: what was said is written, and the journal is closed.
    async fn close(&self) {
        self.house.fleet.last_recordings().await;
        self.house.last_leftovers().await;
        self.house.last_keeping().await;
        self.house.store.close().await;
    }

    /// What Codex said and no session could claim, after a number: each as a `codex.unknown`.
    pub async fn unclaimed(&self, after: u64) -> Result<Events, Error> {
        Ok(Events::new(self.house.store.reader(&unclaimed::key(), after).await?))
    }

    /// What Codex said and was not handed to any session, in numbers.
    #[must_use]
    pub fn ignored(&self) -> Ignored {
        self.house.fleet.ignored()
    }

    /// What it has done since its start, in numbers.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.house.tallies.now()
    }

    /// What was recorded, if that was asked for.
    #[must_use]
    pub fn recorded(&self) -> Option<Recorded> {
        self.house.fleet.recorded()
    }

    /// The app-servers that run for it now.
    #[must_use]
    pub fn processes(&self) -> Vec<ProcessInfo> {
        self.house.fleet.processes()
    }

    pub(crate) fn handle(&self, id: SessionId) -> SessionHandle {
        SessionHandle::new(self.clone(), id)
    }

    /// Whose it is, also when it waits no longer: then the session knows who answered.
    async fn owner_of(&self, table: &'static str, key: &str) -> Result<SessionId, Error> {
        for table in [table, table::SETTLED] {
            let found = self.house.store.look_up(table, key).await?;
            if let Some(owner) = found.first().and_then(|found| found.session.as_str().parse().ok()) {
                return Ok(SessionId(owner));
            }
        }
        Err(Error::coded(Code::NotFound, format!("Codex asked nothing under the id {key}")))
    }

    /// Refuses a session that works where none may. It is not woken.
    pub(crate) async fn may_work(&self, id: SessionId) -> Result<(), Error> {
        if self.house.config.allow_roots.is_empty() {
            return Ok(());
        }
        self.house.may_work(id, &self.kept_settings(id).await?).await
    }

    /// Refuses a session whose Codex is not there. Where app-servers run it was a moment ago, and one that runs can go on.
    pub(crate) async fn has_codex(&self, id: SessionId) -> Result<(), Error> {
        if !self.house.fleet.processes().is_empty() {
            return Ok(());
        }
        actor::has_codex(&self.house, &self.kept_settings(id).await?).await
    }

    /// What a session was made with, as it was last changed. It is not woken.
    pub(crate) async fn kept_settings(&self, id: SessionId) -> Result<Settings, Error> {
        let found = self.house.store.look_up(table::SETTINGS, &id.to_string()).await?;
        let settings = found.first().and_then(|found| serde_json::from_slice(&found.value).ok());
        settings.ok_or_else(|| Error::coded(Code::NotFound, format!("there is no session {id}")))
    }

    /// Has a command done by the session's owner: here, or in the program that owns it.
    pub(crate) async fn order(
        &self,
        id: SessionId,
        command: Command,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, Error> {
        let wish = Box::new(Wish { command, key });
        let make = |reply| Ask::Command { wish: wish.clone(), reply };
        match self.house.ask(id, make).await {
            Err(error) if error.code == Code::OwnedElsewhere => {
                door::knock(&self.house, id, &wish.command, wish.key.as_ref()).await.unwrap_or(Err(error))
            }
            done => done,
        }
    }
}
