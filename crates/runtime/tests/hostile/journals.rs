//! What is in the journals after a conversation: the sessions' own, and what nobody claimed.

use std::collections::HashMap;

use selvedge_runtime::{Events, session::SessionId};
use serde_json::Value;

use crate::stage::Stage;

/// All of them; an event is found by the marks in it.
pub(crate) struct Journals {
    events: Vec<Vec<Value>>,
    /// Where each mark stands first.
    marks: HashMap<String, Where>,
}

/// A journal and a place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Where {
    pub(crate) journal: usize,
    pub(crate) place: usize,
}

impl Journals {
    pub(crate) async fn of(stage: &Stage, sessions: &[SessionId]) -> Self {
        let mut all = Self { events: Vec::new(), marks: HashMap::new() };
        for id in sessions {
            let session = stage.runtime.session(*id).await.unwrap();
            all.add(session.events(0).await.unwrap()).await;
        }
        all.add(stage.runtime.unclaimed(0).await.unwrap()).await;
        all
    }

    async fn add(&mut self, mut events: Events) {
        let journal = self.events.len();
        let mut read = Vec::new();
        loop {
            let page = events.there(1000).await.unwrap();
            if page.is_empty() {
                break;
            }
            for written in page {
                let text = std::str::from_utf8(&written.text).unwrap();
                for mark in marks_in(text) {
                    self.marks.entry(mark).or_insert(Where { journal, place: read.len() });
                }
                read.push(serde_json::from_str(text).unwrap());
            }
        }
        self.events.push(read);
    }

    /// Where something stands.
    pub(crate) fn find(&self, mark: &str) -> Option<Where> {
        self.marks.get(mark).copied()
    }

    /// The event there.
    pub(crate) fn event(&self, at: Where) -> &Value {
        &self.events[at.journal][at.place]
    }
}

/// `future-`, the process and the number.
fn marks_in(text: &str) -> Vec<String> {
    let found = text.match_indices("future-").filter_map(|(at, _)| {
        let rest = &text[at..];
        let end = rest["future-".len()..].find(|it: char| !it.is_ascii_digit() && it != '-');
        Some(rest[.."future-".len() + end?].to_owned())
    });
    found.collect()
}
