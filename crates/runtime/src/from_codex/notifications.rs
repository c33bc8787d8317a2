//! What Codex tells.

use selvedge_protocol::see::{Notification, ThreadStatus, TokenUsageBreakdown, Turn, TurnStatus};
use selvedge_session::{
    Heard, Json, Place, Status, TurnEnd, Usage,
    data::{DeltaKind, PlanStep},
};

use super::{
    Meaning, diff,
    failure::{failure_of, failure_of_turn},
    more::says_more,
    of_thread, unknown,
};

/// Reads a notification.
pub(super) fn read(line: &str, notification: &Notification<'_>) -> Meaning {
    match about_a_turn(notification) {
        Some(meaning) => meaning.with_more(says_more(notification), line),
        None => piece(notification).unwrap_or_else(|| rest(line, notification)),
    }
}

fn place(thread: &str, turn: &str) -> Place {
    Place { thread: thread.to_owned(), turn: turn.to_owned() }
}

/// Turns, items, usage, plan, trouble.
fn about_a_turn(notification: &Notification<'_>) -> Option<Meaning> {
    Some(match notification {
        Notification::TurnStarted(it) => {
            of_thread(&it.thread_id, Heard::TurnStarted(place(&it.thread_id, &it.turn()?.id)))
        }
        Notification::TurnCompleted(it) => {
            let turn = it.turn()?;
            of_thread(&it.thread_id, Heard::TurnEnded(place(&it.thread_id, &turn.id), turn_end(&turn)))
        }
        Notification::ItemStarted(it) => {
            let item = Json::from(it.object().raw("item")?);
            of_thread(&it.thread_id, Heard::ItemStarted(place(&it.thread_id, &it.turn_id), item))
        }
        Notification::ItemCompleted(it) => {
            let item = Json::from(it.object().raw("item")?);
            of_thread(&it.thread_id, Heard::ItemCompleted(place(&it.thread_id, &it.turn_id), item))
        }
        Notification::ThreadTokenUsageUpdated(it) => {
            let usage = it.token_usage()?;
            let heard = Heard::Usage {
                place: place(&it.thread_id, &it.turn_id),
                total: usage_of(&usage.total()?),
                last: usage.last().as_ref().map(usage_of).unwrap_or_default(),
                context_window: usage.model_context_window().map(count),
            };
            of_thread(&it.thread_id, heard)
        }
        Notification::TurnPlanUpdated(it) => {
            let steps = it.plan()?;
            let steps = steps.iter().map(|step| PlanStep {
                step: step.step().unwrap_or_default().into_owned(),
                status: step.status().map(|status| status.as_str().into_owned()).unwrap_or_default(),
            });
            of_thread(&it.thread_id, Heard::Plan(place(&it.thread_id, &it.turn_id), steps.collect()))
        }
        Notification::TurnDiffUpdated(it) => {
            let files = diff::count(&it.diff()?);
            of_thread(&it.thread_id, Heard::Diff(place(&it.thread_id, &it.turn_id), files))
        }
        Notification::Error(it) => {
            let heard = Heard::Trouble {
                place: place(&it.thread_id, &it.turn_id),
                will_retry: it.will_retry().unwrap_or(false),
                failure: failure_of(&it.error()?),
            };
            of_thread(&it.thread_id, heard)
        }
        Notification::ThreadStatusChanged(it) if matches!(it.status(), Some(ThreadStatus::Idle(_))) => {
            of_thread(&it.thread_id, Heard::Idle)
        }
        _ => return None,
    })
}

/// Pieces of items.
fn piece(notification: &Notification<'_>) -> Option<Meaning> {
    let (kind, delta) = match notification {
        Notification::ItemAgentMessageDelta(it) => (DeltaKind::Text, it.delta()?),
        Notification::ItemReasoningSummaryTextDelta(it) => (DeltaKind::ReasoningSummary, it.delta()?),
        Notification::ItemReasoningTextDelta(it) => (DeltaKind::Reasoning, it.delta()?),
        Notification::ItemCommandExecutionOutputDelta(it) => (DeltaKind::Output, it.delta()?),
        Notification::ItemFileChangeOutputDelta(it) => (DeltaKind::Patch, it.delta()?),
        Notification::ItemPlanDelta(it) => (DeltaKind::Plan, it.delta()?),
        _ => return None,
    };
    let (thread, turn) = (notification.thread_id()?, notification.turn_id()?);
    let item_id = notification.item_id()?.into_owned();
    let heard = Heard::Delta { place: place(&thread, &turn), item_id, kind, delta: delta.into_owned() };
    Some(of_thread(&thread, heard))
}

/// What has no event of its own, and what nobody knows.
fn rest(line: &str, notification: &Notification<'_>) -> Meaning {
    let thread = notification.thread_id();
    match (notification, thread) {
        (Notification::Unknown { .. }, Some(thread)) => {
            of_thread(&thread, Heard::Unknown { direction: "from_codex".to_owned(), raw: line.to_owned() })
        }
        (Notification::Unknown { .. }, None) => unknown(line),
        (known, thread) => {
            let method = known.method().to_owned();
            let params = known.params().map_or_else(|| Json::from(serde_json::Value::Null), Json::from);
            match thread {
                Some(thread) => of_thread(&thread, Heard::Notice { method, params }),
                None => Meaning::Process { method, params },
            }
        }
    }
}

/// How a turn ended. A status we do not know is still an end: `turn/completed` says so.
fn turn_end(turn: &Turn<'_>) -> TurnEnd {
    let status = match turn.status() {
        Some(TurnStatus::Completed) => Status::Completed,
        Some(TurnStatus::Interrupted) => Status::Interrupted,
        _ => Status::Failed,
    };
    let error = match status {
        Status::Failed => Some(failure_of_turn(turn)),
        _ => turn.error().as_ref().map(failure_of),
    };
    TurnEnd { status, error, text: None }
}

fn usage_of(total: &TokenUsageBreakdown<'_>) -> Usage {
    let of = |value: Option<i64>| value.map_or(0, count);
    Usage {
        input: of(total.input_tokens()),
        cached_input: of(total.cached_input_tokens()),
        cache_write_input: of(total.cache_write_input_tokens()),
        output: of(total.output_tokens()),
        reasoning_output: of(total.reasoning_output_tokens()),
        total: of(total.total_tokens()),
    }
}

/// A negative count is no count.
fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
