//! What is wanted of a thread beside messages.

use selvedge_protocol::say::{
    ReviewStartParams, ReviewTarget, ThreadArchiveParams, ThreadBackgroundTerminalsCleanParams,
    ThreadCompactStartParams, ThreadRevertParams, ThreadSetNameParams, ThreadUnarchiveParams,
};
use selvedge_session::Json;
use serde_json::{Map, Value, json};

/// `thread/revert`: the turn and all after it are dropped from the history.
#[must_use]
pub fn drop_turn(thread_id: &str, turn_id: &str) -> ThreadRevertParams {
    ThreadRevertParams::new(thread_id, turn_id)
}

/// The parameters of `thread/rollback`, by which versions before `thread/revert` drop the newest turns.
#[must_use]
pub fn roll_back(thread_id: &str, turns: u32) -> Value {
    json!({"threadId": thread_id, "numTurns": turns})
}

/// `thread/compact/start`.
#[must_use]
pub fn compact(thread_id: &str) -> ThreadCompactStartParams {
    ThreadCompactStartParams::new(thread_id)
}

/// `review/start`, with Codex's own parameters; unless they say what, of everything that is not committed.
#[must_use]
pub fn review(thread_id: &str, params: &Json) -> ReviewStartParams {
    let mut given: Map<String, Value> = serde_json::from_str(params.text()).unwrap_or_default();
    given.remove("threadId");
    let target = given.remove("target").filter(Value::is_object);
    let target = target.map_or(ReviewTarget::UncommittedChanges, ReviewTarget::Other);
    ReviewStartParams { extra: given, ..ReviewStartParams::new(thread_id, target) }
}

/// `thread/name/set`.
#[must_use]
pub fn set_name(thread_id: &str, name: &str) -> ThreadSetNameParams {
    ThreadSetNameParams::new(thread_id, name)
}

/// `thread/archive`.
#[must_use]
pub fn archive(thread_id: &str) -> ThreadArchiveParams {
    ThreadArchiveParams::new(thread_id)
}

/// `thread/unarchive`.
#[must_use]
pub fn unarchive(thread_id: &str) -> ThreadUnarchiveParams {
    ThreadUnarchiveParams::new(thread_id)
}

/// `thread/backgroundTerminals/clean`.
#[must_use]
pub fn clean_terminals(thread_id: &str) -> ThreadBackgroundTerminalsCleanParams {
    ThreadBackgroundTerminalsCleanParams::new(thread_id)
}

#[cfg(test)]
mod tests {
    use serde_json::to_value;

    use super::*;

    #[test]
    fn a_review_is_of_what_was_asked_and_of_the_uncommitted_unless_said() {
        let said = |params: Value| to_value(review("t", &Json::from(params))).unwrap();
        let target = json!({"type": "baseBranch", "branch": "main"});
        assert_eq!(
            said(json!({"target": target, "threadId": "another"})),
            json!({"threadId": "t", "target": target})
        );
        assert_eq!(said(json!({})), json!({"threadId": "t", "target": {"type": "uncommittedChanges"}}));
        assert_eq!(said(json!(null))["target"]["type"], "uncommittedChanges");
    }
}
