//! Items that began and have not ended, and what is being said in them.

use selvedge_session::{Timestamp, data::DeltaKind};
use serde_json::Value;

use super::{Delta, Message, Place, Speaker, StreamEvent};

/// An item that began and has not ended.
#[derive(Debug, Clone)]
pub(in crate::companion) struct Open {
    /// The id under which the browser knows it.
    pub(in crate::companion) id: String,
    pub(super) what: What,
    /// What was said of it so far.
    pub(super) text: String,
    pub(super) began: Timestamp,
    /// What its tool is used with.
    pub(in crate::companion) input: Value,
    pub(super) parent: Option<String>,
}

/// As what it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Message,
    /// Of which the first kind of pieces is told.
    Thoughts(Option<DeltaKind>),
    Tool(String),
    /// A tool that is told when it has ended.
    Later,
    Other,
}

impl Speaker {
    /// What is being said right now, from its beginning, for a browser that was not there. It begins anew also if nothing is:
    /// the browser may still show what was being said when it left.
    pub(in crate::companion) fn being_said(&self) -> Vec<Message> {
        let mut open: Vec<_> = self.open.values().filter(|open| !open.text.is_empty()).collect();
        open.sort_by(|a, b| (a.began, &a.id).cmp(&(b.began, &b.id)));
        if open.is_empty() && self.phase.is_busy() {
            return vec![self.anew("codex-agent-next", None)];
        }
        open.into_iter().flat_map(|open| open.again(self)).collect()
    }

    fn anew(&self, id: &str, parent_tool_use_id: Option<String>) -> Message {
        let message = Box::new(self.assistant(id.to_owned(), Vec::new()));
        Message::StreamEvent { event: StreamEvent::MessageStart { message }, parent_tool_use_id }
    }
}

impl Open {
    pub(super) fn new(id: String, what: What, place: &Place) -> Self {
        let (began, parent) = (place.at, place.parent.clone());
        Self { id, what, text: String::new(), began, input: Value::Null, parent }
    }

    fn again(&self, speaker: &Speaker) -> Vec<Message> {
        let text = self.text.clone();
        let (id, delta) = match self.what {
            What::Message => (format!("codex-agent-{}", self.id), Delta::TextDelta { text }),
            What::Thoughts(_) => {
                (format!("codex-reasoning-{}", self.id), Delta::ThinkingDelta { thinking: text })
            }
            What::Tool(_) | What::Later | What::Other => return Vec::new(),
        };
        let event = StreamEvent::ContentBlockDelta { index: 0, delta };
        let piece = Message::StreamEvent { event, parent_tool_use_id: self.parent.clone() };
        vec![speaker.anew(&id, self.parent.clone()), piece]
    }
}
