//! What a case does: starts threads and turns, and waits for their end.

use selvedge_client::CallError;
use selvedge_protocol::{
    call::Call,
    calls,
    say::{TextUserInput, ThreadStartParams, TurnInterruptParams, TurnStartParams, UserInput},
    see::{Notification, ThreadItem},
};
use serde_json::Value;

use crate::stage::Stage;

/// A turn that was started. Older versions count the turns of each thread, so its id alone does not name it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    pub(crate) thread: String,
    pub(crate) id: String,
}

impl Turn {
    /// Whether this is told of it.
    pub(crate) fn is_of(&self, told: &Notification<'_>) -> bool {
        told.thread_id().is_some_and(|thread| thread == self.thread)
            && told.turn_id().is_some_and(|turn| turn == self.id)
    }
}

/// How a turn ended, as `turn/completed` says.
#[derive(Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) status: String,
    pub(crate) error: Option<Value>,
    /// The text of its last completed message.
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

    /// Starts a turn.
    pub(crate) async fn turn(&self, thread: &str, words: &str) -> Turn {
        self.start_turn(&TurnStartParams::new(thread, text(words))).await
    }

    /// Starts a turn with parameters of its own.
    pub(crate) async fn start_turn(&self, params: &TurnStartParams) -> Turn {
        let answer = self.client.call::<calls::TurnStart>(params).await.expect("a turn");
        let reply = answer.read().expect("a readable turn");
        let id = reply.turn().expect("a turn with its id").id.into_owned();
        Turn { thread: params.thread_id.clone(), id }
    }

    /// Waits for the end of a turn.
    pub(crate) async fn ended(&mut self, turn: &Turn) -> Ended {
        let (status, error) = self.ear.until(&format!("end of {turn:?}"), |told| ended(told, turn)).await;
        let text = self.ear.items(turn).filter_map(message).last();
        Ended { status, error, text }
    }

    /// A whole turn, and how it ended.
    pub(crate) async fn play(&mut self, thread: &str, words: &str) -> (Turn, Ended) {
        let turn = self.turn(thread, words).await;
        let ended = self.ended(&turn).await;
        (turn, ended)
    }

    /// Waits until a turn streams a message.
    pub(crate) async fn streaming(&mut self, turn: &Turn) {
        let is_it = |told: &Notification<'_>| {
            (matches!(told, Notification::ItemAgentMessageDelta(_)) && turn.is_of(told)).then_some(())
        };
        self.ear.until(&format!("message of {turn:?}"), is_it).await;
    }

    /// Waits until a command of a turn has written something.
    pub(crate) async fn running(&mut self, turn: &Turn) {
        let is_it = |told: &Notification<'_>| {
            (matches!(told, Notification::ItemCommandExecutionOutputDelta(_)) && turn.is_of(told))
                .then_some(())
        };
        self.ear.until(&format!("output of a command of {turn:?}"), is_it).await;
    }

    /// The judged version has never heard of this request, and says so.
    pub(crate) async fn is_unknown<C: Call>(&self, params: &C::Params) {
        let error = self.client.call::<C>(params).await.err().expect("a refusal");
        let refusal = error.refusal().expect("a refusal, not a failure");
        let words = format!("Invalid request: unknown variant `{}`, expected one of `initialize`", C::METHOD);
        assert!(refusal.code == -32600 && refusal.message.starts_with(&words), "{refusal:?}");
    }

    /// Interrupts a turn.
    pub(crate) async fn interrupt(&self, turn: &Turn) -> Result<(), CallError> {
        let params = TurnInterruptParams::new(turn.thread.as_str(), turn.id.as_str());
        self.client.call::<calls::TurnInterrupt>(&params).await.map(drop)
    }
}

fn ended(told: &Notification<'_>, turn: &Turn) -> Option<(String, Option<Value>)> {
    let Notification::TurnCompleted(completed) = told else { return None };
    let end = completed.turn().filter(|_| turn.is_of(told))?;
    let error = end.error().map(|error| serde_json::from_str(error.as_raw().get()).unwrap());
    Some((end.status()?.as_str().into_owned(), error))
}

/// The text of an agent's message.
pub(crate) fn message(item: ThreadItem<'_>) -> Option<String> {
    match item {
        ThreadItem::AgentMessage(message) => Some(message.text()?.into_owned()),
        _ => None,
    }
}
