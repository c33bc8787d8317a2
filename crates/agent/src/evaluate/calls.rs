//! What runs for a turn beside it: calls of its tools, and decisions about what Codex asks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use selvedge_runtime::session::data::{ApprovalRequested, Decision, ToolRequested};
use selvedge_runtime::session::{ApprovalPolicy, Code, Json, ToolCallId};
use selvedge_runtime::{Answer, Error, SessionHandle};
use serde_json::{Value, json};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use crate::codex::{Answering, Approver, answering};
use crate::toolbox::{ToolAnswer, ToolCall, Toolbox, guarded};

/// How long a handler that was told to end may take to come to a place where it can.
const LEAVING: Duration = Duration::from_secs(1);

/// Each call and each decision is a task of its own, and none outlives this.
pub(super) struct Calls {
    session: SessionHandle,
    toolbox: Arc<Toolbox>,
    tasks: JoinSet<()>,
    open: HashMap<ToolCallId, AbortHandle>,
}

impl Calls {
    pub(super) fn new(session: SessionHandle, toolbox: Arc<Toolbox>) -> Self {
        Self { session, toolbox, tasks: JoinSet::new(), open: HashMap::new() }
    }

    /// Serves a call, and answers it.
    pub(super) fn serve(&mut self, asked: &ToolRequested, call_id: Option<String>) {
        let (toolbox, session, id) = (self.toolbox.clone(), self.session.clone(), asked.tool_call_id);
        let call = call_of(asked, call_id);
        let task = self.tasks.spawn(async move {
            let ToolAnswer { success, content } = toolbox.call(call).await;
            // Words and pictures always have JSON.
            let content = serde_json::to_value(content).unwrap_or_default();
            forgive(session.answer_tool(id, success, content.into()).await);
        });
        self.open.insert(id, task);
    }

    /// Tells of a call that came too late to be served.
    pub(super) fn leave(&self, asked: &ToolRequested, call_id: Option<String>) {
        self.toolbox.leave(call_of(asked, call_id));
    }

    /// Codex waits no longer for a call: whatever runs for it is to end.
    pub(super) fn settled(&mut self, id: ToolCallId) {
        if let Some(task) = self.open.remove(&id) {
            task.abort();
        }
    }

    /// Has somebody decide about what Codex asks.
    pub(super) fn decide(&mut self, asked: &ApprovalRequested, policy: &Deciding) {
        let (session, id) = (self.session.clone(), asked.approval_id);
        let decided = match answering(asked, policy.policy, policy.approver.is_some()) {
            Answering::Nobody => return,
            Answering::At(approval) => Ok(approval),
            Answering::Program(request) => Err(request),
        };
        let approver = policy.approver.clone();
        self.tasks.spawn(async move {
            let decision = match (decided, approver) {
                (Ok(approval), _) => approval.into(),
                // Whoever panics has not said yes.
                (Err(request), Some(decide)) => {
                    guarded(decide(request)).await.map_or(Decision::Decline, Into::into)
                }
                (Err(_), None) => Decision::Decline,
            };
            forgive(session.answer(id, Answer::new(decision, "agent")).await);
        });
    }

    /// Whether anything runs.
    pub(super) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Waits for the next one that ends; for ever, if nothing runs.
    pub(super) async fn next(&mut self) {
        if self.tasks.join_next().await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Ends everything, and waits until it is told.
    pub(super) async fn end(&mut self) {
        self.open.clear();
        // One that does not let go of its thread is not waited for.
        let _left = timeout(LEAVING, self.tasks.shutdown()).await;
    }
}

/// Who decides.
pub(super) struct Deciding {
    pub(super) policy: ApprovalPolicy,
    pub(super) approver: Option<Arc<Approver>>,
}

fn call_of(asked: &ToolRequested, call_id: Option<String>) -> ToolCall {
    let arguments = read(&asked.arguments);
    ToolCall { tool: asked.tool.clone(), arguments, call_id }
}

fn read(json: &Json) -> Value {
    serde_json::from_str(json.text()).unwrap_or_else(|_| json!({}))
}

/// An answer that nobody waits for any more is none; another one that does not arrive is only to be known.
fn forgive(answered: Result<(), Error>) {
    match answered {
        Err(error) if !matches!(error.code, Code::AlreadyAnswered | Code::NotFound) => {
            tracing::warn!(%error, "an answer did not reach Codex");
        }
        _ => {}
    }
}
