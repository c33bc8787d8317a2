//! Sub-agents: what they do is told under the item that opened them.

use serde_json::{Value, json};

use crate::stage::{Stage, blocks};

fn collab(status: &str, receivers: &[&str]) -> Value {
    json!({"type": "collabAgentToolCall", "id": "spawn", "tool": "spawnAgent", "status": status, "prompt": "count",
        "senderThreadId": "own", "receiverThreadIds": receivers})
}

fn of_child(stage: &mut Stage, kind: &str, item: Value) -> Vec<Value> {
    let id = item["id"].clone();
    stage.event(
        json!({"type": kind, "data": {"item": item}, "thread_id": "child", "turn_id": "ct", "item_id": id}),
    )
}

#[test]
fn a_collaboration_is_a_task() {
    let mut stage = Stage::running();
    let told = blocks(&stage.started(collab("inProgress", &["child"])));
    let input = json!({"description": "count", "subagent_type": "spawnAgent", "codex_status": "inProgress",
        "sender_thread_id": "own", "receiver_thread_ids": ["child"]});
    assert_eq!(told[0], json!({"type": "tool_use", "id": "spawn", "name": "Task", "input": input}));
    assert_eq!(told[1]["text"], "Started spawnAgent for 1 agent(s).");
    let told = blocks(&stage.completed(collab("completed", &["child"])));
    assert_eq!(told[0]["content"], "spawnAgent completed for 1 agent(s)");
    assert_eq!(told[1]["text"], "spawnAgent completed for 1 agent(s).");
    let told = blocks(&Stage::running().completed(collab("failed", &["child"])));
    assert_eq!(
        (&told[1]["content"], &told[1]["is_error"]),
        (&json!("spawnAgent failed for 1 agent(s)"), &json!(true))
    );
}

/// The real Codex names the child only when the spawn has ended, and the child works after that.
#[test]
fn what_a_child_says_and_does_stands_under_the_item_that_opened_it() {
    let mut stage = Stage::running();
    stage.started(collab("inProgress", &[]));
    let ended = stage.completed(collab("completed", &["child"]));
    assert_eq!(ended[1]["parent_tool_use_id"], "spawn", "its words stand under it: {ended:?}");
    let wait =
        json!({"type": "collabAgentToolCall", "id": "wait", "tool": "wait", "receiverThreadIds": ["child"]});
    stage.started(wait);
    let said =
        of_child(&mut stage, "item.completed", json!({"type": "agentMessage", "id": "cm", "text": "One."}));
    assert_eq!(said[0]["parent_tool_use_id"], "spawn", "not under the one that waits");
    let said =
        of_child(&mut stage, "item.started", json!({"type": "commandExecution", "id": "cc", "command": "x"}));
    assert!(said.iter().all(|said| said["parent_tool_use_id"] == "spawn"), "{said:?}");
}

#[test]
fn a_childs_own_task_stands_under_its_parent_also_if_only_its_end_is_heard() {
    for kind in ["item.started", "item.completed"] {
        let mut stage = Stage::running();
        stage.started(collab("inProgress", &["child"]));
        let nested = json!({"type": "collabAgentToolCall", "id": "nested", "tool": "spawnAgent", "receiverThreadIds": ["grandchild"]});
        let said = of_child(&mut stage, kind, nested);
        let used = said.iter().find(|said| said["message"]["content"][0]["name"] == "Task").unwrap();
        assert_eq!(used["parent_tool_use_id"], "spawn", "{kind}");
    }
}

#[test]
fn a_childs_turn_ends_nothing_of_its_parents() {
    let mut stage = Stage::running();
    stage.started(collab("inProgress", &["child"]));
    let data = json!({"message_ids": [], "status": "completed", "duration_ms": 0});
    let said =
        stage.event(json!({"type": "turn.completed", "data": data, "thread_id": "child", "turn_id": "ct"}));
    assert_eq!(said, Vec::<Value>::new());
}
