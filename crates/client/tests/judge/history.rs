//! A thread's stored turns, by whichever way the judged version has.

use selvedge_protocol::{
    calls,
    say::{ThreadReadParams, ThreadResumeParams, ThreadTurnsListParams},
    see::{ThreadItem, Turn, UserInput},
};

use crate::{
    acts::message,
    differences::{History, differences},
    stage::Stage,
};

/// A turn as it is kept.
#[derive(Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) id: String,
    pub(crate) status: String,
    /// What we said in it, with our own id for it.
    pub(crate) ours: Vec<(String, Option<String>)>,
    /// What the agent said in it.
    pub(crate) messages: Vec<String>,
}

impl Stage {
    /// The turns of a thread, oldest first.
    pub(crate) async fn stored(&self, thread: &str) -> Vec<Stored> {
        match differences().history {
            History::List => self.listed(thread).await,
            History::Read => self.read(thread).await,
            History::Resume => self.resumed(thread).await,
        }
    }

    async fn listed(&self, thread: &str) -> Vec<Stored> {
        let params = ThreadTurnsListParams::new(thread);
        let answer = self.client.call::<calls::ThreadTurnsList>(&params).await.expect("turns");
        let turns = answer.read().unwrap().data().expect("turns");
        let mut turns: Vec<_> = turns.iter().map(|turn| as_kept(&turn)).collect();
        turns.reverse();
        turns
    }

    async fn read(&self, thread: &str) -> Vec<Stored> {
        let mut params = ThreadReadParams::new(thread);
        params.include_turns = Some(true);
        let answer = self.client.call::<calls::ThreadRead>(&params).await.expect("the thread");
        let thread = answer.read().unwrap().thread().expect("a thread");
        thread.turns().expect("turns").iter().map(|turn| as_kept(&turn)).collect()
    }

    async fn resumed(&self, thread: &str) -> Vec<Stored> {
        let params = ThreadResumeParams::new(thread);
        let answer = self.client.call::<calls::ThreadResume>(&params).await.expect("the thread");
        let thread = answer.read().unwrap().thread().expect("a thread");
        thread.turns().expect("turns").iter().map(|turn| as_kept(&turn)).collect()
    }
}

fn as_kept(turn: &Turn<'_>) -> Stored {
    let items: Vec<_> = turn.items().expect("items").iter().collect();
    let ours = items.iter().filter_map(|item| match item {
        ThreadItem::UserMessage(ours) => Some((said(&ours.content()?.get(0)?), ours.client_id())),
        _ => None,
    });
    Stored {
        id: turn.id.to_string(),
        status: turn.status().expect("a status").as_str().into_owned(),
        ours: ours.map(|(text, id)| (text, id.map(|id| id.into_owned()))).collect(),
        messages: items.iter().cloned().filter_map(message).collect(),
    }
}

fn said(input: &UserInput<'_>) -> String {
    match input {
        UserInput::Text(text) => text.text().unwrap_or_default().into_owned(),
        other => panic!("not a text: {other:?}"),
    }
}
