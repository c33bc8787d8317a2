//! A session's own tools, called by another way than Codex's: the call is as durable as any, is answered by the same people
//! in the same way, and whoever called reads the answer where everybody does.

use selvedge_journal::Store as _;
use selvedge_session::{Command, Json, RequestKey, ToolCall, ToolCallId, What};
use uuid::Uuid;

use super::SessionHandle;
use crate::{error::Error, events::Events, ledger};

/// Events read at once.
const PAGE: usize = 1000;

/// A call under way. Somebody who no longer waits for it says so: nobody else can know.
pub struct Calling {
    session: SessionHandle,
    id: ToolCallId,
    events: Events,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Whether it worked.
    pub success: bool,
    /// What it gave.
    pub content: Json,
}

impl SessionHandle {
    /// Calls one of the session's tools; `by_agent` says that its own agent does, so that the call is a part of its turn.
    pub async fn call_tool(&self, tool: &str, arguments: Json, by_agent: bool) -> Result<Calling, Error> {
        let id = ToolCallId(Uuid::now_v7());
        // Before it is called, so that the answer comes after.
        let after = self.store().head(&ledger::key(self.id)).await?.seq;
        let events = self.events(after).await?;
        let key = RequestKey::of_call(id, &self.runtime.house.owner.to_string());
        let call = ToolCall { id, key, tool: tool.to_owned(), arguments, by_agent };
        self.command(Command::CallTool(Box::new(call))).await?;
        Ok(Calling { session: self.clone(), id, events })
    }
}

impl Calling {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> ToolCallId {
        self.id
    }

    /// Waits for what it comes to: an answer, its time limit, or the end of its turn.
    pub async fn came(&mut self) -> Result<Called, Error> {
        loop {
            let written = self.events.next(PAGE).await?;
            for written in written.into_iter().filter(|written| written.name() == "tool.resolved") {
                if let What::ToolResolved(it) = written.read()?.what
                    && it.tool_call_id == self.id
                {
                    return Ok(Called { success: it.success, content: it.content });
                }
            }
        }
    }

    /// Nobody waits for it any more. One that was answered meanwhile is over already.
    pub async fn hang_up(self) {
        let hung_up = self.session.command(Command::HangUp(self.id)).await;
        if let Err(error) = hung_up {
            tracing::debug!(call = %self.id, %error, "a call that nobody waits for was over");
        }
    }
}
