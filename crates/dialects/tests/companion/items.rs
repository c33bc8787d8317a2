//! What is no tool: plans, reviews, compaction, and what a browser has no use for.

use serde_json::{Value, json};

use crate::stage::{Stage, assistant, blocks};

#[test]
fn a_plan_is_a_to_do_list() {
    let mut stage = Stage::running();
    let steps = json!({"steps": [{"step": "look", "status": "completed"}, {"step": "write", "status": "inProgress"}]});
    let said = stage.in_turn("plan.updated", steps.clone());
    let todos = json!([
        {"content": "look", "status": "completed", "activeForm": "look"},
        {"content": "write", "status": "in_progress", "activeForm": "write"},
    ]);
    let used =
        json!({"type": "tool_use", "id": "codex-plan-t-1", "name": "TodoWrite", "input": {"todos": todos}});
    assert_eq!(said, [assistant("codex-tool_use-codex-plan-t-1", used, None, 6)]);
    let said = stage.in_turn("plan.updated", steps);
    assert_eq!(said[0]["message"]["content"][0]["id"], "codex-plan-t-2", "the next one is another use");
}

#[test]
fn a_plan_in_words_is_read_and_its_lists_are_taken_if_there_is_no_other() {
    let plan = json!({"type": "plan", "id": "p", "text": "# Plan\n1. look\n2. write"});
    let mut stage = Stage::running();
    let told = blocks(&stage.completed(plan.clone()));
    assert_eq!(told[0], json!({"type": "text", "text": "# Plan\n1. look\n2. write"}));
    assert_eq!(told[1]["input"]["todos"][1]["content"], "write");
    let mut stage = Stage::running();
    stage.in_turn("plan.updated", json!({"steps": []}));
    assert_eq!(blocks(&stage.completed(plan)).len(), 1, "Codex has told its steps itself");
}

#[test]
fn a_review_begins_and_ends_with_words() {
    let mut stage = Stage::running();
    let entered =
        stage.completed(json!({"type": "enteredReviewMode", "id": "0", "review": "current changes"}));
    let exited = stage.completed(json!({"type": "exitedReviewMode", "id": "0", "review": "Looks fine."}));
    assert_eq!(entered[0]["message"]["content"][0]["text"], "Review started: current changes");
    assert_eq!(exited[0]["message"]["content"][0]["text"], "Looks fine.");
    assert_ne!(entered[0]["message"]["id"], exited[0]["message"]["id"]);
}

#[test]
fn compaction_is_a_status_and_a_phase() {
    let mut stage = Stage::running();
    let phase = |phase: &str, previous: &str| json!({"type": "session_phase", "phase": phase, "previousPhase": previous});
    let update = |is: bool| json!({"type": "session_update", "session": {"is_compacting": is}});
    let said = stage.started(json!({"type": "contextCompaction", "id": "k"}));
    let status = json!({"type": "status_change", "status": "compacting"});
    assert_eq!(said, [status, update(true), phase("compacting", "streaming")]);
    let said = stage.completed(json!({"type": "contextCompaction", "id": "k"}));
    let status = json!({"type": "status_change", "status": null});
    assert_eq!(said, [status, update(false), phase("streaming", "compacting")]);
}

#[test]
fn what_the_user_said_is_told_by_its_message_and_not_by_its_item() {
    let mut stage = Stage::running();
    let item = json!({"type": "userMessage", "id": "u", "content": [{"type": "text", "text": "x"}]});
    assert_eq!(stage.started(item.clone()), Vec::<Value>::new());
    assert_eq!(stage.completed(item), Vec::<Value>::new());
}
