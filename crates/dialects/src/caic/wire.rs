//! Events as the lines of the wire that caic would have read.

use selvedge_session::{
    Event, Lifecycle, Status, Usage, What,
    data::{self, DeltaKind},
};
use serde_json::{Value, json};

/// What caic asks Codex not to tell.
const NOT_TOLD: [&str; 8] = [
    "item/commandExecution/terminalInteraction",
    "item/fileChange/outputDelta",
    "item/reasoning/summaryPartAdded",
    "item/reasoning/textDelta",
    "item/plan/delta",
    "turn/diff/updated",
    "turn/plan/updated",
    "thread/name/updated",
];

/// Writes events as lines of the wire.
#[derive(Debug, Clone, Default)]
pub struct Wire {
    thread: String,
    /// What the running turn had used when that was last told.
    used: Usage,
}

impl Wire {
    /// The line of an event; none of what caic would not have heard, nor of what sub-agents do, for it does not tell threads
    /// apart.
    pub fn line(&mut self, event: &Event) -> Option<String> {
        if event.thread_id.is_some() {
            return None;
        }
        match &event.what {
            What::SessionCreated(it) => {
                self.thread = event.session_id.to_string();
                let thread = json!({"id": self.thread, "cwd": it.settings.cwd, "cliVersion": ""});
                return Some(json!({"method": "thread/started", "params": {"thread": thread}}).to_string());
            }
            What::DiffUpdated(it) => return Some(diff_stat(event, it)),
            What::CodexNotice(it) if !NOT_TOLD.contains(&it.method.as_str()) => {
                return Some(json!({"method": it.method, "params": it.params}).to_string());
            }
            What::CodexUnknown(it) => return unknown(&it.raw),
            _ => {}
        }
        let (method, mut params) = self.of_thread(event)?;
        params["threadId"] = json!(self.thread);
        Some(json!({"method": method, "params": params}).to_string())
    }

    /// What names its thread.
    fn of_thread(&mut self, event: &Event) -> Option<(&'static str, Value)> {
        let turn = event.turn_id.as_deref().unwrap_or_default();
        Some(match &event.what {
            What::TurnStarted(_) => {
                self.used = Usage::default();
                ("turn/started", json!({"turn": {"id": turn, "status": "inProgress"}}))
            }
            What::TurnCompleted(it) => ("turn/completed", json!({"turn": turn_of(turn, it)?})),
            What::MessageFinished(it) => ("error", never_ran(event, it)?),
            What::ItemStarted(it) => ("item/started", json!({"item": it.item, "turnId": turn})),
            What::ItemCompleted(it) => ("item/completed", json!({"item": it.item, "turnId": turn})),
            What::ItemDelta(it) => {
                let item = event.item_id.as_deref().unwrap_or_default();
                (delta(it.kind)?, json!({"turnId": turn, "itemId": item, "delta": it.delta}))
            }
            What::UsageUpdated(it) => ("thread/tokenUsage/updated", self.usage(it)),
            What::SessionState(it) => {
                ("thread/status/changed", json!({"status": {"type": status(it.state)}}))
            }
            _ => return None,
        })
    }

    fn usage(&mut self, it: &data::UsageUpdated) -> Value {
        let last = it.turn.since(self.used);
        self.used = it.turn;
        let tokens = |usage: Usage| {
            json!({"inputTokens": usage.input, "cachedInputTokens": usage.cached_input, "outputTokens": usage.output,
                "reasoningOutputTokens": usage.reasoning_output, "totalTokens": usage.total})
        };
        let usage = json!({"last": tokens(last), "total": tokens(it.session), "modelContextWindow": it.context_window});
        json!({ "tokenUsage": usage })
    }
}

/// A turn that is run again has not ended.
fn turn_of(id: &str, it: &data::TurnCompleted) -> Option<Value> {
    let again = it.message_ids.is_empty() && it.status == Status::Interrupted;
    let words = it.error.as_ref().map(|error| error.message.clone());
    let (status, words) = match it.status {
        Status::Completed => ("completed", None),
        Status::Interrupted => ("interrupted", words),
        Status::Failed => ("failed", words),
        Status::Lost => {
            ("failed", Some(words.unwrap_or_else(|| "nobody knows how the turn ended".to_owned())))
        }
    };
    let error = words.map(|message| json!({ "message": message }));
    (!again).then(|| json!({"id": id, "status": status, "error": error, "items": []}))
}

/// A message that never got a turn.
fn never_ran(event: &Event, it: &data::Finished) -> Option<Value> {
    let failed = matches!(it.status, Status::Failed | Status::Lost);
    let error =
        it.error.as_ref().filter(|_| failed && event.turn_id.is_none() && it.steered_into.is_none())?;
    Some(json!({"error": {"message": error.message}, "willRetry": false}))
}

fn delta(kind: DeltaKind) -> Option<&'static str> {
    Some(match kind {
        DeltaKind::Text => "item/agentMessage/delta",
        DeltaKind::ReasoningSummary => "item/reasoning/summaryTextDelta",
        DeltaKind::Output => "item/commandExecution/outputDelta",
        DeltaKind::Reasoning | DeltaKind::Patch | DeltaKind::Plan => return None,
    })
}

fn status(state: Lifecycle) -> &'static str {
    match state {
        Lifecycle::Idle => "idle",
        Lifecycle::Running | Lifecycle::Waiting | Lifecycle::Recovering => "active",
        Lifecycle::Failed => "systemError",
        Lifecycle::Starting | Lifecycle::Stopped => "notLoaded",
    }
}

fn diff_stat(event: &Event, it: &data::DiffUpdated) -> String {
    let file =
        |file: &data::FileDiff| json!({"path": file.path, "added": file.added, "deleted": file.removed});
    let files: Vec<_> = it.files.iter().map(file).collect();
    #[expect(clippy::cast_precision_loss, reason = "caic counts seconds in a float")]
    let seconds = event.at.0 as f64 / 1000.0;
    json!({"type": "caic_diff_stat", "diff_stat": files, "ts": seconds}).to_string()
}

/// What nobody knows is passed on, if it is a notification.
fn unknown(raw: &str) -> Option<String> {
    let line: Value = serde_json::from_str(raw).ok()?;
    let is_one = line["method"].is_string() && line["id"].is_null();
    is_one.then(|| line.to_string())
}
