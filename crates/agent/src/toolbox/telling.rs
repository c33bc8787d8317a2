//! `ToolInvoked` for every call, also for one that nobody waited for.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::{ToolAnswer, ToolCall};
use crate::events::{ADAPTER, LONGEST_OUTPUT, ToolFailure, ToolInvoked, ToolOutcome, shortened};
use crate::session::Session;
use crate::tool::{Content, ToolReply, words};

/// A call whose end has to be told.
pub(super) struct Telling<'a> {
    session: &'a Session,
    prompt_name: &'a Arc<str>,
    /// Gone once it is told.
    call: Option<ToolCall>,
}

impl<'a> Telling<'a> {
    pub(super) fn new(session: &'a Session, prompt_name: &'a Arc<str>, call: ToolCall) -> Self {
        Self { session, prompt_name, call: Some(call) }
    }

    pub(super) fn succeeded(mut self, reply: ToolReply) -> ToolAnswer {
        self.tell(ToolOutcome { success: true, value: reply.value, failure: None }, &reply.content);
        ToolAnswer { success: true, content: reply.content }
    }

    pub(super) fn failed(mut self, failure: ToolFailure, text: String) -> ToolAnswer {
        let content = vec![Content::Text { text }];
        self.tell(ToolOutcome { success: false, value: None, failure: Some(failure) }, &content);
        ToolAnswer { success: false, content }
    }

    fn tell(&mut self, result: ToolOutcome, content: &[Content]) {
        let Some(call) = self.call.take() else { return };
        self.session.append(ToolInvoked {
            prompt_name: self.prompt_name.to_string(),
            adapter: ADAPTER.to_owned(),
            name: call.tool,
            params: call.arguments,
            result,
            session_id: self.session.id(),
            created_at: Timestamp::now(),
            usage: None,
            rendered_output: shortened(&words(content), LONGEST_OUTPUT),
            call_id: call.call_id,
            event_id: Uuid::now_v7(),
        });
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        let outcome = ToolOutcome { success: false, value: None, failure: Some(ToolFailure::Cancelled) };
        self.tell(outcome, &[]);
    }
}
