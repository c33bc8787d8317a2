//! Every notification, request and answer we say, each made in one place.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    items::{Item, now_ms},
    thread::{Settings, Status, Usage, UsageTotals},
    wire::{RequestId, RpcError, line},
};

/// A notification, not yet on the wire.
#[derive(Debug, Clone)]
pub(super) struct Notice {
    pub(super) method: &'static str,
    pub(super) params: Value,
}

impl Notice {
    fn new(method: &'static str, params: Value) -> Self {
        Self { method, params }
    }

    /// Codex keeps these from clients without `experimentalApi`.
    pub(super) fn is_experimental(&self) -> bool {
        matches!(self.method, "thread/readState/changed" | "thread/settings/updated")
    }

    /// These reach clients that do not follow the thread, too.
    pub(super) fn is_for_everyone(&self) -> bool {
        matches!(self.method, "thread/status/changed" | "thread/started")
    }

    pub(super) fn line(&self) -> Bytes {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Envelope<'a> {
            method: &'a str,
            params: &'a Value,
            emitted_at_ms: i64,
        }
        line(&Envelope { method: self.method, params: &self.params, emitted_at_ms: now_ms() })
    }
}

/// The answer to a request.
pub(super) fn response(id: &RequestId, result: &Result<Value, RpcError>) -> Bytes {
    match result {
        Ok(result) => line(&json!({ "id": id, "result": result })),
        Err(error) => line(&json!({ "error": error, "id": id })),
    }
}

/// A request of ours.
pub(super) fn request(id: i64, method: &str, params: &Value) -> Bytes {
    line(&json!({ "method": method, "id": id, "params": params }))
}

pub(super) fn input_too_large(max: usize, actual: usize) -> RpcError {
    let data = json!({ "input_error_code": "input_too_large", "max_chars": max, "actual_chars": actual });
    RpcError::invalid_params(format!("Input exceeds the maximum length of {max} characters."), data)
}

/// Where a notification belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) thread: &'a str,
    pub(super) turn: &'a str,
}

impl Place<'_> {
    fn with(&self, mut fields: Value) -> Value {
        fields["threadId"] = json!(self.thread);
        fields["turnId"] = json!(self.turn);
        fields
    }

    pub(super) fn item_started(&self, item: &Item) -> Notice {
        let fields = json!({ "item": item.value(), "startedAtMs": item.started_at_ms() });
        Notice::new("item/started", self.with(fields))
    }

    pub(super) fn item_completed(&self, item: &Value) -> Notice {
        let fields = json!({ "item": item, "completedAtMs": item["completedAtMs"] });
        Notice::new("item/completed", self.with(fields))
    }

    pub(super) fn message_delta(&self, item: &str, delta: &str) -> Notice {
        Notice::new("item/agentMessage/delta", self.with(json!({ "itemId": item, "delta": delta })))
    }

    pub(super) fn summary_part(&self, item: &str) -> Notice {
        Notice::new(
            "item/reasoning/summaryPartAdded",
            self.with(json!({ "itemId": item, "summaryIndex": 0 })),
        )
    }

    pub(super) fn summary_delta(&self, item: &str, delta: &str) -> Notice {
        let fields = json!({ "itemId": item, "delta": delta, "summaryIndex": 0 });
        Notice::new("item/reasoning/summaryTextDelta", self.with(fields))
    }

    pub(super) fn output_delta(&self, item: &str, delta: &str) -> Notice {
        let fields = json!({ "itemId": item, "delta": delta });
        Notice::new("item/commandExecution/outputDelta", self.with(fields))
    }

    pub(super) fn diff(&self, diff: &str) -> Notice {
        Notice::new("turn/diff/updated", self.with(json!({ "diff": diff })))
    }

    pub(super) fn plan(&self, plan: &crate::scenario::Plan) -> Notice {
        let steps: Vec<_> = plan.steps.iter().map(plan_step).collect();
        Notice::new("turn/plan/updated", self.with(json!({ "explanation": plan.explanation, "plan": steps })))
    }

    pub(super) fn usage(&self, totals: &UsageTotals) -> Notice {
        let usage = json!({
            "total": usage(&totals.total), "last": usage(&totals.last), "modelContextWindow": 258_400,
        });
        Notice::new("thread/tokenUsage/updated", self.with(json!({ "tokenUsage": usage })))
    }

    pub(super) fn error(&self, error: &Value) -> Notice {
        Notice::new("error", self.with(json!({ "error": error, "willRetry": false })))
    }
}

fn plan_step(step: &crate::scenario::PlanStep) -> Value {
    let status = if step.status == "in_progress" { "inProgress" } else { &step.status };
    json!({ "step": step.step, "status": status })
}

fn usage(usage: &Usage) -> Value {
    json!({
        "totalTokens": usage.input + usage.output, "inputTokens": usage.input, "cachedInputTokens": usage.cached,
        "cacheWriteInputTokens": 0, "outputTokens": usage.output, "reasoningOutputTokens": usage.reasoning,
    })
}

pub(super) fn turn_started(thread: &str, turn: &Value) -> Notice {
    Notice::new("turn/started", json!({ "threadId": thread, "turn": turn }))
}

pub(super) fn turn_completed(thread: &str, turn: &Value) -> Notice {
    Notice::new("turn/completed", json!({ "threadId": thread, "turn": turn }))
}

pub(super) fn status_changed(thread: &str, status: Status) -> Notice {
    Notice::new("thread/status/changed", json!({ "threadId": thread, "status": status.value() }))
}

/// A notification that says nothing but which thread.
pub(super) fn of_thread(method: &'static str, thread: &str) -> Notice {
    Notice::new(method, json!({ "threadId": thread }))
}

pub(super) fn thread_started(thread: &Value) -> Notice {
    Notice::new("thread/started", json!({ "thread": thread }))
}

pub(super) fn name_updated(thread: &str, name: Option<&str>) -> Notice {
    Notice::new("thread/name/updated", json!({ "threadId": thread, "threadName": name }))
}

pub(super) fn read_state(thread: &str, state: &Value) -> Notice {
    Notice::new("thread/readState/changed", json!({ "threadId": thread, "readState": state }))
}

pub(super) fn settings_updated(thread: &str, settings: &Settings) -> Notice {
    let settings = json!({
        "disabledPluginIds": [], "cwd": settings.cwd, "approvalPolicy": settings.approval,
        "approvalsReviewer": "user", "sandboxPolicy": settings.sandbox, "activePermissionProfile": null,
        "model": settings.model, "modelProvider": super::thread::PROVIDER, "serviceTier": null,
        "effort": settings.effort, "summary": settings.summary, "collaborationMode": settings.collaboration_mode(),
        "multiAgentMode": "explicitRequestOnly", "personality": null,
    });
    Notice::new("thread/settings/updated", json!({ "threadId": thread, "threadSettings": settings }))
}

pub(super) fn rate_limits() -> Notice {
    let limits = json!({
        "limitId": "codex", "limitName": null, "normalModelSlug": null, "primary": null, "secondary": null,
        "credits": null, "individualLimit": null, "spendControlReached": null, "planType": null,
        "rateLimitReachedType": null,
    });
    Notice::new("account/rateLimits/updated", json!({ "rateLimits": limits }))
}

pub(super) fn request_resolved(thread: &str, id: i64) -> Notice {
    Notice::new("serverRequest/resolved", json!({ "threadId": thread, "requestId": id }))
}

/// Said at once after `initialize`: nobody may take this for Codex.
pub(super) fn this_is_a_rehearsal(scenario: &str) -> Notice {
    let summary = format!(
        "This is Selvedge's rehearsal of codex app-server, not Codex: no model is asked. Scenario: {scenario}."
    );
    Notice::new("configWarning", json!({ "summary": summary, "details": null }))
}

pub(super) fn remote_control_disabled() -> Notice {
    let params = json!({
        "status": "disabled", "serverName": "rehearsal", "installationId": uuid::Uuid::nil().to_string(), "environmentId": null,
    });
    Notice::new("remoteControl/status/changed", params)
}

/// `how` is what to do instead of asking for the whole history.
pub(super) fn hydration_deprecated(how: &str) -> Notice {
    let summary = format!(
        "Full-history hydration is deprecated for paginated threads; {how}, then page with `thread/turns/list` and `thread/items/list`."
    );
    Notice::new("deprecationNotice", json!({ "summary": summary, "details": null }))
}

pub(super) fn login_completed() -> Notice {
    let params = json!({ "loginId": null, "success": true, "error": null, "onboardingEntrypoint": null });
    Notice::new("account/login/completed", params)
}

pub(super) fn account_updated(mode: &str) -> Notice {
    Notice::new("account/updated", json!({ "authMode": mode, "planType": null }))
}
