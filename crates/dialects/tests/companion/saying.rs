//! Messages and thoughts: streamed, and whole at their end.

use serde_json::json;

use crate::stage::{Stage, assistant, begun, stream};

#[test]
fn a_message_is_streamed_and_told_whole_at_its_end() {
    let mut stage = Stage::running();
    let said = stage.started(json!({"type": "agentMessage", "id": "m1", "text": ""}));
    let text = json!({"type": "text", "text": ""});
    assert_eq!(
        said,
        [
            stream(json!({"type": "message_start", "message": begun("codex-agent-m1")})),
            stream(json!({"type": "content_block_start", "index": 0, "content_block": text})),
        ]
    );
    let said = stage.delta("m1", "text", "Hel");
    let delta = json!({"type": "text_delta", "text": "Hel"});
    assert_eq!(said, [stream(json!({"type": "content_block_delta", "index": 0, "delta": delta}))]);
    let said = stage.completed(json!({"type": "agentMessage", "id": "m1", "text": "Hello"}));
    let whole = json!({"type": "text", "text": "Hello"});
    assert_eq!(
        said,
        [
            stream(json!({"type": "content_block_stop", "index": 0})),
            stream(
                json!({"type": "message_delta", "delta": {"stop_reason": null}, "usage": {"output_tokens": 0}})
            ),
            assistant("codex-agent-m1", whole, Some("end_turn"), 8),
        ]
    );
}

#[test]
fn a_message_that_was_cut_keeps_what_was_said() {
    let mut stage = Stage::running();
    stage.started(json!({"type": "agentMessage", "id": "m1", "text": ""}));
    stage.delta("m1", "text", "Half a");
    let item = json!({"item": {"type": "agentMessage", "id": "m1", "text": ""}, "closed": "interrupted"});
    let said = stage.event(json!({"type": "item.completed", "data": item, "turn_id": "t", "item_id": "m1"}));
    assert_eq!(said[2]["message"]["content"][0]["text"], "Half a");
}

#[test]
fn a_message_whose_beginning_nobody_told_is_told() {
    let mut stage = Stage::running();
    let said = stage.delta("m1", "text", "x");
    assert_eq!(said.len(), 3, "it begins, then its piece: {said:?}");
    let said = stage.completed(json!({"type": "agentMessage", "id": "m2", "text": "whole"}));
    assert_eq!(
        said,
        [assistant("codex-agent-m2", json!({"type": "text", "text": "whole"}), Some("end_turn"), 7)]
    );
}

#[test]
fn ids_are_made_from_items_and_two_items_of_one_id_are_two() {
    let mut stage = Stage::running();
    let item = json!({"type": "agentMessage", "id": "0", "text": "a"});
    assert_eq!(stage.completed(item.clone())[0]["message"]["id"], "codex-agent-0");
    assert_eq!(stage.completed(item.clone())[0]["message"]["id"], "codex-agent-0", "the same item again");
    let data = json!({ "item": item });
    let said = stage.event(json!({"type": "item.completed", "data": data, "turn_id": "u", "item_id": "0"}));
    assert_eq!(said[0]["message"]["id"], "codex-agent-0-u", "another turn's");
}

#[test]
fn thoughts_are_streamed_and_told_whole_at_their_end() {
    let mut stage = Stage::running();
    let said = stage.started(json!({"type": "reasoning", "id": "r1", "summary": [], "content": []}));
    let thinking = json!({"type": "thinking", "thinking": ""});
    assert_eq!(said, [stream(json!({"type": "content_block_start", "index": 0, "content_block": thinking}))]);
    let said = stage.delta("r1", "reasoning_summary", "Hm");
    let delta = json!({"type": "thinking_delta", "thinking": "Hm"});
    assert_eq!(said, [stream(json!({"type": "content_block_delta", "index": 0, "delta": delta}))]);
    assert_eq!(stage.delta("r1", "reasoning", "raw").len(), 0, "one kind is streamed, not both mixed");
    let said =
        stage.completed(json!({"type": "reasoning", "id": "r1", "summary": ["Hm.", "So."], "content": []}));
    let whole = json!({"type": "thinking", "thinking": "Hm.\nSo."});
    assert_eq!(
        said,
        [
            assistant("codex-reasoning-r1", whole, None, 9),
            stream(json!({"type": "content_block_stop", "index": 0})),
        ]
    );
}

#[test]
fn thoughts_without_words_are_only_closed_and_odd_ones_break_nothing() {
    let mut stage = Stage::running();
    stage.started(json!({"type": "reasoning", "id": "r1"}));
    let said = stage.completed(json!({"type": "reasoning", "id": "r1", "summary": 7, "content": {"a": 1}}));
    assert_eq!(said, [stream(json!({"type": "content_block_stop", "index": 0}))]);
    stage.started(json!({"type": "reasoning", "id": "r2"}));
    stage.delta("r2", "reasoning", "only raw");
    let said = stage.completed(json!({"type": "reasoning", "id": "r2", "summary": []}));
    assert_eq!(said[0]["message"]["content"][0]["thinking"], "only raw");
}
