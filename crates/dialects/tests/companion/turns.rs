//! How turns and messages end, and what they used.

use serde_json::{Value, json};

use crate::stage::{SESSION, Stage, id, message};

fn used(input: u64, cached: u64, output: u64) -> Value {
    json!({"input": input, "cached_input": cached, "cache_write_input": 3, "output": output, "reasoning_output": 1, "total": input + output})
}

fn ends(stage: &mut Stage, status: &str, error: Value) -> Vec<Value> {
    let mut data = json!({"message_ids": [id(1)], "status": status, "duration_ms": 1500});
    if !error.is_null() {
        data["error"] = error;
    }
    stage.in_turn("turn.completed", data)
}

#[test]
fn a_turn_ends_with_what_it_used_and_what_the_session_cost() {
    let mut stage = Stage::running();
    let usage = json!({"turn": used(100, 40, 20), "session": used(500, 140, 70), "cost_usd": 0.25, "context_window": 1000, "context_used_percent": 12});
    let said = stage.in_turn("usage.updated", usage);
    let details = json!({"inputTokens": 500, "outputTokens": 70, "cachedInputTokens": 140, "reasoningOutputTokens": 1, "modelContextWindow": 1000});
    let session = json!({"total_cost_usd": 0.25, "context_used_percent": 12, "codex_token_details": details});
    assert_eq!(said, [json!({"type": "session_update", "session": session})]);
    let said = ends(&mut stage, "completed", Value::Null);
    let usage = json!({"input_tokens": 60, "output_tokens": 20, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 40});
    let data = json!({"type": "result", "subtype": "success", "is_error": false, "duration_ms": 1500, "duration_api_ms": 0,
        "num_turns": 1, "total_cost_usd": 0.25, "stop_reason": "completed", "usage": usage, "uuid": "t", "session_id": SESSION});
    assert_eq!(said, [json!({"type": "result", "data": data})]);
    assert_eq!(stage.state("idle", "running")[0]["phase"], "ready");
}

#[test]
fn a_failed_turn_is_an_error_and_so_is_one_whose_end_nobody_knows() {
    let error = json!({"phase": "response", "code": "x", "message": "the model is away"});
    let said = ends(&mut Stage::running(), "failed", error);
    let data = &said[0]["data"];
    assert_eq!((&data["subtype"], &data["is_error"]), (&json!("error_during_execution"), &json!(true)));
    assert_eq!(
        (&data["result"], &data["errors"]),
        (&json!("the model is away"), &json!(["the model is away"]))
    );
    let said = ends(&mut Stage::running(), "lost", Value::Null);
    assert_eq!(said[0]["data"]["is_error"], true);
    assert!(said[0]["data"]["result"].as_str().unwrap().contains("nobody knows"));
}

#[test]
fn a_turn_that_a_person_stopped_is_no_error() {
    let said = ends(&mut Stage::running(), "interrupted", Value::Null);
    let data = &said[0]["data"];
    assert_eq!(
        (&data["is_error"], &data["stop_reason"], data.get("errors")),
        (&json!(false), &json!("interrupted"), None)
    );
}

#[test]
fn turns_are_counted_over_the_session() {
    let mut stage = Stage::running();
    ends(&mut stage, "completed", Value::Null);
    stage.in_turn("turn.started", json!({"message_ids": [id(2)]}));
    let said = ends(&mut stage, "completed", Value::Null);
    assert_eq!(said[0]["data"]["num_turns"], 2);
    assert_eq!(said[0]["data"]["usage"]["output_tokens"], 0, "of this turn nothing was used yet");
}

#[test]
fn a_turn_that_is_run_again_has_not_ended() {
    let mut stage = Stage::running();
    let cut = json!({"message_ids": [], "status": "interrupted", "duration_ms": 1});
    assert_eq!(stage.in_turn("turn.completed", cut), Vec::<Value>::new());
}

#[test]
fn a_message_that_never_got_a_turn_ends_too() {
    let mut stage = Stage::running();
    ends(&mut stage, "completed", Value::Null);
    let finished = |n: u32, status: &str| {
        json!({"message_id": id(n), "status": status, "text": "", "usage": used(0, 0, 0),
            "error": {"phase": "request", "code": "queue_expired", "message": "it waited too long"}})
    };
    assert_eq!(
        stage.happens("message.finished", finished(1, "failed")),
        Vec::<Value>::new(),
        "its turn said so"
    );
    stage.happens("message.accepted", message(2));
    let said = stage.happens("message.finished", finished(2, "failed"));
    assert_eq!(said, [json!({"type": "error", "message": "it waited too long"})], "another turn goes on");
    stage.state("idle", "running");
    let said = stage.happens("message.finished", finished(3, "failed"));
    assert_eq!((&said[0]["type"], &said[0]["data"]["is_error"]), (&json!("result"), &json!(true)));
    assert_eq!(
        stage.happens("message.finished", finished(4, "interrupted")),
        Vec::<Value>::new(),
        "taken back"
    );
}

#[test]
fn how_full_the_context_is_comes_from_the_last_response_and_is_never_more_than_all() {
    let mut stage = Stage::running();
    let usage = json!({"turn": used(9, 0, 9), "session": used(9000, 0, 900), "context_window": 1000, "context_used_percent": 140});
    let said = stage.in_turn("usage.updated", usage);
    assert_eq!(said[0]["session"]["context_used_percent"], 100);
}
