//! `codex/event/*`: until some time after 0.98 Codex told everything twice, in its older words too.

use std::borrow::Cow;

use selvedge_protocol::frame::leading_method;
use serde::Deserialize;

const PREFIX: &str = "codex/event/";
/// Those that are told in today's words as well: as a turn, an item, a piece of one, a request, usage, a plan or a diff.
const TWINS: [&str; 50] = [
    "agent_message",
    "agent_message_content_delta",
    "agent_message_delta",
    "agent_reasoning",
    "agent_reasoning_delta",
    "agent_reasoning_raw_content",
    "agent_reasoning_raw_content_delta",
    "agent_reasoning_section_break",
    "apply_patch_approval_request",
    "collab_agent_interaction_begin",
    "collab_agent_interaction_end",
    "collab_agent_spawn_begin",
    "collab_agent_spawn_end",
    "collab_close_begin",
    "collab_close_end",
    "collab_waiting_begin",
    "collab_waiting_end",
    "context_compacted",
    "dynamic_tool_call_request",
    "entered_review_mode",
    "error",
    "exec_approval_request",
    "exec_command_begin",
    "exec_command_end",
    "exec_command_output_delta",
    "exited_review_mode",
    "item_completed",
    "item_started",
    "mcp_tool_call_begin",
    "mcp_tool_call_end",
    "patch_apply_begin",
    "patch_apply_end",
    "plan_delta",
    "plan_update",
    "reasoning_content_delta",
    "reasoning_raw_content_delta",
    "request_user_input",
    "session_configured",
    "stream_error",
    "task_complete",
    "task_started",
    "terminal_interaction",
    "thread_name_updated",
    "token_count",
    "turn_aborted",
    "turn_diff",
    "user_message",
    "view_image_tool_call",
    "web_search_begin",
    "web_search_end",
];

/// What a line in the older words is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Legacy {
    /// Told in today's words too.
    Twin,
    /// Told in no other way, of this thread.
    Alone(Option<String>),
}

impl Legacy {
    /// Reads a line that begins as these do.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let method = str::from_utf8(leading_method(line.as_bytes())?).ok()?;
        let kind = method.strip_prefix(PREFIX)?;
        if TWINS.contains(&kind) {
            return Some(Self::Twin);
        }
        let told: Option<Told<'_>> = serde_json::from_str(line).ok();
        Some(Self::Alone(told.and_then(|told| told.params.conversation_id).map(Cow::into_owned)))
    }
}

#[derive(Deserialize)]
struct Told<'a> {
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(borrow)]
    conversation_id: Option<Cow<'a, str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: &str) -> String {
        format!(r#"{{"method":"codex/event/{kind}","params":{{"id":"0","msg":{{}},"conversationId":"t"}}}}"#)
    }

    #[test]
    fn only_what_is_told_twice_is_dropped() {
        assert_eq!(Legacy::read(&line("agent_message_delta")), Some(Legacy::Twin));
        assert_eq!(Legacy::read(&line("user_message")), Some(Legacy::Twin));
        for alone in ["warning", "mcp_startup_complete", "skills_update_available", "of_tomorrow"] {
            assert_eq!(Legacy::read(&line(alone)), Some(Legacy::Alone(Some("t".into()))), "{alone}");
        }
        assert_eq!(Legacy::read(r#"{"method":"codex/event/warning"}"#), Some(Legacy::Alone(None)));
        assert_eq!(Legacy::read(r#"{"method":"turn/started","params":{}}"#), None);
    }
}
