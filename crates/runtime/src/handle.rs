//! One session, to be used.

mod calling;
mod detail;
mod messages;
mod servers;

pub use calling::{Called, Calling};
pub use detail::SessionDetail;
pub use messages::{MessageDetail, MessageFilter, MessageListing};

use std::path::Path;

use selvedge_journal::Store as _;
use selvedge_session::{
    ApprovalId, Code, Command, InputPart, Json, Lifecycle, MessageId, NewMessage, Patch, Session, SessionId,
    Settings, Shape, ToolCallId,
};
use uuid::Uuid;

use crate::{
    actor::{self, Ask, Done, IdempotencyKey, Look},
    error::Error,
    events::Events,
    files::{Picture, picture_of_url},
    git::{self, GitFacts},
    keys,
    ledger::{self, table},
    request::{Answer, Fork, Message, Part, check_budget},
    runtime::Runtime,
    view::{MessageState, MessageView, Receipt, Summary},
};

/// The longest text of one message, in characters.
const LONGEST_INPUT: usize = 1_048_576;

/// A session. Cheap to clone; using it wakes its owner.
#[derive(Clone)]
pub struct SessionHandle {
    runtime: Runtime,
    id: SessionId,
    /// Under which it is told what to do.
    key: Option<String>,
}

impl SessionHandle {
    pub(crate) fn new(runtime: Runtime, id: SessionId) -> Self {
        Self { runtime, id, key: None }
    }

    /// The same one. What it is told to do is done once under this key for 24 hours, whoever is killed before it was said that it
    /// is done. A message has a key of its own.
    #[must_use]
    pub fn keyed(self, key: Option<String>) -> Self {
        Self { key, ..self }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// How it stands. A session that sleeps is not woken by this.
    pub async fn summary(&self) -> Result<Summary, Error> {
        let found = self.store().look_up(table::SESSIONS, &self.id.to_string()).await?;
        let summary = found.first().and_then(|found| serde_json::from_slice(&found.value).ok());
        let mut summary: Summary = summary
            .ok_or_else(|| Error::coded(Code::NotFound, format!("there is no session {}", self.id)))?;
        self.runtime.notice_left(&mut summary).await?;
        Ok(summary)
    }

    /// What it was made with, as it is now.
    pub async fn settings(&self) -> Result<Settings, Error> {
        Ok(self.look().await?.session.settings().clone())
    }

    /// What git says of where it works; nothing outside a repository.
    pub async fn git(&self) -> Result<Option<GitFacts>, Error> {
        self.facts(&self.settings().await?).await
    }

    /// What it changed since it was made, as a unified diff.
    pub async fn diff(&self) -> Result<String, Error> {
        let settings = self.settings().await?;
        let house = &self.runtime.house;
        if !house.may_ask_git(self.id, &settings).await {
            return Err(Error::of(Code::OutsideRoots));
        }
        let hidden = house.hidden_of(self.id, &settings).await?;
        let (cwd, base) = (Path::new(&settings.cwd), settings.base_commit.as_deref());
        let diff = git::diff_since(&house.looks, cwd, base).await;
        let diff = diff.map_err(|error| Error::coded(Code::InvalidArgument, error.to_string()))?;
        Ok(hidden.apply_to_diff(&diff).into_owned())
    }

    async fn facts(&self, settings: &Settings) -> Result<Option<GitFacts>, Error> {
        let house = &self.runtime.house;
        if !house.may_ask_git(self.id, settings).await {
            return Ok(None);
        }
        let (cwd, base) = (Path::new(&settings.cwd), settings.base_commit.as_deref());
        let Some(facts) = GitFacts::read(&house.looks, cwd, base).await else { return Ok(None) };
        Ok(Some(facts.without(&house.hidden_of(self.id, settings).await?)))
    }

    /// Says something to the agent.
    pub async fn send(&self, message: Message) -> Result<Receipt, Error> {
        let Message { id, input, mut options, sender, idempotency_key } = message;
        if let Some(wrong) = options.output_schema.as_ref().and_then(|schema| Shape::of(schema).err()) {
            let message = format!("the shape is no JSON schema: {wrong}");
            return Err(Error::coded(Code::InvalidArgument, message).field("output_schema"));
        }
        self.runtime.may_work(self.id).await?;
        self.runtime.has_codex(self.id).await?;
        let input = self.keep(input).await?;
        check_budget(options.budget.as_ref())?;
        self.price(&mut options).await?;
        let id = id.unwrap_or_else(|| MessageId(Uuid::now_v7()));
        let key = idempotency_key.map(|key| {
            let digest = keys::digest(&(&input, &options));
            IdempotencyKey { key, digest, message_id: Some(id) }
        });
        let new = NewMessage { id, input, options, sender };
        let command = Command::Send(Box::new(new));
        let message_id = match self.runtime.order(self.id, command, key).await? {
            Done::Now => id,
            Done::Before(before) => before.unwrap_or(id),
        };
        let state = self.message(message_id).await.map_or(MessageState::Queued, |view| view.state);
        Ok(Receipt { message_id, state })
    }

    /// A message and, when it has ended, its result.
    pub async fn message(&self, id: MessageId) -> Result<MessageView, Error> {
        if let Some(view) = self.finished_view(id).await? {
            return Ok(view);
        }
        self.place_of(table::ACCEPTED, id).await?.ok_or_else(|| not_found(id))?;
        let view = open_view(&self.look().await?.session, id);
        match view {
            Some(view) => Ok(view),
            // It ended between the two looks.
            None => self.finished_view(id).await?.ok_or_else(|| not_found(id)),
        }
    }

    /// Messages that wait or run, in their order.
    pub async fn open_messages(&self) -> Result<Vec<MessageView>, Error> {
        let look = self.look().await?;
        let ids: Vec<_> = look.session.running().into_iter().chain(look.session.queued()).collect();
        Ok(ids.into_iter().filter_map(|id| open_view(&look.session, id)).collect())
    }

    /// Waits for a message's end.
    pub async fn finished(&self, id: MessageId) -> Result<MessageView, Error> {
        let accepted = self.place_of(table::ACCEPTED, id).await?.ok_or_else(|| not_found(id))?;
        if let Some(view) = self.finished_view(id).await? {
            return Ok(view);
        }
        let mut events = self.events(accepted).await?;
        loop {
            for written in events.next(1000).await? {
                let view = MessageView::of_event(&written.read()?);
                if let Some(view) = view.filter(|view| view.message_id == id) {
                    return Ok(view);
                }
            }
        }
    }

    /// Takes a queued message back, or stops the running one.
    pub async fn take_back(&self, id: MessageId) -> Result<(), Error> {
        if self.message(id).await?.state.is_end() {
            return Err(Error::coded(Code::NotQueued, "the message has ended: it cannot be taken back"));
        }
        self.command(Command::TakeBack(id)).await
    }

    /// Says something else in a queued message, or moves it. Its pictures stay.
    pub async fn edit(
        &self,
        id: MessageId,
        text: Option<String>,
        position: Option<usize>,
    ) -> Result<(), Error> {
        self.place_of(table::ACCEPTED, id).await?.ok_or_else(|| not_found(id))?;
        let input = match text {
            Some(text) => Some(self.reworded(id, text).await?),
            None => None,
        };
        self.command(Command::Edit { message_id: id, input, position }).await
    }

    /// Stops the running turn; with `force` by killing its app-server.
    pub async fn interrupt(&self, force: bool) -> Result<(), Error> {
        self.command(Command::Interrupt { force }).await
    }

    /// Goes on after `failed`, `stopped` or a held queue.
    pub async fn start(&self) -> Result<(), Error> {
        self.runtime.forgive(self.id).await?;
        self.command(Command::Start).await
    }

    /// Stops: the turn is interrupted, the queue ends.
    pub async fn stop(&self) -> Result<(), Error> {
        self.command(Command::Stop).await
    }

    /// Lets Codex compact the thread's history.
    pub async fn compact(&self) -> Result<(), Error> {
        self.command(Command::Compact).await
    }

    /// Lets Codex review, in its own words what.
    pub async fn review(&self, target: Json) -> Result<(), Error> {
        self.command(Command::Review(target)).await
    }

    /// Puts it away: it stops, and Codex archives the thread.
    pub async fn archive(&self) -> Result<(), Error> {
        self.command(Command::Archive).await
    }

    /// Takes it out again.
    pub async fn unarchive(&self) -> Result<(), Error> {
        self.command(Command::Unarchive).await
    }

    /// Changes how it works, from the next turn on.
    pub async fn update(&self, patch: Patch) -> Result<(), Error> {
        self.command(Command::Update(Box::new(patch))).await
    }

    /// A new session with this one's history, whole or up to a message.
    pub async fn fork(&self, fork: Fork) -> Result<Self, Error> {
        self.runtime.fork(self.id, fork).await
    }

    /// Stops it, and removes it with everything only it uses.
    pub async fn remove(&self) -> Result<(), Error> {
        self.runtime.remove(self.id).await
    }

    /// Answers what Codex asks a person. The first answer wins.
    pub async fn answer(&self, approval_id: ApprovalId, answer: Answer) -> Result<(), Error> {
        let Answer { decision, by, message, content } = answer;
        self.command(Command::Answer { approval_id, decision, by, message, content }).await
    }

    /// Answers a call of one of the session's own tools.
    pub async fn answer_tool(&self, id: ToolCallId, success: bool, content: Json) -> Result<(), Error> {
        self.command(Command::AnswerTool { tool_call_id: id, success, content }).await
    }

    /// Its events after a number: history, then live.
    pub async fn events(&self, after: u64) -> Result<Events, Error> {
        Ok(Events::new(self.store().reader(&ledger::key(self.id), after).await?))
    }

    async fn command(&self, command: Command) -> Result<(), Error> {
        let key = self.key.clone().map(|key| {
            let digest = keys::digest(&command);
            IdempotencyKey { key, digest, message_id: None }
        });
        self.runtime.order(self.id, command, key).await.map(drop)
    }

    pub(crate) async fn look(&self) -> Result<Look, Error> {
        match self.runtime.house.ask(self.id, Ask::Look).await {
            // Another program owns it: its records say how it stands.
            Err(error) if error.code == Code::OwnedElsewhere => {
                actor::look_at(&self.runtime.house, self.id).await
            }
            look => look,
        }
    }

    fn store(&self) -> &selvedge_journal::SqliteStore {
        &self.runtime.house.store
    }

    /// What a queued message shows, with other words.
    async fn reworded(&self, id: MessageId, text: String) -> Result<Vec<InputPart>, Error> {
        if text.chars().count() > LONGEST_INPUT {
            return Err(Error::of(Code::InputTooLong));
        }
        let look = self.look().await?;
        let queued = look.session.queue().find(|queued| queued.id == id);
        let pictures = queued.into_iter().flat_map(|queued| queued.input.iter().cloned());
        let pictures = pictures.filter(|part| matches!(part, InputPart::Image { .. }));
        Ok(std::iter::once(InputPart::Text { text }).chain(pictures).collect())
    }

    /// Pictures become files; what is too long or comes from elsewhere is refused.
    async fn keep(&self, parts: Vec<Part>) -> Result<Vec<InputPart>, Error> {
        let characters: usize =
            parts.iter().map(|part| if let Part::Text(text) = part { text.chars().count() } else { 0 }).sum();
        if characters > LONGEST_INPUT {
            return Err(Error::of(Code::InputTooLong));
        }
        if parts.iter().all(|part| matches!(part, Part::Text(text) if text.trim().is_empty())) {
            return Err(Error::coded(Code::InvalidArgument, "the message says nothing").field("input"));
        }
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            kept.push(match part {
                Part::Text(text) => InputPart::Text { text },
                Part::Image { data, media_type } => {
                    self.keep_picture(Picture { media_type, bytes: data }).await?
                }
                Part::ImageUrl(url) => self.keep_picture(picture_of_url(&url)?).await?,
            });
        }
        Ok(kept)
    }

    /// Keeps a file with the session, until that is removed; its SHA-256, by which it is found again.
    pub async fn keep_file(&self, media_type: &str, bytes: Vec<u8>) -> Result<String, Error> {
        Ok(self
            .runtime
            .house
            .files
            .put(self.id, Picture { media_type: media_type.to_owned(), bytes })
            .await?)
    }

    async fn keep_picture(&self, picture: Picture) -> Result<InputPart, Error> {
        let media_type = picture.media_type.clone();
        let sha256 = self.runtime.house.files.put(self.id, picture).await?;
        Ok(InputPart::Image { sha256, media_type })
    }

    /// What the model costs goes with the message; a limit on cost needs it.
    async fn price(&self, options: &mut selvedge_session::Options) -> Result<(), Error> {
        let prices = &self.runtime.config().prices;
        if prices.is_empty() && options.budget.is_none() {
            return Ok(());
        }
        let session = self.look().await?.session;
        let settings = session.settings();
        // A thread whose model nobody chose says itself which one it has, once it is made.
        let made_with = session.made_with().and_then(|made_with| made_with.model.as_ref());
        let model = options.model.as_ref().or(settings.model.as_ref()).or(made_with);
        options.price = model.and_then(|model| prices.get(model)).copied();
        let limited = options.budget.or(settings.budget).is_some_and(|budget| budget.max_cost_usd.is_some());
        let may_come = model.is_none() && !prices.is_empty();
        if limited && options.price.is_none() && !may_come {
            let unknown = Error::of(Code::PriceUnknown);
            let own = options.budget.is_some();
            return Err(if own { unknown.field("budget.max_cost_usd") } else { unknown });
        }
        Ok(())
    }

    async fn finished_view(&self, id: MessageId) -> Result<Option<MessageView>, Error> {
        let Some(seq) = self.place_of(table::FINISHED, id).await? else { return Ok(None) };
        let mut events = self.events(seq.saturating_sub(1)).await?;
        let event = events.there(1).await?.first().map(crate::events::Written::read).transpose()?;
        Ok(event.as_ref().and_then(MessageView::of_event))
    }

    /// The number of the event that accepted or finished a message.
    async fn place_of(&self, table: &'static str, id: MessageId) -> Result<Option<u64>, Error> {
        let found = self.store().look_up(table, &id.to_string()).await?;
        let own = found.iter().find(|found| found.session.as_str() == self.id.to_string());
        let value =
            own.map(|found| serde_json::from_slice::<serde_json::Value>(&found.value).unwrap_or_default());
        Ok(value.and_then(|value| value["seq"].as_u64()))
    }
}

fn open_view(session: &Session, id: MessageId) -> Option<MessageView> {
    if session.queued().any(|queued| queued == id) {
        return Some(MessageView::open(id, MessageState::Queued, None));
    }
    let waits = session.lifecycle() == Lifecycle::Waiting;
    let state = if waits { MessageState::Waiting } else { MessageState::Running };
    let turn_id = session.turn_id().map(str::to_owned);
    session.is_under_way(id).then(|| MessageView::open(id, state, turn_id))
}

fn not_found(id: MessageId) -> Error {
    Error::coded(Code::NotFound, format!("there is no message {id} in this session"))
}
