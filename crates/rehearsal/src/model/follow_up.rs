//! What the outputs of the last response ask for before the scenario goes on: waiting, or an explanation.

use serde_json::{Value, json};

use super::{
    ids::{CallMark, response_of},
    request::{Output, Request},
    speech::Call,
};

/// Longer than any rehearsal waits; the turn's own deadline comes first.
const PATIENCE_MS: u64 = 600_000;

/// How a script's output begins while it is still running.
const STILL_RUNNING: &str = "Script running with cell ID ";

/// Calls that wait for what the last response began: a script that waits for a person, a sub-agent at work.
pub(super) fn waits(request: &Request) -> Vec<Call> {
    let mut calls: Vec<Call> = fresh(request).filter_map(|output| wait_for(output, request)).collect();
    // In this kind one wait is woken by any of the sub-agents.
    if request.offered.has_in("collaboration", "wait_agent") {
        calls.dedup();
    }
    calls
}

fn wait_for(output: &Output, request: &Request) -> Option<Call> {
    if let Some((_, rest)) = output.text.split_once(STILL_RUNNING) {
        let cell: String = rest.chars().take_while(|c| !c.is_whitespace()).collect();
        let arguments = json!({"cell_id": cell, "yield_time_ms": PATIENCE_MS});
        return Some(Call::function("wait", arguments).marked(CallMark::Wait));
    }
    if CallMark::of(&output.call_id) != CallMark::Spawn {
        return None;
    }
    let spawned: Value = serde_json::from_str(&output.text).ok()?;
    let call = if request.offered.has_in("collaboration", "wait_agent") {
        Call::function("wait_agent", json!({"timeout_ms": PATIENCE_MS})).within("collaboration")
    } else {
        let arguments = json!({"targets": [spawned.get("agent_id")?], "timeout_ms": PATIENCE_MS});
        let call = Call::function("wait_agent", arguments);
        if request.offered.has("wait_agent") { call } else { call.within("multi_agent_v1") }
    };
    Some(call.marked(CallMark::Wait))
}

/// What is said about calls that Codex did not know: without it a scenario would go on as if they had been played.
pub(super) fn refusals(request: &Request) -> Vec<String> {
    let refused = fresh(request).filter_map(|output| {
        let answer = output.text.lines().find(|line| line.starts_with("unsupported "))?;
        Some(format!("rehearsal: a call cannot be played here: {answer}"))
    });
    refused.collect()
}

/// The outputs of the last response's calls.
fn fresh(request: &Request) -> impl Iterator<Item = &Output> {
    let last = request.outputs.last().and_then(|output| response_of(&output.call_id));
    let outputs = request.outputs.iter();
    outputs.filter(move |output| last.is_some() && response_of(&output.call_id) == last)
}
