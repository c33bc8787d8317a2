//! How a session comes into being, is forked, and goes.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_journal::{AppendError, Store as _};
use selvedge_session::{
    ApprovalPolicy, Backend as Backing, Code, Event, ForkedFrom, MessageId, Session, SessionId, Settings,
    ThreadSource, ToolsVia,
};
use serde_json::{Map, Value};
use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

use super::Runtime;
use crate::{
    actor::{self, Ask},
    endpoint::TOOLS_SERVER,
    error::Error,
    git,
    handle::SessionHandle,
    house::House,
    keys::{self, Used},
    ledger::{self, Draft, LEASE, table},
    notes, private, removed,
    request::{Fork, NewSession, check_budget},
    secrets::SessionSecrets,
    tools::WrongTool,
    usage,
    view::{Backend, Summary},
};

/// A key, and the digest of what was asked with it.
type Keyed = (String, String);

pub(super) async fn create(house: &Arc<House>, new: NewSession) -> Result<SessionId, Error> {
    let NewSession { settings, env, mcp_servers, idempotency_key } = new;
    let digest = keys::digest(&(&settings, &env, &mcp_servers));
    let key = idempotency_key.map(|key| (format!("create/{key}"), digest));
    let _one_at_a_time = one_at_a_time(house, key.as_ref()).await;
    if let Some(before) = made_before(house, key.as_ref()).await? {
        return Ok(before);
    }
    // Held until it is made; others are given room meanwhile, for git may take its time.
    let _room = house.room.lock().await.one_more(house).await?;
    make(house, settings, SessionSecrets { env, mcp_servers }, key).await
}

/// Who comes with the same key waits for what it makes.
async fn one_at_a_time(house: &House, key: Option<&Keyed>) -> Option<OwnedMutexGuard<()>> {
    match key {
        Some((key, _)) => Some(house.making.lock(key).await),
        None => None,
    }
}

async fn made_before(house: &House, key: Option<&Keyed>) -> Result<Option<SessionId>, Error> {
    let Some((key, digest)) = key else { return Ok(None) };
    Ok(keys::recall(house, key, digest).await?.map(|(before, _)| before))
}

async fn make(
    house: &Arc<House>,
    mut settings: Settings,
    secrets: SessionSecrets,
    key: Option<Keyed>,
) -> Result<SessionId, Error> {
    let SessionSecrets { env, mcp_servers } = secrets;
    check(&settings)?;
    check_endpoint(house, &settings, &mcp_servers)?;
    with_defaults(house, &mut settings);
    actor::has_codex(house, &settings).await?;
    check_limit(house, &settings)?;
    let id = SessionId(Uuid::now_v7());
    if !needs_workplace(&settings) {
        house.may_work(id, &settings).await.map_err(|error| error.field("cwd"))?;
    }
    settings.env = env.keys().cloned().collect();
    settings.mcp_servers = mcp_servers.keys().cloned().collect();
    // Large, and awaited by everybody who makes a session.
    let settled = Box::pin(settle(house, id, settings, (SessionSecrets { env, mcp_servers }, key))).await;
    if let Err(error) = settled {
        // A worktree left behind would keep its branch from the next attempt.
        if house.store.head(&ledger::key(id)).await.is_ok_and(|head| head.n == 0) {
            let _stays = forget(house, id).await;
            let _none = git::remove_worktree(&house.looks, &house.worktree(id), false).await;
        }
        return Err(error);
    }
    Ok(id)
}

/// Gives it its places, and writes it down as the last of all.
async fn settle(
    house: &Arc<House>,
    id: SessionId,
    mut settings: Settings,
    (secrets, key): (SessionSecrets, Option<Keyed>),
) -> Result<(), Error> {
    give_workplace(house, id, &mut settings).await?;
    move_to_worktree(house, id, &mut settings).await?;
    if house.may_ask_git(id, &settings).await {
        settings.base_commit = git::head_commit(&house.looks, Path::new(&settings.cwd)).await;
    }
    if !(secrets.env.is_empty() && secrets.mcp_servers.is_empty()) {
        house.secrets.put(id, &secrets).await?;
    }
    write(house, id, settings, key).await
}

/// What lies beside the journal goes with the session.
async fn forget(house: &House, id: SessionId) -> Result<(), Error> {
    house.secrets.remove(id).await?;
    house.files.remove(id).await?;
    notes::remove(house, id).await?;
    let workplace = house.workplace(id);
    let remove = move || private::gone(fs::remove_dir_all(workplace));
    tokio::task::spawn_blocking(remove).await.unwrap_or_else(|panicked| Err(io::Error::other(panicked)))?;
    Ok(())
}

/// A bare session that is given no directory works in one of its own, which goes with it.
async fn give_workplace(house: &House, id: SessionId, settings: &mut Settings) -> Result<(), Error> {
    if !needs_workplace(settings) {
        return Ok(());
    }
    let place = house.workplace(id);
    settings.cwd = place.display().to_string();
    let made = tokio::task::spawn_blocking(move || private::directory(&place)).await;
    made.unwrap_or_else(|panicked| Err(io::Error::other(panicked))).map_err(Error::from)
}

fn needs_workplace(settings: &Settings) -> bool {
    settings.bare && settings.cwd.is_empty()
}

/// A session with a branch of its own works in a directory of its own.
async fn move_to_worktree(house: &House, id: SessionId, settings: &mut Settings) -> Result<(), Error> {
    let Some(branch) = &settings.worktree else { return Ok(()) };
    if !house.may_ask_git(id, settings).await {
        let message = "the repository does not lie under an allowed root with everything it leads to";
        return Err(Error::coded(Code::OutsideRoots, message).field("worktree"));
    }
    let place = house.worktree(id);
    let added = git::add_worktree(&house.looks, Path::new(&settings.cwd), branch, &place).await;
    added.map_err(|error| Error::coded(Code::InvalidArgument, error.to_string()).field("worktree"))?;
    settings.repository = Some(settings.cwd.clone());
    settings.cwd = place.display().to_string();
    Ok(())
}

fn check(settings: &Settings) -> Result<(), Error> {
    let cwd = Path::new(&settings.cwd);
    if !needs_workplace(settings) && (!cwd.is_absolute() || !cwd.is_dir()) {
        let message = format!("the directory {:?} does not exist, or is not absolute", settings.cwd);
        let wrong = Error::coded(Code::InvalidArgument, message).field("cwd");
        return Err(wrong.hint("give `cwd` as an absolute path"));
    }
    if settings.approval_policy.is_some() && settings.permission_mode.is_some() {
        let message = "`approval_policy` and `permission_mode` say the same thing: give one of them";
        return Err(Error::coded(Code::InvalidArgument, message).field("permission_mode"));
    }
    let dynamic = settings.tools_via != Some(ToolsVia::Mcp);
    if settings.thread_id.is_some() && !settings.tools.is_empty() && dynamic {
        return Err(Error::of(Code::ToolsFixed));
    }
    if let Some(wrong) = WrongTool::among(&settings.tools) {
        return Err(Error::coded(Code::InvalidArgument, wrong.why).field("tools"));
    }
    Ok(())
}

/// Whether a limit in money can be kept. With which model a session works that names none, Codex says later.
fn check_limit(house: &House, settings: &Settings) -> Result<(), Error> {
    let prices = &house.config.prices;
    check_budget(settings.budget.as_ref())?;
    let limited = settings.budget.is_some_and(|budget| budget.max_cost_usd.is_some());
    let may_be_known = settings.model.as_ref().map_or(!prices.is_empty(), |model| prices.contains_key(model));
    if limited && !may_be_known {
        return Err(Error::of(Code::PriceUnknown).field("budget.max_cost_usd"));
    }
    Ok(())
}

/// Whether a session whose tools come by MCP can have them here.
fn check_endpoint(house: &House, settings: &Settings, mcp_servers: &Map<String, Value>) -> Result<(), Error> {
    if settings.tools_via != Some(ToolsVia::Mcp) || settings.tools.is_empty() {
        return Ok(());
    }
    let wrong = |message: String| Error::coded(Code::InvalidArgument, message);
    if !house.endpoints.are_served() {
        let message = "tools by MCP are served by a gateway, and there is none".to_owned();
        return Err(wrong(message).field("tools_via").hint("make the session at `selvedge serve`"));
    }
    if mcp_servers.contains_key(TOOLS_SERVER) {
        let message = format!("the MCP server `{TOOLS_SERVER}` is the one with the session's own tools");
        return Err(wrong(message).field("mcp_servers").hint("give yours another name"));
    }
    Ok(())
}

fn with_defaults(house: &House, settings: &mut Settings) {
    let config = &house.config;
    let backend = if config.is_rehearsal() { Backing::Rehearsal } else { Backing::Codex };
    settings.backend = Some(settings.backend.unwrap_or(backend));
    settings.model = settings.model.take().or(config.model.clone());
    settings.effort = settings.effort.take().or(config.effort.clone());
    settings.sandbox = settings.sandbox.or(config.sandbox);
    if settings.permission_mode.is_none() {
        let default = config.approval_policy.unwrap_or(ApprovalPolicy::OnRequest);
        settings.approval_policy = Some(settings.approval_policy.unwrap_or(default));
    }
}

/// The first record: the session, that it is ours, and its place in every list.
async fn write(house: &House, id: SessionId, settings: Settings, key: Option<Keyed>) -> Result<(), Error> {
    let now = house.clock.now();
    let mut session = Session::new(id);
    let output = session.create(settings, now);
    let mut draft = Draft::default();
    draft.add(&output.events, output.facts)?;
    draft.put(LEASE, &Some(house.owner.to_string()))?;
    draft.notable();
    if let Some((key, digest)) = key {
        draft.index(table::KEYS, key, Used::new(now, &digest, None).written());
    }
    let summary = Summary::of(&session, now, now, Backend::of(session.settings(), &house.config));
    let summary = serde_json::to_value(summary)
        .map_err(|error| Error::coded(Code::Internal, format!("the session cannot be written: {error}")))?;
    draft.index(table::SESSIONS, id, Some(summary));
    let record = draft.finish(&session, now, &mut 0)?;
    house.append(&ledger::key(id), 0, record).await.map_err(|error: AppendError| error.into()).map(drop)
}

impl Runtime {
    pub(crate) async fn fork(&self, id: SessionId, fork: Fork) -> Result<SessionHandle, Error> {
        // What is asked is the fork, not what the parent's settings are by now.
        let digest = keys::digest(&(id, fork.after));
        let key = fork.idempotency_key.clone().map(|key| (format!("fork/{id}/{key}"), digest));
        let _one_at_a_time = one_at_a_time(&self.house, key.as_ref()).await;
        if let Some(before) = made_before(&self.house, key.as_ref()).await? {
            return Ok(self.handle(before));
        }
        let _room = self.house.room.lock().await.one_more(&self.house).await?;
        Ok(self.handle(self.fork_now(id, fork.after, key).await?))
    }

    async fn fork_now(
        &self,
        id: SessionId,
        after: Option<MessageId>,
        key: Option<Keyed>,
    ) -> Result<SessionId, Error> {
        let parent = self.handle(id);
        let look = parent.look().await?;
        let turn_id = match after {
            Some(message) => Some(self.turn_of(&parent, message).await?),
            None => None,
        };
        let mut settings = look.session.settings().clone();
        settings.forked_from = match look.session.thread_source() {
            ThreadSource::Resume { thread_id } => Some(ForkedFrom { session_id: id, thread_id, turn_id }),
            // It is a fork itself, and nothing was said in it yet: both begin where it does.
            ThreadSource::Fork { thread_id, turn_id: cut } => {
                Some(ForkedFrom { session_id: id, thread_id, turn_id: turn_id.or(cut) })
            }
            // Nothing was said yet: what there is to be forked is how it works.
            ThreadSource::New => None,
        };
        settings.thread_id = None;
        settings.name = None;
        if self.house.has_workplace(id, &settings.cwd) {
            // Not the parent's, which goes with the parent.
            settings.cwd.clear();
        }
        // A branch is worked on in one place: the fork works there too, and the place goes with the last who does.
        settings.worktree = None;
        let secrets = self.house.secrets.get(id).await?;
        make(&self.house, settings, secrets, key).await
    }

    /// What lies beside the journal goes with the session.
    pub(super) async fn forget(&self, id: SessionId) -> Result<(), Error> {
        forget(&self.house, id).await
    }

    async fn turn_of(&self, parent: &SessionHandle, message: MessageId) -> Result<String, Error> {
        let view = parent.message(message).await?;
        view.turn_id.filter(|_| view.state.is_end()).ok_or_else(|| {
            Error::coded(
                Code::InvalidArgument,
                "the message had no turn that has ended: it cannot be forked after",
            )
            .field("after_message_id")
        })
    }

    pub(crate) async fn remove(&self, id: SessionId) -> Result<(), Error> {
        let session = self.session(id).await?;
        let place = PathBuf::from(session.summary().await?.cwd);
        session.stop().await?;
        let mut events = session.events(session.look().await?.summary.last_seq).await?;
        while session.look().await?.session.is_busy() {
            events.next(1000).await?;
        }
        // Its owner goes first, so that nobody writes into what is being removed.
        self.house.ask(id, Ask::GiveUp).await?;
        let last_seq = self.house.store.head(&ledger::key(id)).await?.seq;
        usage::keep(&self.house, id).await;
        self.house.store.remove(&ledger::key(id)).await?;
        removed::say(&self.house.store, &self.house.clock, id, last_seq).await;
        self.forget(id).await?;
        self.leave_worktrees(HashSet::from([place])).await
    }
}

/// The events of a page, read.
pub(super) fn read_event(text: &[u8]) -> Result<Event, Error> {
    serde_json::from_slice(text)
        .map_err(|error| Error::coded(Code::Internal, format!("an event cannot be read: {error}")))
}
