//! Fields that nobody knows: each is reported once, with what it said.

use std::{collections::BTreeSet, fmt};

use serde_json::Value;

/// So much of a value is shown.
const SHOWN: usize = 128;

/// A field that no version that is known has.
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownField {
    /// Of what: a notification, or an item's type.
    pub context: String,
    /// Which.
    pub field: String,
    /// What it said, all of it.
    pub value: Value,
}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.to_string();
        let end = (0..=SHOWN.min(value.len())).rev().find(|end| value.is_char_boundary(*end)).unwrap_or(0);
        let more = if end < value.len() { "…" } else { "" };
        let shown = value.get(..end).unwrap_or_default();
        write!(f, "unknown field in record: {} {} {shown}{more}", self.context, self.field)
    }
}

/// What was found so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Unknowns {
    seen: BTreeSet<(String, String)>,
    found: Vec<UnknownField>,
}

impl Unknowns {
    pub(super) fn look(&mut self, context: &str, value: &Value) {
        let Some(known) = known(context) else { return };
        for (field, value) in value.as_object().into_iter().flatten() {
            let is_known = known.split(' ').any(|known| known == field);
            if is_known || !self.seen.insert((context.to_owned(), field.clone())) {
                continue;
            }
            let (context, field, value) = (context.to_owned(), field.clone(), value.clone());
            self.found.push(UnknownField { context, field, value });
        }
    }

    pub(super) fn found(&self) -> &[UnknownField] {
        &self.found
    }
}

/// The fields that caic knows, in both spellings; of what it does not know, nothing is unknown.
fn known(context: &str) -> Option<&'static str> {
    Some(match context {
        "ThreadStartedNotification" => "thread",
        "Thread" => {
            "id cliVersion createdAt cwd ephemeral gitInfo modelProvider path preview source updatedAt status name \
             agentNickname agentRole turns"
        }
        "TurnCompletedNotification" => "threadId turn",
        "Turn" => "id status error items usage",
        "ItemNotification" => "item threadId turnId",
        "agentMessage" => "type id text phase status memoryCitation",
        "plan" => "type id text status",
        "reasoning" => "type id summary content status text",
        "commandExecution" => {
            "type id command cwd processId source status commandActions aggregatedOutput aggregated_output exitCode \
             exit_code durationMs"
        }
        "fileChange" => "type id changes status",
        "mcpToolCall" => "type id server tool status arguments result error durationMs",
        "dynamicToolCall" => "type id tool arguments status contentItems success durationMs",
        "collabAgentToolCall" => {
            "type id tool status senderThreadId receiverThreadIds prompt model reasoningEffort agentsStates"
        }
        "webSearch" => "type id query action status",
        "imageView" => "type id path status",
        "imageGeneration" => "type id status revisedPrompt result savedPath",
        "hookPrompt" => "type id fragments",
        "enteredReviewMode" | "exitedReviewMode" => "type id review",
        "contextCompaction" => "type id",
        "userMessage" => "type id content status",
        "todoList" => "type id items status",
        "error" => "type id message status",
        _ => return None,
    })
}
