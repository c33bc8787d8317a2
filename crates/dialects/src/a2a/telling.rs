//! A task as it follows from a session's events: the same events tell every reader the same, whenever they come.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_session::{
    Event, Item, Lifecycle, MessageId, Status as End, Timestamp, Usage, What,
    data::{self, DeltaKind},
};
use serde_json::{Map, Value, json};

use super::{
    answer::Answer,
    asking::Question,
    doing, ending,
    message::{Message, Role},
    offers::Offers,
    task::{Artifact, State, Status, Task, Update},
};

/// What is told of one task. It begins with the task's first event.
#[derive(Debug, Clone)]
pub struct Telling {
    task: MessageId,
    context: String,
    /// The messages it lives by, and whether they have ended: mostly one.
    messages: BTreeMap<MessageId, bool>,
    /// Those that will be among them, once they are accepted.
    expected: BTreeSet<MessageId>,
    /// The turn that works on it.
    turn: Option<String>,
    status: Status,
    /// Questions that wait, oldest first.
    questions: Vec<Question>,
    /// Somebody is waited for. A question that the policy answers is asked too, and nobody waits.
    waiting: bool,
    answer: Answer,
    /// Before its first piece so much was offered.
    answer_after: Option<usize>,
    /// What the agent offers beside it.
    offers: Offers,
    /// What was said, when, and after which event: much can happen in a millisecond.
    said: Vec<((Timestamp, u64), Message)>,
    metadata: Map<String, Value>,
    accepted: bool,
}

impl Telling {
    /// Of a task in a context.
    pub fn new(task: MessageId, context: &str, at: Timestamp) -> Self {
        Self {
            task,
            context: context.to_owned(),
            messages: BTreeMap::from([(task, false)]),
            expected: BTreeSet::new(),
            turn: None,
            status: Status { state: State::Submitted, message: None, at },
            questions: Vec::new(),
            waiting: false,
            answer: Answer::default(),
            answer_after: None,
            offers: Offers::default(),
            said: Vec::new(),
            metadata: Map::new(),
            accepted: false,
        }
    }

    /// Whoever asked said something, at this time and after this event; it belongs to what was said.
    pub fn say(&mut self, when: (Timestamp, u64), message: Message) {
        let context = self.context.clone();
        self.said.push((when, message.within(&context, Some(&self.task.to_string()))));
    }

    /// Another message goes on with the task, once it is accepted.
    pub fn expect(&mut self, message: MessageId) {
        self.expected.insert(message);
    }

    /// A file that is offered, in base64: it lies elsewhere.
    pub fn bring(&mut self, sha256: &str, base64: String) {
        self.offers.bring(sha256, base64);
    }

    /// It ended otherwise than by a message's end: it was not taken, or given up while it waited.
    pub fn close(&mut self, state: State, at: Timestamp, why: Option<&str>) -> Update {
        let words = why.map(|why| Message::of_agent(format!("{}-end", self.task), why));
        self.set(state, at, words);
        self.accepted = true;
        Update::Status(self.status.clone())
    }

    /// The messages that have not ended.
    pub fn open_messages(&self) -> impl Iterator<Item = MessageId> {
        self.messages.iter().filter(|(_, ended)| !**ended).map(|(id, _)| *id)
    }

    /// Whether a message is one of those it lives by, ended or not. One that came after its end is not.
    pub fn lives_by(&self, message: MessageId) -> bool {
        self.messages.contains_key(&message)
    }

    /// Whether its first event was told.
    pub fn has_begun(&self) -> bool {
        self.accepted
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.status.state
    }

    /// Since when it stands there.
    pub fn since(&self) -> Timestamp {
        self.status.at
    }

    /// The question that an answer is for.
    pub fn question(&self) -> Option<&Question> {
        self.questions.first()
    }

    /// The task as it stands.
    pub fn task(&self) -> Task {
        let mut said = self.said.clone();
        // What an event says was said before what whoever asked said after it.
        said.sort_by_key(|(when, message)| (*when, message.role == Role::User));
        Task {
            id: self.task.to_string(),
            context: self.context.clone(),
            status: self.status.clone(),
            artifacts: self.artifacts(),
            history: said.into_iter().map(|(_, message)| message).collect(),
            metadata: self.metadata.clone(),
        }
    }

    /// What it came to, in the order in which it was first told.
    fn artifacts(&self) -> Vec<Artifact> {
        let mut all: Vec<Artifact> = self.offers.artifacts().collect();
        let place = self.answer_after.unwrap_or(all.len()).min(all.len());
        all.splice(place..place, self.answer.artifacts());
        all
    }

    /// What an event tells of it.
    pub fn take(&mut self, event: &Event) -> Vec<Update> {
        if self.status.state.is_end() {
            return Vec::new();
        }
        match &event.what {
            What::MessageAccepted(it) if self.expected.remove(&it.message_id) => {
                self.messages.insert(it.message_id, false);
                self.accept(event)
            }
            What::MessageAccepted(it) if self.messages.contains_key(&it.message_id) => self.accept(event),
            What::MessageStarted(it) if self.messages.contains_key(&it.message_id) => {
                self.turn = event.turn_id.clone().or(self.turn.take());
                self.work(event, None)
            }
            What::MessageFinished(it) if self.messages.contains_key(&it.message_id) => {
                self.finish(event.at, it)
            }
            What::TurnStarted(it) if it.message_ids.iter().any(|id| self.messages.contains_key(id)) => {
                self.turn.clone_from(&event.turn_id);
                Vec::new()
            }
            What::SessionState(it) => self.session_stands(event, it.state == Lifecycle::Waiting),
            _ if self.is_ours(event) => self.within_turn(event),
            _ => Vec::new(),
        }
    }

    /// Whether it happened in the turn that works on the task.
    fn is_ours(&self, event: &Event) -> bool {
        self.turn.is_some() && event.turn_id == self.turn && event.thread_id.is_none() && !self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.messages.values().all(|ended| *ended)
    }

    fn accept(&mut self, event: &Event) -> Vec<Update> {
        if self.accepted {
            // A message that goes on with a task which waited.
            return if self.status.state == State::AuthRequired {
                self.set(State::Submitted, event.at, None)
            } else {
                Vec::new()
            };
        }
        self.accepted = true;
        self.set(State::Submitted, event.at, None)
    }

    fn work(&mut self, event: &Event, words: Option<String>) -> Vec<Update> {
        let words = words.map(|words| Message::of_agent(format!("{}-{}", self.task, event.seq), words));
        if self.status.state == State::Working && words.is_none() {
            return Vec::new();
        }
        self.set(State::Working, event.at, words)
    }

    fn within_turn(&mut self, event: &Event) -> Vec<Update> {
        match &event.what {
            What::ItemStarted(it) => match doing::words(&it.item) {
                Some(words) => self.work(event, Some(words)),
                None => {
                    self.answer.begin(&Item::read(&it.item));
                    Vec::new()
                }
            },
            What::ItemDelta(it) if it.kind == DeltaKind::Text => {
                let offered = self.offers.artifacts().count();
                self.answer_after.get_or_insert(offered);
                let item = event.item_id.as_deref().unwrap_or_default();
                self.answer.grow(item, &it.delta).into_iter().collect()
            }
            What::ItemCompleted(it) => self.item_ended(event, &it.item),
            What::ToolRequested(it) => {
                self.offers.begin(it);
                Vec::new()
            }
            What::ToolResolved(it) => self.offers.end(it).into_iter().collect(),
            What::ApprovalRequested(it) => self.ask(event, Question::of(it)),
            What::ApprovalResolved(it) => {
                self.questions.retain(|question| question.id != it.approval_id);
                match self.questions.first() {
                    Some(next) if self.status.state == State::InputRequired => {
                        let message = next.message();
                        self.set(State::InputRequired, event.at, Some(message))
                    }
                    None if self.status.state == State::InputRequired => self.work(event, None),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// What an agent says on its way is its status; its answer is an artifact.
    fn item_ended(&mut self, event: &Event, item: &selvedge_session::Json) -> Vec<Update> {
        let item = Item::read(item);
        let on_its_way = item.is_message() && item.phase.as_deref() == Some("commentary");
        match item.text {
            Some(text) if on_its_way => {
                let said = Message::of_agent(item.id, &text);
                self.say((event.at, event.seq), said);
                self.work(event, Some(text))
            }
            _ => Vec::new(),
        }
    }

    fn ask(&mut self, event: &Event, question: Question) -> Vec<Update> {
        let message = question.message();
        self.say((event.at, event.seq), message.clone());
        self.questions.push(question);
        // Else the session says next that it waits, unless the policy answers.
        if self.questions.len() > 1 || !self.waiting {
            return Vec::new();
        }
        self.set(State::InputRequired, event.at, Some(message))
    }

    fn session_stands(&mut self, event: &Event, waiting: bool) -> Vec<Update> {
        self.waiting = waiting;
        match self.questions.first() {
            Some(question) if waiting && self.status.state == State::Working => {
                let message = question.message();
                self.set(State::InputRequired, event.at, Some(message))
            }
            None if !waiting && self.status.state == State::InputRequired => self.work(event, None),
            _ => Vec::new(),
        }
    }

    fn finish(&mut self, at: Timestamp, it: &data::Finished) -> Vec<Update> {
        self.messages.insert(it.message_id, true);
        self.count(it);
        if !self.has_ended() {
            return Vec::new();
        }
        self.questions.clear();
        self.turn = None;
        let mut updates: Vec<Update> = self.answer.end(&it.text, it.output.as_ref()).into_iter().collect();
        let (state, words) = ending::of(it);
        let words = words.map(|words| Message::of_agent(format!("{}-end", it.message_id), words));
        updates.extend(self.set(state, at, words));
        updates
    }

    /// What it used, and what programs want to know of its end.
    fn count(&mut self, it: &data::Finished) {
        let Usage { input, cached_input, cache_write_input, output, reasoning_output, total } = it.usage;
        let usage = json!({
            "input": input, "cachedInput": cached_input, "cacheWriteInput": cache_write_input,
            "output": output, "reasoningOutput": reasoning_output, "total": total,
        });
        self.metadata.insert("usage".to_owned(), usage);
        let cost = it.cost_usd.map(|cost| json!(cost));
        let error = it.error.as_ref().map(|error| json!({"phase": error.phase, "code": error.code}));
        let outcome = (it.status == End::Lost).then(|| json!("unknown"));
        let joined = it.steered_into.map(|other| json!(other));
        for (name, value) in
            [("costUsd", cost), ("error", error), ("outcome", outcome), ("steeredInto", joined)]
        {
            super::message::put(&mut self.metadata, name, value);
        }
    }

    fn set(&mut self, state: State, at: Timestamp, words: Option<Message>) -> Vec<Update> {
        let (context, task) = (self.context.clone(), self.task.to_string());
        let message = words.map(|words| words.within(&context, Some(&task)));
        self.status = Status { state, message, at };
        vec![Update::Status(self.status.clone())]
    }
}

#[cfg(test)]
mod tests;
