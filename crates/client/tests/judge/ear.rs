//! Hears what Codex says: waits for what a case needs, and keeps everything.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use selvedge_client::{Inbox, Line, Message};
use selvedge_protocol::{
    frame::{Frame, RequestId},
    see::{Notification, ServerRequest, ThreadItem},
};
use tokio::time::timeout;

use crate::acts::Turn;

/// Longer than anything here takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The consumer of one case.
pub(crate) struct Ear {
    inbox: Inbox,
    heard: Vec<Line>,
    /// Requests of Codex up to here have been handed to the case.
    asks_taken: usize,
}

/// A request of Codex, to be answered by its id.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) id: RequestId<'static>,
    line: Line,
}

impl Ask {
    /// What it asks.
    pub(crate) fn request(&self) -> ServerRequest<'_> {
        match self.line.message() {
            Message::Request { request, .. } => request,
            other => panic!("not a request: {other:?}"),
        }
    }
}

impl Ear {
    pub(crate) fn new(inbox: Inbox) -> Self {
        Self { inbox, heard: Vec::new(), asks_taken: 0 }
    }

    /// Goes on with another process.
    pub(crate) fn listen_to(&mut self, inbox: Inbox) {
        self.inbox = inbox;
    }

    /// Everything that was told so far, in order.
    pub(crate) fn told(&self) -> impl Iterator<Item = Notification<'_>> {
        self.heard.iter().filter_map(notification)
    }

    /// What is told of one turn, in order.
    pub(crate) fn told_of<'a>(&'a self, turn: &'a Turn) -> impl Iterator<Item = Notification<'a>> {
        self.told().filter(|told| turn.is_of(told))
    }

    /// The completed items of one turn, in order.
    pub(crate) fn items<'a>(&'a self, turn: &'a Turn) -> impl Iterator<Item = ThreadItem<'a>> {
        self.told_of(turn).filter_map(|told| match told {
            Notification::ItemCompleted(completed) => completed.item(),
            _ => None,
        })
    }

    /// The first thing told, before or from now on, in which `find` finds something.
    pub(crate) async fn until<T>(
        &mut self,
        what: &str,
        mut find: impl FnMut(&Notification<'_>) -> Option<T>,
    ) -> T {
        let mut next = 0;
        loop {
            while let Some(line) = self.heard.get(next) {
                next += 1;
                if let Some(found) = notification(line).as_ref().and_then(&mut find) {
                    return found;
                }
            }
            self.hear(what).await;
        }
    }

    /// The next request of Codex that no case has taken.
    pub(crate) async fn next_ask(&mut self) -> Ask {
        loop {
            while let Some(line) = self.heard.get(self.asks_taken) {
                self.asks_taken += 1;
                if let Frame::Request { id, .. } = line.frame() {
                    return Ask { id: id.into_owned(), line: line.clone() };
                }
            }
            self.hear("request of Codex").await;
        }
    }

    /// How many requests were made so far.
    pub(crate) fn asks(&self) -> usize {
        self.heard.iter().filter(|line| matches!(line.frame(), Frame::Request { .. })).count()
    }

    /// Everything up to the end of the process.
    pub(crate) async fn hear_the_rest(&mut self) {
        while let Ok(Some(line)) = timeout(PATIENCE, self.inbox.next()).await {
            self.heard.push(line);
        }
    }

    async fn hear(&mut self, what: &str) {
        match timeout(PATIENCE, self.inbox.next()).await {
            Ok(Some(line)) => self.heard.push(line),
            Ok(None) => panic!("no {what}: Codex has said its last.\n{}", self.summary()),
            Err(_) => panic!("no {what} within {} s of silence.\n{}", PATIENCE.as_secs(), self.summary()),
        }
    }

    /// What was heard so far: how often each method, and the last lines.
    fn summary(&self) -> String {
        let mut counts = BTreeMap::new();
        for line in &self.heard {
            if let Frame::Notification { method, .. } | Frame::Request { method, .. } = line.frame() {
                *counts.entry(method.into_owned()).or_insert(0_usize) += 1;
            }
        }
        let mut text = format!("heard so far: {counts:#?}\nthe last lines:\n");
        for line in self.heard.iter().rev().take(12).rev() {
            let start: String = line.text().unwrap_or("(not UTF-8)").chars().take(400).collect();
            let _infallible = writeln!(text, "  {start}");
        }
        text
    }
}

fn notification(line: &Line) -> Option<Notification<'_>> {
    match line.message() {
        Message::Notification(told) => Some(told),
        Message::Malformed(why) => panic!("Codex wrote a line that is no message ({why}): {line:?}"),
        _ => None,
    }
}
