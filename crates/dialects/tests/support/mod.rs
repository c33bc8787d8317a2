//! Events of a session, written short.

use selvedge_session::{Event, Timestamp};
use serde_json::{Value, json};

/// Events one after the other, a second apart.
#[derive(Default)]
pub(crate) struct Script(pub(crate) Vec<Event>);

impl Script {
    /// A session that works through one turn of everything.
    pub(crate) fn of_everything() -> Self {
        let mut script = Self::default();
        script.happens("session.created", json!({"cwd": "/w", "model": "m", "name": "Mine"}));
        script.state("idle");
        let input = json!([{"type": "text", "text": "Do it"}]);
        let accepted = json!({"message_id": id(1), "input": input, "busy_policy": "queue", "position": 0});
        script.happens("message.accepted", accepted);
        script.state("running");
        script.in_turn("turn.started", json!({"message_ids": [id(1)]}));
        script.started(json!({"type": "reasoning", "id": "r", "summary": [], "content": []}));
        script.delta("r", "reasoning_summary", "Hm");
        script.completed(json!({"type": "reasoning", "id": "r", "summary": ["Hm"], "content": []}));
        script.started(json!({"type": "commandExecution", "id": "c", "command": "ls", "cwd": "/w", "status": "inProgress"}));
        script.delta("c", "output", "a\n");
        script.completed(
            json!({"type": "commandExecution", "id": "c", "command": "ls", "cwd": "/w", "status": "completed",
            "aggregatedOutput": "a\n", "exitCode": 0}),
        );
        let changes = json!([{"path": "/w/a", "kind": {"type": "add"}, "diff": "x"}]);
        script.started(json!({"type": "fileChange", "id": "f", "changes": changes, "status": "inProgress"}));
        script.completed(json!({"type": "fileChange", "id": "f", "changes": changes, "status": "completed"}));
        script.in_turn("diff.updated", json!({"files": [{"path": "a", "added": 1, "removed": 0}]}));
        script.completed(json!({"type": "webSearch", "id": "w", "query": "rust", "action": {"type": "search", "query": "rust"}}));
        script.started(json!({"type": "agentMessage", "id": "m", "text": ""}));
        script.delta("m", "text", "Do");
        script.delta("m", "text", "ne.");
        script
            .completed(json!({"type": "agentMessage", "id": "m", "text": "Done.", "phase": "final_answer"}));
        let used =
            json!({"input": 100, "cached_input": 40, "output": 20, "reasoning_output": 5, "total": 120});
        script.in_turn(
            "usage.updated",
            json!({"turn": used, "session": used, "cost_usd": 0.5, "context_window": 1000}),
        );
        script.in_turn(
            "turn.completed",
            json!({"message_ids": [id(1)], "status": "completed", "duration_ms": 1500}),
        );
        let finished = json!({"message_id": id(1), "status": "completed", "text": "Done.", "usage": used});
        script.in_turn("message.finished", finished);
        script.state("idle");
        script
    }

    pub(crate) fn state(&mut self, state: &str) -> &Event {
        self.happens("session.state", json!({"state": state, "previous": "idle"}))
    }

    pub(crate) fn happens(&mut self, kind: &str, data: Value) -> &Event {
        self.event(json!({"type": kind, "data": data}))
    }

    pub(crate) fn in_turn(&mut self, kind: &str, data: Value) -> &Event {
        self.event(json!({"type": kind, "data": data, "turn_id": "t"}))
    }

    pub(crate) fn started(&mut self, item: Value) -> &Event {
        let id = item["id"].clone();
        self.event(json!({"type": "item.started", "data": {"item": item}, "turn_id": "t", "item_id": id}))
    }

    pub(crate) fn completed(&mut self, item: Value) -> &Event {
        let id = item["id"].clone();
        self.event(json!({"type": "item.completed", "data": {"item": item}, "turn_id": "t", "item_id": id}))
    }

    pub(crate) fn delta(&mut self, item: &str, kind: &str, delta: &str) -> &Event {
        let data = json!({"kind": kind, "delta": delta});
        self.event(json!({"type": "item.delta", "data": data, "turn_id": "t", "item_id": item}))
    }

    pub(crate) fn event(&mut self, mut fields: Value) -> &Event {
        let seq = self.0.len() + 1;
        fields["seq"] = json!(seq);
        fields["session_id"] = json!(id(0));
        let at = Timestamp(1_794_815_247_000 + 1000 * i64::try_from(seq).unwrap());
        fields["at"] = serde_json::to_value(at).unwrap();
        self.0.push(serde_json::from_value(fields).unwrap());
        self.0.last().unwrap()
    }
}

pub(crate) fn id(n: u32) -> String {
    format!("01a1e353-0000-7000-8000-0000000001{n:02}")
}
