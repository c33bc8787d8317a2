//! Somebody who reads a session's events, in order, and remembers them.

use selvedge_runtime::{
    Events, SessionHandle,
    session::{
        Event, Item, Lifecycle, MessageId, What,
        data::{ApprovalRequested, DeltaKind, Finished, ToolRequested},
    },
};
use serde_json::Value;

/// A reader of one session.
pub(crate) struct Watch {
    events: Events,
    pub(crate) seen: Vec<Event>,
}

impl Watch {
    /// From the session's beginning.
    pub(crate) async fn of(session: &SessionHandle) -> Self {
        Self { events: session.events(0).await.unwrap(), seen: Vec::new() }
    }

    /// Reads on until an event is what is waited for.
    pub(crate) async fn until<T>(&mut self, mut pick: impl FnMut(&Event) -> Option<T>) -> T {
        loop {
            for written in self.events.next(1).await.unwrap() {
                let event = written.read().unwrap();
                let picked = pick(&event);
                self.seen.push(event);
                if let Some(picked) = picked {
                    return picked;
                }
            }
        }
    }

    /// Reads on until Codex asks a person.
    pub(crate) async fn approval(&mut self) -> ApprovalRequested {
        self.until(|event| match &event.what {
            What::ApprovalRequested(it) => Some(it.clone()),
            _ => None,
        })
        .await
    }

    /// Reads on until Codex calls a tool of the session's.
    pub(crate) async fn tool_call(&mut self) -> ToolRequested {
        self.until(|event| match &event.what {
            What::ToolRequested(it) => Some(it.clone()),
            _ => None,
        })
        .await
    }

    /// Reads on until a message has ended.
    pub(crate) async fn finished(&mut self, id: MessageId) -> Finished {
        self.until(|event| match &event.what {
            What::MessageFinished(it) if it.message_id == id => Some(it.clone()),
            _ => None,
        })
        .await
    }

    /// Reads on until there is a turn, and its first piece of this kind.
    pub(crate) async fn piece(&mut self, kind: DeltaKind) {
        self.until(|event| match &event.what {
            What::ItemDelta(it) if it.kind == kind => Some(()),
            _ => None,
        })
        .await;
    }

    /// Reads on until an event of this name.
    pub(crate) async fn named(&mut self, name: &str) -> Event {
        self.until(|event| (event.what.name() == name).then(|| event.clone())).await
    }

    /// The names of what was read.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.seen.iter().map(|event| event.what.name()).collect()
    }

    /// The completed items of a kind that were read.
    pub(crate) fn items(&self, kind: &str) -> Vec<Value> {
        let items = self.seen.iter().filter_map(|event| match &event.what {
            What::ItemCompleted(it) if Item::read(&it.item).kind == kind => Some(value(&it.item)),
            _ => None,
        });
        items.collect()
    }
}

/// Everything that is there now.
pub(crate) async fn history(session: &SessionHandle) -> Vec<Event> {
    let mut events = session.events(0).await.unwrap();
    let mut all = Vec::new();
    loop {
        let page = events.there(1000).await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page.iter().map(|written| written.read().unwrap()));
    }
}

/// The codes of what the session's people were told to know.
pub(crate) async fn warnings(session: &SessionHandle) -> Vec<String> {
    let warned = history(session).await.into_iter().filter_map(|event| match event.what {
        What::SessionWarning(it) => Some(it.code),
        _ => None,
    });
    warned.collect()
}

/// JSON, to be looked into.
pub(crate) fn value(json: &selvedge_runtime::session::Json) -> Value {
    serde_json::from_str(json.text()).unwrap()
}

/// What became of its messages never had to be found out.
pub(crate) async fn never_in_doubt(session: &SessionHandle) {
    let states = history(session).await.into_iter().filter_map(|event| match event.what {
        What::SessionState(it) => Some(it.state),
        _ => None,
    });
    let states: Vec<_> = states.collect();
    assert!(!states.contains(&Lifecycle::Recovering), "{states:?}");
}
