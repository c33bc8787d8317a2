//! The one owner of a session: applies inputs to the pure machine, appends what it says, then does what it wants done.
//!
//! It waits for nothing but the disk. What Codex is asked is asked by tasks, whose answers come back as news; what
//! arrives during an append waits in the mailbox and goes, joined, into the next record.

mod deeds;
mod intent;
mod joining;
mod load;
mod moving;
mod rejoining;
mod seating;
mod source;
mod step;
mod telling;

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use selvedge_session::{
    Begun, Command, Effect, Heard, Input, Json, MessageId, RequestKey, Session, SessionId, Timestamp,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use uuid::Uuid;

pub(crate) use seating::{environment, has_codex};
pub(crate) use source::process_in;

use self::{intent::Intended, moving::sent_away, source::Source};
use crate::{
    error::Error,
    fleet::{Letter, Letters, Mailbox, Seat, mailbox},
    house::House,
    tally,
    view::Summary,
};

/// What of Codex's may wait for one session: more of it makes that app-server's router wait for the disk.
const MAILBOX: usize = 1024;
/// How much is taken from the mailbox into one record.
const TOGETHER: usize = 512;

/// What is asked of a session's owner.
pub(crate) enum Ask {
    /// Something somebody wants. In a box, because every session has room for 32 of these ready.
    Command { wish: Box<Wish>, reply: oneshot::Sender<Result<Done, Error>> },
    /// How the session stands.
    Look(oneshot::Sender<Result<Look, Error>>),
    /// Go to rest now.
    Rest,
    /// Go to rest now, and say when that is done.
    GiveUp(oneshot::Sender<Result<(), Error>>),
}

/// What somebody wants, and the key by which they would ask again.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) command: Command,
    pub(crate) key: Option<IdempotencyKey>,
}

/// A key that gives the same answer for 24 hours.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct IdempotencyKey {
    pub(crate) key: String,
    /// What was asked with it, so that another question is not answered by mistake.
    pub(crate) digest: String,
    /// The message it gives, if it is one that is said.
    pub(crate) message_id: Option<MessageId>,
}

/// A command that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Done {
    Now,
    /// It was done before, with the same key.
    Before(Option<MessageId>),
}

/// How a session stands.
pub(crate) struct Look {
    pub(crate) summary: Summary,
    pub(crate) session: Box<Session>,
}

/// What a task of the session's brings back.
struct News {
    /// Of which app-server's time it is; older news are void.
    ticket: u64,
    what: Brought,
    /// The work that waited for it goes on.
    frees_lane: bool,
}

enum Brought {
    Heard(Vec<Heard>),
    /// What `turn/start` was answered for this message, or what became of it. The turn may be over by then, and another
    /// begun.
    OfMessage(MessageId, Vec<Heard>),
    /// What this app-server says concerns us from now on.
    Sitting {
        process: Uuid,
        relayed: bool,
    },
    /// It ended before we had a place.
    Gone {
        process: Uuid,
        reason: String,
        stderr_tail: String,
    },
    /// A place at an app-server, and what was heard on the way.
    Seated(Box<Attachment>, Vec<Heard>),
}

/// A session's place at an app-server.
struct Attachment {
    seat: Arc<Seat>,
    thread_id: String,
    /// What Codex said of the thread.
    now: crate::to_codex::ThreadNow,
}

/// Why an actor ends.
enum Leave {
    /// Nothing is to be done.
    Idle,
    /// The session is to be given up.
    Parting,
    /// Somebody else owns the session, or the journal is closed.
    Fenced(Error),
}

struct Actor {
    house: Arc<House>,
    id: SessionId,
    key: selvedge_journal::SessionId,
    session: Session,
    /// The last record.
    n: u64,
    created_at: Timestamp,
    backend_version: Option<String>,
    asks: mpsc::Receiver<Ask>,
    told: Letters,
    mailbox: Mailbox,
    news: mpsc::Receiver<News>,
    messenger: mpsc::Sender<News>,
    /// The app-server we listen to.
    process: Option<Uuid>,
    /// How far we have heard it, if it outlives us.
    source: Option<Source>,
    /// Until when what is due waits for what was said before we came.
    catching_up: Option<Timestamp>,
    /// What our predecessor had begun there without hearing of it.
    found_begun: Begun,
    attachment: Option<Attachment>,
    /// The place where we are about to go on, at an app-server that went on without us.
    coming_back: Option<Arc<Seat>>,
    /// Counts app-servers, so that a dead one's answers are known as such.
    ticket: u64,
    /// Work that has to be done in order.
    lane: VecDeque<Effect>,
    lane_busy: bool,
    /// What is being done of it.
    doing: Option<Effect>,
    tasks: JoinSet<()>,
    /// What Codex asked, in full: some answers repeat it.
    questions: HashMap<RequestKey, Json>,
    /// What was written down, and is not said yet.
    intended: Vec<Intended>,
    deaths: u32,
    /// The app-server it left because another binary took the place of that one's.
    moved_from: Option<Uuid>,
    /// Bytes of events since the last snapshot.
    unkept: usize,
    /// Whoever waits until the session is given up.
    parting: Option<oneshot::Sender<Result<(), Error>>>,
    /// Whether the index says that a start has to look after us.
    indexed_open: bool,
    /// The day and model whose usage is being counted.
    counting: Option<crate::usage::Under>,
    /// What was said and is not durable yet, to be counted then.
    counted: tally::Step,
    last_busy: Timestamp,
}

/// Lives from the first ask until the session rests.
pub(crate) async fn run(house: &Arc<House>, id: SessionId, mut asks: mpsc::Receiver<Ask>) {
    match Box::pin(load::load(house, id)).await {
        Ok(loaded) => Box::new(Actor::new(house, id, loaded, asks)).live().await,
        Err(error) => {
            asks.close();
            while let Some(ask) = asks.recv().await {
                ask.refuse(&error);
            }
        }
    }
}

/// Whether a program that lives owns a session.
pub(crate) async fn has_living_owner(house: &House, id: SessionId) -> Result<bool, Error> {
    Ok(load::owner(house, id).await?.is_some_and(|owner| owner == house.owner || owner.is_alive()))
}

/// How a session stands that another program owns: what its records say.
pub(crate) async fn look_at(house: &House, id: SessionId) -> Result<Look, Error> {
    let load::Loaded { session, created_at, .. } = load::read(house, id).await?;
    let backend = crate::view::Backend::of(session.settings(), &house.config);
    let summary = Summary::of(&session, created_at, house.clock.now(), backend);
    Ok(Look { summary, session: Box::new(session) })
}

impl Ask {
    fn refuse(self, error: &Error) {
        // Whoever asked may have left.
        match self {
            Self::Command { reply, .. } => _ = reply.send(Err(error.clone())),
            Self::Look(reply) => _ = reply.send(Err(error.clone())),
            Self::GiveUp(reply) => _ = reply.send(Err(error.clone())),
            Self::Rest => {}
        }
    }
}

impl Actor {
    fn new(house: &Arc<House>, id: SessionId, loaded: load::Loaded, asks: mpsc::Receiver<Ask>) -> Self {
        let (mailbox, told) = mailbox(MAILBOX);
        let (messenger, news) = mpsc::channel(MAILBOX);
        Self {
            house: Arc::clone(house),
            id,
            key: crate::ledger::key(id),
            session: loaded.session,
            n: loaded.n,
            created_at: loaded.created_at,
            backend_version: None,
            asks,
            told,
            mailbox,
            news,
            messenger,
            process: None,
            source: loaded.source,
            catching_up: None,
            found_begun: Begun::default(),
            attachment: None,
            coming_back: None,
            intended: Vec::new(),
            ticket: 0,
            lane: VecDeque::new(),
            lane_busy: false,
            doing: None,
            tasks: JoinSet::new(),
            questions: HashMap::new(),
            deaths: 0,
            moved_from: None,
            unkept: 0,
            parting: None,
            indexed_open: loaded.open,
            counting: None,
            counted: tally::Step::default(),
            last_busy: house.clock.now(),
        }
    }

    async fn live(mut self: Box<Self>) {
        let leave = match Box::pin(self.begin()).await {
            Ok(()) => self.work().await,
            Err(leave) => leave,
        };
        self.asks.close();
        let error = match leave {
            // Its thread stays loaded in an app-server of ours, also in one that it has left and where others work, and nobody
            // else could load it: others come to our door.
            Leave::Idle if self.attachment.is_some() || self.moved_from.is_some() => None,
            Leave::Idle | Leave::Parting => Box::pin(self.part()).await.err(),
            Leave::Fenced(error) => Some(error),
        };
        if let Some(parting) = self.parting.take() {
            // Whoever asked may have left.
            let _left = parting.send(error.clone().map_or(Ok(()), Err));
        }
        while let Some(ask) = self.asks.recv().await {
            // Without an answer the ask is made again, to whoever comes next.
            if let Some(error) = &error {
                ask.refuse(error);
            }
        }
    }

    async fn work(&mut self) -> Leave {
        let mut together = Vec::new();
        loop {
            let step = self.next_step(&mut together).await;
            let done = match step {
                Step::Ask(ask) => Box::pin(self.answer(ask)).await,
                Step::News(news) => self.receive(news).await,
                Step::Told => self.listen(&mut together).await,
                Step::Time => self.take(vec![Input::Tick]).await,
                Step::SentAway => self.move_away().await,
                Step::Rest => return Leave::Idle,
            };
            if let Err(leave) = done {
                return leave;
            }
        }
    }

    async fn next_step(&mut self, together: &mut Vec<Letter>) -> Step {
        let idle = self.rests_at();
        let may_leave = self.may_be_sent_away();
        let seat = self.attachment.as_ref().map(|it| &*it.seat);
        let clock = &self.house.clock;
        let wake =
            self.session.next_wake().map(|wake| self.catching_up.map_or(wake, |until| until.max(wake)));
        tokio::select! {
            biased;
            Some(ask) = self.asks.recv() => Step::Ask(ask),
            Some(news) = self.news.recv() => Step::News(news),
            _ = self.told.take(together, TOGETHER) => Step::Told,
            () = clock.reach(wake) => Step::Time,
            () = sent_away(seat, &mut self.tasks), if may_leave => Step::SentAway,
            () = clock.reach(idle) => Step::Rest,
        }
    }
}

/// Everything that can wake a session's owner.
enum Step {
    Ask(Ask),
    News(News),
    Told,
    Time,
    SentAway,
    Rest,
}
