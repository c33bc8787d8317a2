//! What a case does: starts threads and turns, and waits for their end.

use selvedge_client::CallError;
use selvedge_protocol::{
    calls,
    say::{TextUserInput, ThreadStartParams, TurnInterruptParams, TurnStartParams, UserInput},
    see::{Notification, ThreadItem},
};
use serde_json::Value;

use crate::stage::Stage;

/// How a turn ended, as `turn/completed` says.
#[derive(Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) status: String,
    pub(crate) error: Option<Value>,
    /// The text of its last message.
    pub(crate) text: Option<String>,
}

/// A user's text.
pub(crate) fn text(text: &str) -> Vec<UserInput> {
    vec![TextUserInput::new(text).into()]
}

impl Stage {
    /// A thread in the workspace with what Codex is configured for.
    pub(crate) async fn thread(&self) -> String {
        self.start_thread(ThreadStartParams::default()).await
    }

    /// A thread in the workspace with parameters of its own.
    pub(crate) async fn start_thread(&self, mut params: ThreadStartParams) -> String {
        params.cwd = Some(self.places.workspace.display().to_string());
        let answer = self.client.call::<calls::ThreadStart>(&params).await.expect("a thread");
        let reply = answer.read().expect("a readable thread");
        reply.thread().expect("a thread with its ids").id.into_owned()
    }

    /// Starts a turn; its id.
    pub(crate) async fn turn(&self, thread: &str, words: &str) -> String {
        self.start_turn(&TurnStartParams::new(thread, text(words))).await
    }

    /// Starts a turn with parameters of its own; its id.
    pub(crate) async fn start_turn(&self, params: &TurnStartParams) -> String {
        let answer = self.client.call::<calls::TurnStart>(params).await.expect("a turn");
        let reply = answer.read().expect("a readable turn");
        reply.turn().expect("a turn with its id").id.into_owned()
    }

    /// Waits for the end of a turn.
    pub(crate) async fn ended(&mut self, thread: &str, turn: &str) -> Ended {
        self.ear.until(&format!("end of turn {turn}"), |told| ended(told, thread, turn)).await
    }

    /// A whole turn: its id and how it ended.
    pub(crate) async fn play(&mut self, thread: &str, words: &str) -> (String, Ended) {
        let turn = self.turn(thread, words).await;
        let ended = self.ended(thread, &turn).await;
        (turn, ended)
    }

    /// Waits until a turn streams a message.
    pub(crate) async fn streaming(&mut self, turn: &str) {
        let is_it = |told: &Notification<'_>| match told {
            Notification::ItemAgentMessageDelta(delta) => (delta.turn_id == turn).then_some(()),
            _ => None,
        };
        self.ear.until(&format!("message of turn {turn}"), is_it).await;
    }

    /// Waits until a command of a turn has written something.
    pub(crate) async fn running(&mut self, turn: &str) {
        let is_it = |told: &Notification<'_>| match told {
            Notification::ItemCommandExecutionOutputDelta(delta) => (delta.turn_id == turn).then_some(()),
            _ => None,
        };
        self.ear.until(&format!("output of a command of turn {turn}"), is_it).await;
    }

    /// Interrupts a turn.
    pub(crate) async fn interrupt(&self, thread: &str, turn: &str) -> Result<(), CallError> {
        let params = TurnInterruptParams::new(thread, turn);
        self.client.call::<calls::TurnInterrupt>(&params).await.map(drop)
    }
}

fn ended(told: &Notification<'_>, thread: &str, turn: &str) -> Option<Ended> {
    let Notification::TurnCompleted(completed) = told else { return None };
    let end = completed.turn()?;
    if completed.thread_id != thread || end.id != turn {
        return None;
    }
    let error = end.error().map(|error| serde_json::from_str(error.as_raw().get()).unwrap());
    let text = end.items().into_iter().flatten().filter_map(message).next_back();
    Some(Ended { status: end.status()?.as_str().into_owned(), error, text })
}

/// The text of an agent's message.
pub(crate) fn message(item: ThreadItem<'_>) -> Option<String> {
    match item {
        ThreadItem::AgentMessage(message) => Some(message.text()?.into_owned()),
        _ => None,
    }
}
