//! Whatever was opened is closed, once: items, approvals, tool calls.

use std::collections::BTreeMap;

use serde_json::Value;

use super::story::Story;
use super::{Facts, Found};

/// What opens, what closes, and where its id stands.
struct Pair {
    opens: &'static str,
    closes: &'static str,
    id: fn(&Value) -> String,
}

const PAIRS: &[Pair] = &[
    Pair {
        opens: "item.started",
        closes: "item.completed",
        id: |event| format!("{} {} {}", event["thread_id"], event["turn_id"], event["item_id"]),
    },
    Pair {
        opens: "approval.requested",
        closes: "approval.resolved",
        id: |event| event["data"]["approval_id"].to_string(),
    },
    Pair {
        opens: "tool.requested",
        closes: "tool.resolved",
        id: |event| event["data"]["tool_call_id"].to_string(),
    },
];

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    for (session, story) in facts.stories.iter().enumerate() {
        for Pair { opens, closes, id } in PAIRS {
            let mut seen: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
            for (seq, event) in story.of_type(opens) {
                let entry = seen.entry(id(event)).or_default();
                (entry.0, entry.2) = (entry.0 + 1, seq);
            }
            // What we closed ourselves, Codex may still close: a command goes on when its turn was interrupted.
            for (seq, event) in story.of_type(closes).filter(|(_, event)| !is_superseded(story, event)) {
                let entry = seen.entry(id(event)).or_default();
                (entry.1, entry.2) = (entry.1 + 1, seq);
            }
            // Where frames come twice, Codex says things twice.
            let doubled = facts.plan.is_wild(session);
            // An item may be told only when it is done; what was opened has to be closed.
            for (id, (opened, closed, seq)) in seen {
                if closed == 0 || (!doubled && (closed > 1 || opened > 1)) {
                    let what = format!("{id}: {opens} {opened} times, {closes} {closed} times");
                    found.at("what was opened is closed, once", what, (session, seq));
                }
            }
        }
    }
}

/// Closed by us, and later by Codex.
fn is_superseded(story: &Story, event: &Value) -> bool {
    let by_codex = |other: &Value| {
        other["item_id"] == event["item_id"]
            && other["turn_id"] == event["turn_id"]
            && other["data"].get("closed").is_none()
    };
    event["data"].get("closed").is_some() && story.of_type("item.completed").any(|(_, other)| by_codex(other))
}
