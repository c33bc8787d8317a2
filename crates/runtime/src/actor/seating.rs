//! A session's place at an app-server: found, taken, and its thread started, resumed or forked there.

mod extras;
mod letting_go;
mod reloading;
mod unjudged;

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf, sync::Arc, time::Duration};

use selvedge_client::{
    Abilities, CallError, Client, Fork, Hint as _, Reply,
    protocol::{calls, say::ModeKind},
};
use selvedge_session::{Code, Failure, Heard, Session, SessionId, Settings, ThreadSource};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{Attachment, Brought, News, Source};
use crate::{
    asking::with_hint,
    endpoint,
    error::Error,
    fleet::{Again, Environment, FleetError, Isolation, Mailbox, Program, Seat},
    house::House,
    login::Login,
    relayed,
    to_codex::{self, ForkOf, Refused, ThreadExtras, ThreadNow},
    unwind,
};

/// How long another process may hold a thread before we no longer wait for it: Codex itself lets go after 30 minutes.
const LOCK_TRIES: u32 = 70;
/// The longest wait between two looks at a held thread.
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// What a task of a session's needs to do its work and to bring back what came of it.
#[derive(Clone)]
pub(super) struct Errand {
    pub(super) house: Arc<House>,
    pub(super) id: SessionId,
    pub(super) ticket: u64,
    pub(super) messenger: mpsc::Sender<News>,
    pub(super) mailbox: Mailbox,
}

impl Errand {
    /// Brings news to the session's owner; one that is gone needs none.
    pub(super) async fn bring(&self, what: Brought, frees_lane: bool) {
        let _gone = self.messenger.send(News { ticket: self.ticket, what, frees_lane }).await;
    }
}

/// Where a session wants to sit.
#[derive(Clone)]
pub(super) struct Wanted {
    settings: Settings,
    source: ThreadSource,
    isolated: bool,
    deaths: u32,
    moved_from: Option<Uuid>,
    /// The session remembers what its thread was made with.
    remembered: bool,
    /// How far it has heard the app-server where it was last.
    heard: Option<Source>,
    /// Where the thread is loaded, it has to be loaded again.
    stale: bool,
}

impl Wanted {
    pub(super) fn by(
        session: &Session,
        deaths: u32,
        moved_from: Option<Uuid>,
        heard: Option<Source>,
    ) -> Self {
        let settings = session.settings().clone();
        let isolated = settings.isolation == selvedge_session::Isolation::Isolated || session.has_left();
        let remembered = session.made_with().is_some();
        let (source, stale) = (session.thread_source(), session.is_stale());
        Self { source, settings, isolated, deaths, moved_from, remembered, heard, stale }
    }

    /// How far it has heard this app-server before: one that outlived a program of ours is read again.
    fn heard_of(&self, process: Uuid) -> Option<BTreeMap<String, u64>> {
        let heard = self.heard.as_ref().filter(|heard| heard.process() == process);
        heard.map(|heard| heard.heard().clone())
    }
}

/// Why there is no place.
pub(super) enum NoSeat {
    /// The program ends; whoever comes next goes on.
    Ending,
    /// What the session has to hear.
    Heard(Box<Heard>),
    /// The app-server ended meanwhile.
    Gone { process: Uuid, reason: String, stderr_tail: String },
}

/// Takes a place, with the thread ready to take a turn.
pub(super) async fn sit(errand: &Errand, wanted: &Wanted) -> Result<(Attachment, Vec<Heard>), Brought> {
    match try_to_sit(errand, wanted).await {
        Ok(seated) => Ok(seated),
        Err(NoSeat::Ending) => Err(Brought::Heard(Vec::new())),
        Err(NoSeat::Heard(heard)) => Err(Brought::Heard(vec![*heard])),
        Err(NoSeat::Gone { process, reason, stderr_tail }) => {
            Err(Brought::Gone { process, reason, stderr_tail })
        }
    }
}

async fn try_to_sit(errand: &Errand, wanted: &Wanted) -> Result<(Attachment, Vec<Heard>), NoSeat> {
    let house = &errand.house;
    house.may_work(errand.id, &wanted.settings).await?;
    let secrets = house.secrets_of(errand.id, &wanted.settings).await?;
    let seat = Arc::new(find(errand, wanted).await?);
    let process = seat.generation.id();
    for secret in secrets.values() {
        seat.generation.client().redactions().add(&secret);
    }
    // Before the first line of it can arrive.
    errand.bring(Brought::Sitting { process, relayed: seat.generation.is_relayed() }, false).await;
    let mut heard = Vec::new();
    let moved = wanted.moved_from.is_some_and(|before| before != process);
    if wanted.deaths > 0 || moved {
        let version = seat.generation.version().map(str::to_owned);
        heard.push(Heard::ProcessBack { attempt: wanted.deaths, version });
    }
    let can = seat.generation.abilities().await.map_err(|error| failed(&seat, &error))?;
    heard.extend(unjudged::warning(seat.generation.version()));
    heard.extend(nobody_serves(house, &wanted.settings));
    if let Some(at) = house.endpoints.place_for(&wanted.settings) {
        seat.generation.tells_of_tools(at).await;
    }
    if let Some(failure) = to_codex::unfit(&wanted.settings, &can) {
        return Err(NoSeat::Heard(Box::new(Heard::ThreadFailed(failure))));
    }
    let extras = extras::found_out(errand, &wanted.settings, &secrets, (&seat, &can)).await;
    let place = Place { errand, wanted, seat: &seat, extras, can };
    let Loaded { thread_id, mut now } = place.thread(&mut heard).await?;
    let model = now.made_with.model.as_ref();
    now.made_with.price = model.and_then(|model| house.config.prices.get(model)).copied();
    let thread_id = thread_id.unwrap_or_default();
    let again = matches!(&wanted.source, ThreadSource::Resume { thread_id: own } if *own == thread_id);
    let copied = matches!(wanted.source, ThreadSource::Fork { .. });
    if !(wanted.remembered && (again || copied)) {
        heard.push(Heard::MadeWith(now.made_with.clone()));
    }
    heard.push(Heard::ThreadReady { thread_id: thread_id.clone() });
    Ok((Attachment { seat, thread_id, now }, heard))
}

/// That a session's tools are nowhere to be had: it was made by a gateway, and is continued without one.
fn nobody_serves(house: &House, settings: &Settings) -> Option<Heard> {
    let missing = endpoint::is_wanted(settings) && !house.endpoints.are_served();
    missing.then(|| Heard::Warning {
        code: Code::AbilityMissing,
        message: "its tools are served by a gateway, and there is none: the agent has to do without them"
            .to_owned(),
        hint: Some("continue it at `selvedge serve`".to_owned()),
    })
}

/// The process that has the thread loaded already, or another.
pub(super) async fn find(errand: &Errand, wanted: &Wanted) -> Result<Seat, NoSeat> {
    let fleet = &errand.house.fleet;
    let environment = Arc::new(environment(&errand.house, errand.id, &wanted.settings).await?);
    if let ThreadSource::Resume { thread_id } = &wanted.source {
        match fleet.seat_again(&environment, thread_id) {
            Some(Again::There(seat)) => return Ok(seat),
            Some(Again::InThePast(seat)) => letting_go::let_go(&seat, thread_id).await,
            None => relayed::free(&errand.house, thread_id).await,
        }
    }
    let isolation = if wanted.isolated { Isolation::Isolated } else { Isolation::Shared };
    Ok(fleet.seat(&environment, isolation).await?)
}

/// A seat, and what is to be done there.
struct Place<'a> {
    errand: &'a Errand,
    wanted: &'a Wanted,
    seat: &'a Seat,
    extras: ThreadExtras,
    can: Arc<Abilities>,
}

impl Place<'_> {
    async fn thread(&self, heard: &mut Vec<Heard>) -> Result<Loaded, NoSeat> {
        match &self.wanted.source {
            ThreadSource::New => self.start(heard).await,
            ThreadSource::Fork { thread_id, turn_id } => {
                self.fork(thread_id, turn_id.as_deref(), heard).await
            }
            ThreadSource::Resume { thread_id } => self.resume(thread_id, heard).await,
        }
    }

    async fn start(&self, heard: &mut Vec<Heard>) -> Result<Loaded, NoSeat> {
        let said = to_codex::thread_start(&self.wanted.settings, &self.extras);
        heard.extend(said.warnings.into_iter().map(warning));
        let answer = self.client().call::<calls::ThreadStart>(&said.params).await;
        let answer = answer.map_err(|error| self.failed(&error))?;
        self.listen(self.loaded(answer.reply(), Some(ModeKind::Default))).await
    }

    async fn fork(&self, from: &str, turn: Option<&str>, heard: &mut Vec<Heard>) -> Result<Loaded, NoSeat> {
        let too_many = self.copied_too_much(from, turn).await?;
        let from = ForkOf { thread_id: from, turn_id: turn };
        let said = to_codex::thread_fork(from, &self.wanted.settings, &self.extras);
        heard.extend(said.warnings.into_iter().map(warning));
        let answer = self.patiently(|| self.client().call::<calls::ThreadFork>(&said.params)).await;
        let answer = answer.map_err(|error| self.failed(&error))?;
        let copy = self.loaded(answer.reply(), None);
        if let Some(copy) = copy.thread_id.as_deref() {
            let cut = unwind::roll_back(self.client(), copy, too_many).await;
            cut.map_err(|error| self.failed(&error))?;
        }
        self.listen(copy).await
    }

    /// So many turns a copy has behind the last one that is wanted, where Codex only copies whole threads.
    async fn copied_too_much(&self, from: &str, turn: Option<&str>) -> Result<usize, NoSeat> {
        let too_old = |what| Err(NoSeat::Heard(Box::new(Heard::ThreadFailed(to_codex::too_old(what)))));
        match (self.can.fork(), turn) {
            (Fork::No, _) => too_old("copy threads"),
            (Fork::UpToATurn, _) | (Fork::Whole, None) => Ok(0),
            (Fork::Whole, Some(turn)) => {
                let after = unwind::turns_after(self.client(), from, turn).await;
                match after.map_err(|error| self.failed(&error))? {
                    Some(after) => Ok(after),
                    None => too_old("copy a thread up to a turn"),
                }
            }
        }
    }

    /// Loads a thread that has a past. One that is gone for good is replaced, and it is said so.
    async fn resume(&self, thread_id: &str, heard: &mut Vec<Heard>) -> Result<Loaded, NoSeat> {
        if self.wanted.stale {
            self.unload(thread_id, heard).await?;
        }
        // What it repeats comes before the answer.
        let mailbox = self.errand.mailbox.clone();
        match self.wanted.heard_of(self.seat.generation.id()) {
            Some(before) => self.seat.listen_on(thread_id, before, mailbox),
            None => self.seat.listen(thread_id, mailbox).await,
        }
        let said = to_codex::thread_resume(thread_id, &self.wanted.settings, &self.extras);
        heard.extend(said.warnings.into_iter().map(warning));
        let resume = || self.patiently(|| self.client().call::<calls::ThreadResume>(&said.params));
        let mut answer = resume().await;
        let put_away = [Refused::Archived, Refused::ThreadGone].iter().any(|how| refused_as(&answer, *how));
        if put_away && self.can.has("thread/unarchive") {
            // Whoever had it let go of may have been killed in between; not every version says that it is put away. If it
            // cannot be taken out, the next answer says why.
            let _stays_away = self.take_out(thread_id).await;
            answer = resume().await;
        }
        match answer {
            Ok(answer) => {
                Ok(Loaded { thread_id: Some(thread_id.to_owned()), ..self.loaded(answer.reply(), None) })
            }
            answer if refused_as(&answer, Refused::ThreadGone) => {
                // The machine knows what it expected, and says that the history is gone.
                self.start(heard).await
            }
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Makes a call again while another process holds the thread: that is waited out.
    async fn patiently<T, F: Future<Output = Result<T, CallError>>>(
        &self,
        call: impl Fn() -> F,
    ) -> Result<T, CallError> {
        let mut wait = Duration::from_millis(200);
        for _ in 0..LOCK_TRIES {
            match call().await {
                Err(error) if to_codex::refused(&error) == Some(Refused::WriterLocked) => {
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(LOCK_WAIT);
                }
                other => return other,
            }
        }
        call().await
    }

    async fn listen(&self, loaded: Loaded) -> Result<Loaded, NoSeat> {
        let Some(thread_id) = &loaded.thread_id else {
            let failure = Failure::coded(Code::ThreadFailed, "Codex did not say which thread it made");
            return Err(NoSeat::Heard(Box::new(Heard::ThreadFailed(failure))));
        };
        self.seat.listen(thread_id, self.errand.mailbox.clone()).await;
        Ok(loaded)
    }

    fn client(&self) -> &Client {
        self.seat.generation.client()
    }

    fn failed(&self, error: &CallError) -> NoSeat {
        failed(self.seat, error)
    }

    fn loaded(&self, reply: &Reply, mode: Option<ModeKind>) -> Loaded {
        #[derive(serde::Deserialize)]
        struct Answer {
            thread: Thread,
        }
        #[derive(serde::Deserialize)]
        struct Thread {
            id: String,
        }
        let answer: Option<Answer> = serde_json::from_str(reply.result().get()).ok();
        let now = ThreadNow::of_reply(reply.result(), Arc::clone(&self.can));
        let now = ThreadNow { mode: now.mode.clone().or(mode), ..now };
        Loaded { thread_id: answer.map(|answer| answer.thread.id), now }
    }
}

fn refused_as<T>(answer: &Result<T, CallError>, how: Refused) -> bool {
    answer.as_ref().err().and_then(to_codex::refused) == Some(how)
}

/// Why there is no place: the app-server is gone, or has refused.
fn failed(seat: &Seat, error: &CallError) -> NoSeat {
    match error {
        CallError::Ended { end, .. } => NoSeat::Gone {
            process: seat.generation.id(),
            reason: end.to_string(),
            stderr_tail: end.stderr_tail.clone(),
        },
        // It is about to end, though it may still speak: the next one is asked.
        CallError::InputClosed { .. } => NoSeat::Gone {
            process: seat.generation.id(),
            reason: error.to_string(),
            stderr_tail: String::new(),
        },
        other => NoSeat::Heard(Box::new(Heard::ThreadFailed(to_codex::failure(other)))),
    }
}

/// A thread that Codex has loaded, and what it said of it.
struct Loaded {
    thread_id: Option<String>,
    now: ThreadNow,
}

fn warning(it: to_codex::Warning) -> Heard {
    Heard::Warning { code: it.code, message: it.message, hint: it.hint }
}

impl From<FleetError> for NoSeat {
    fn from(error: FleetError) -> Self {
        Self::Heard(Box::new(match error {
            FleetError::ShuttingDown => return Self::Ending,
            FleetError::GaveUp { stderr_tail, reason } if !stderr_tail.is_empty() => Heard::GaveUp(format!(
                "the app-server keeps ending: {reason}; the end of its stderr:\n{stderr_tail}"
            )),
            FleetError::GaveUp { .. } => Heard::GaveUp(error.to_string()),
            FleetError::Login(_) => Heard::ThreadFailed(Failure::coded(Code::NotLoggedIn, error.to_string())),
            other => Heard::ThreadFailed(Failure::coded(Code::CodexUnusable, other.to_string())),
        }))
    }
}

impl From<Error> for NoSeat {
    fn from(error: Error) -> Self {
        let failure = Failure { hint: error.hint, ..Failure::coded(error.code, error.message) };
        Self::Heard(Box::new(Heard::ThreadFailed(failure)))
    }
}

/// By what a session's app-server is shared with others.
pub(crate) async fn environment(
    house: &House,
    id: SessionId,
    settings: &Settings,
) -> Result<Environment, Error> {
    let config = &house.config;
    let secrets = house.secrets.get(id).await?;
    let env = secrets.env.iter().map(|(name, value)| (OsString::from(name), Some(OsString::from(value))));
    let shared = Environment {
        program: program(house, settings)?,
        codex_home: config.codex_home.clone().or_else(|| home_of_stand_in(house, settings)),
        env: env.collect(),
        config: config.codex_config.clone(),
        bare: None,
        login: config.login.as_ref().map(Login::mark),
    };
    // A stand-in's home has nothing of a user's in it.
    let home = shared.home().filter(|_| settings.bare);
    Ok(Environment { bare: home.map(|home| house.bare_home(&home)), ..shared })
}

/// The stand-in keeps its threads with our data, and never in a home of Codex that nobody named.
fn home_of_stand_in(house: &House, settings: &Settings) -> Option<PathBuf> {
    crate::view::is_rehearsal(settings, &house.config).then(|| house.config.data_dir.clone())
}

/// Refuses a session whose Codex is not there, with how to get it. Only a session that works on one needs it.
pub(crate) async fn has_codex(house: &Arc<House>, settings: &Settings) -> Result<(), Error> {
    if crate::view::is_rehearsal(settings, &house.config) {
        return Ok(());
    }
    let (house, settings) = (Arc::clone(house), settings.clone());
    // Off the async threads: directories of the PATH may lie somewhere slow.
    let looked = tokio::task::spawn_blocking(move || program(&house, &settings).map(drop)).await;
    looked.unwrap_or_else(|panicked| Err(Error::coded(Code::Internal, panicked.to_string())))
}

/// Codex, or the stand-in if it was asked for by name; never one for the other.
fn program(house: &House, settings: &Settings) -> Result<Program, Error> {
    let config = &house.config;
    if !crate::view::is_rehearsal(settings, config) {
        let named = config.codex.as_deref().filter(|_| !config.is_rehearsal());
        let found = selvedge_client::process::find_codex(named);
        return found
            .map(Program::Codex)
            .map_err(|error| with_hint(Error::coded(Code::CodexMissing, error.to_string()), error.hint()));
    }
    let rehearsal = &config.rehearsal;
    let own = || {
        selvedge_client::process::own_program()
            .map_err(|error| Error::coded(Code::Internal, error.to_string()))
    };
    let program = rehearsal.program.clone().map_or_else(own, Ok)?;
    Ok(Program::Rehearsal { program, arguments: rehearsal.words() })
}
