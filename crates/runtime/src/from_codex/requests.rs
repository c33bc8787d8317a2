//! What Codex asks. Each request is known by name; one that is not is refused, never accepted.

use std::borrow::Cow;

use selvedge_protocol::{
    frame::RequestId,
    see::{DynamicToolCallParams, ServerRequest},
};
use selvedge_session::{ApprovalId, Heard, Json, Place, ToolCallId, data::ApprovalKind};
use uuid::Uuid;

use super::{Meaning, Reader, Reply, more::has_unknown, of_thread};

/// Where a request belongs, and what it is about.
struct Asked {
    kind: ApprovalKind,
    thread: String,
    turn: String,
    item: Option<String>,
}

impl<F: FnMut() -> Uuid> Reader<F> {
    /// Reads a request.
    pub(super) fn request(
        &mut self,
        line: &str,
        id: RequestId<'static>,
        request: &ServerRequest<'_>,
    ) -> Meaning {
        let raw = request.params().map_or_else(|| Json::from(serde_json::Value::Null), Json::from);
        match request {
            ServerRequest::ItemToolCall(call) => {
                self.tool_call(&id, call).with_more(has_unknown(request, |_| true), line)
            }
            ServerRequest::CurrentTimeRead(_) => Meaning::Reply { id, reply: Reply::Time },
            ServerRequest::AccountChatgptAuthTokensRefresh(_) => Meaning::Reply { id, reply: Reply::Tokens },
            ServerRequest::AttestationGenerate(_) => {
                Meaning::Reply { id, reply: Reply::Refuse("attestation is not available here") }
            }
            known => match asked(known) {
                Some(asked) => self.approval(&id, asked, raw),
                None => Meaning::Unknown { raw: line.to_owned(), refuse: Some(id) },
            },
        }
    }

    fn approval(&mut self, id: &RequestId<'_>, asked: Asked, request: Json) -> Meaning {
        let Asked { kind, thread, turn, item } = asked;
        let heard = Heard::Asked {
            approval_id: ApprovalId((self.fresh)()),
            key: self.key(id),
            place: Place { thread: thread.clone(), turn },
            item_id: item,
            kind,
            request,
        };
        of_thread(&thread, heard)
    }

    fn tool_call(&mut self, id: &RequestId<'_>, call: &DynamicToolCallParams<'_>) -> Meaning {
        let arguments =
            call.object().raw("arguments").map_or_else(|| Json::from(serde_json::json!({})), Json::from);
        let heard = Heard::ToolCalled {
            tool_call_id: ToolCallId((self.fresh)()),
            key: self.key(id),
            place: Place { thread: call.thread_id.to_string(), turn: call.turn_id.to_string() },
            item_id: Some(call.call_id.to_string()),
            tool: call.tool().unwrap_or_default().into_owned(),
            arguments,
            timeout_seconds: None,
        };
        of_thread(&call.thread_id, heard)
    }
}

/// What a person is asked, and where.
fn asked(request: &ServerRequest<'_>) -> Option<Asked> {
    let kind = match request {
        ServerRequest::ItemCommandExecutionRequestApproval(_) | ServerRequest::ExecCommandApproval(_) => {
            ApprovalKind::Command
        }
        ServerRequest::ItemFileChangeRequestApproval(_) | ServerRequest::ApplyPatchApproval(_) => {
            ApprovalKind::FileChange
        }
        ServerRequest::ItemPermissionsRequestApproval(_) => ApprovalKind::Permissions,
        ServerRequest::ItemToolRequestUserInput(_) => ApprovalKind::UserInput,
        ServerRequest::McpServerElicitationRequest(_) => ApprovalKind::Elicitation,
        _ => return None,
    };
    // The legacy requests name their thread `conversationId` and no turn at all.
    let thread = request.thread_id().or_else(|| legacy_thread(request))?.into_owned();
    let turn = request.turn_id().map(Cow::into_owned).unwrap_or_default();
    Some(Asked { kind, thread, turn, item: request.item_id().map(Cow::into_owned) })
}

fn legacy_thread<'a>(request: &ServerRequest<'a>) -> Option<Cow<'a, str>> {
    match request {
        ServerRequest::ExecCommandApproval(it) => it.object().get("conversationId"),
        ServerRequest::ApplyPatchApproval(it) => it.object().get("conversationId"),
        _ => None,
    }
}
