//! One turn, from `turn/started` to `turn/completed`: a response of the scenario after another, until one calls no tool.

mod approval;
mod broken;
mod ear;
mod ending;
mod fail;
mod flood;
mod patching;
mod running;
mod stream;
mod tools;

use std::{path::PathBuf, sync::Arc, time::Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    items::{self, Item, now_ms},
    messages::{self, Notice, Place},
    params::UserMessage,
    patch::TurnDiff,
    script::{self, Response},
    server::Server,
    store::Record,
    thread::{Signal, Status, Thread, Turn, Usage, UsageTotals},
    views,
};
use crate::scenario::{self, Action};
use ear::Ear;

/// What a turn begins with.
pub(super) struct Opening {
    pub(super) message: Option<UserMessage>,
    pub(super) output_schema: Option<Value>,
    pub(super) compaction: bool,
}

/// A turn that is being played.
pub(super) struct Playing {
    server: Arc<Server>,
    thread: Arc<Thread>,
    id: String,
    ear: Ear,
    /// The last user text, and the tool outputs since: together the place in the scenario.
    text: String,
    outputs: usize,
    output_schema: Option<Value>,
    diff: TurnDiff,
    items: usize,
    started: Instant,
    unanswered: Vec<i64>,
    /// A compaction is nothing to read.
    can_be_unread: bool,
}

/// Why a response stopped before its end.
#[derive(Debug)]
enum Cut {
    /// By the client.
    Interrupted,
    /// By new input: the same turn goes on with it.
    Steered,
    /// By itself.
    Failed { message: String, info: Value },
}

/// How a response ended.
type Played<T = ()> = Result<T, Cut>;

impl Playing {
    pub(super) fn new(
        server: Arc<Server>,
        thread: Arc<Thread>,
        id: String,
        signals: mpsc::Receiver<Signal>,
    ) -> Self {
        let cwd = PathBuf::from(&thread.state().settings.cwd);
        Self {
            ear: Ear::new(signals, server.outbox.clone()),
            server,
            thread,
            id,
            text: String::new(),
            outputs: 0,
            output_schema: None,
            diff: TurnDiff::new(cwd),
            items: 0,
            started: Instant::now(),
            unanswered: Vec::new(),
            can_be_unread: true,
        }
    }

    /// Plays it to its end.
    pub(super) async fn play(mut self, opening: Opening) {
        if let Some(late) = self.server.faults.slow_turn_start {
            tokio::time::sleep(late).await;
        }
        self.begin().await;
        self.output_schema = opening.output_schema;
        self.can_be_unread = !opening.compaction && !self.thread.birth.ephemeral;
        if let Some(message) = opening.message {
            self.hear(message).await;
        }
        loop {
            let played = if opening.compaction { self.compact().await } else { self.respond_all().await };
            if self.end(played).await {
                return;
            }
        }
    }

    async fn begin(&mut self) {
        let turn = Turn::started(self.id.clone(), now_ms() / 1000);
        let value = views::turn(&turn, super::params::ItemsView::NotLoaded);
        let store = &self.server.store;
        store.append(&self.thread, &Record::TurnStarted { turn: self.id.clone(), at: turn.started_at });
        let started = json!({"type": "task_started", "turn_id": self.id});
        store.append(&self.thread, &Record::EventMsg(started));
        {
            let mut state = self.thread.state();
            state.updated_at = turn.started_at;
            state.turns.push(turn);
            state.last_interrupted = None;
        }
        self.status(Status::Active).await;
        self.tell(&messages::turn_started(self.thread.id(), &value)).await;
        if let Some(active) = &mut self.thread.state().active {
            active.started = true;
        }
    }

    /// A message of the user becomes an item; an empty one does not.
    async fn hear(&mut self, message: UserMessage) {
        self.text = message.text();
        self.outputs = 0;
        if message.content.is_empty() {
            return;
        }
        let item = items::user_message(&message.content, message.client_id.as_deref());
        self.item_started(&item).await;
        self.item_completed(item.completed()).await;
    }

    /// Response after response, until one calls no tool.
    async fn respond_all(&mut self) -> Played {
        loop {
            while let Some(message) = self.ear.next_steer() {
                self.hear(message).await;
            }
            let response = script::respond(&self.server.scenario, &self.text, self.outputs);
            match self.respond(&response).await {
                Err(Cut::Steered) => continue,
                Err(cut) => return Err(cut),
                Ok(()) => {}
            }
            self.outputs += response.calls;
            if response.calls == 0 && !self.ear.has_steer() {
                return Ok(());
            }
        }
    }

    /// One response: what it streams, then its tool calls, then its usage.
    async fn respond(&mut self, response: &Response) -> Played {
        let (calls, streamed): (Vec<_>, Vec<_>) =
            response.actions.iter().partition(|action| action.is_call());
        for (at, action) in streamed.into_iter().enumerate() {
            if let Err(cut) = self.stream(action, at == 0).await {
                if !matches!(cut, Cut::Failed { .. }) {
                    self.repeat_usage().await;
                }
                return Err(cut);
            }
        }
        let mut played = Ok(());
        for call in calls {
            played = self.call(call).await;
            if played.is_err() {
                break;
            }
        }
        self.report_usage(&response.actions).await;
        played
    }

    async fn report_usage(&mut self, actions: &[Action]) {
        let last = usage_of(actions, &self.text);
        let totals = {
            let mut state = self.thread.state();
            state.usage.add(last);
            state.usage
        };
        self.server.store.append(&self.thread, &Record::Usage(totals));
        self.tell(&self.place().usage(&totals)).await;
        self.tell(&messages::rate_limits()).await;
        if let Some(diff) = self.diff.text() {
            self.tell(&self.place().diff(&diff)).await;
        }
    }

    /// A response that was cut used nothing that Codex knows of; it says again what it knew.
    async fn repeat_usage(&self) {
        let totals = self.thread.state().usage;
        if totals != UsageTotals::default() {
            self.tell(&self.place().usage(&totals)).await;
        }
        self.tell(&messages::rate_limits()).await;
    }

    /// A compaction shows one item and asks the model nothing that a client sees.
    async fn compact(&mut self) -> Played {
        let item = items::context_compaction();
        self.item_started(&item).await;
        self.report_usage(&[]).await;
        self.item_completed(item.completed()).await;
        Ok(())
    }

    async fn item_started(&self, item: &Item) {
        self.tell(&self.place().item_started(item)).await;
    }

    /// Stored before it is shown.
    async fn item_completed(&self, item: Value) {
        let notice = self.place().item_completed(&item);
        self.server.store.append(&self.thread, &Record::Item { turn: self.id.clone(), item: item.clone() });
        if let Some(turn) = self.thread.state().turns.iter_mut().rev().find(|turn| turn.id == self.id) {
            turn.items.push(item);
        }
        self.tell(&notice).await;
    }

    async fn status(&self, status: Status) {
        self.thread.state().status = status;
        self.tell(&messages::status_changed(self.thread.id(), status)).await;
    }

    async fn tell(&self, notice: &Notice) {
        self.server.tell_of(&self.thread, notice).await;
    }

    fn place(&self) -> Place<'_> {
        Place { thread: self.thread.id(), turn: &self.id }
    }

    /// Ids count through the turn; with the turn's own end they are unique in the thread.
    fn next_item_id(&mut self, kind: &str) -> String {
        self.items += 1;
        let tail = self.id.rsplit('-').next().unwrap_or_default();
        format!("{kind}_{tail}_{}", self.items)
    }
}

/// What the response says it used, or four bytes a token.
fn usage_of(actions: &[Action], text: &str) -> Usage {
    let reported = actions.iter().find_map(|action| match action {
        Action::Usage(usage) => Some(usage.clone()),
        _ => None,
    });
    let said = actions.iter().map(|action| match action {
        Action::Say(say) => say.text.len() * say.repeat.unwrap_or(1),
        Action::Think(think) => think.text.len(),
        _ => 0,
    });
    let usage = reported.unwrap_or_else(|| scenario::Usage::estimate(text.len(), said.sum()));
    Usage { input: usage.input, cached: usage.cached, output: usage.output, reasoning: usage.reasoning }
}
