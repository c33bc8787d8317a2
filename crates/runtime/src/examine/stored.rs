//! A turn as Codex stores it, reduced to what the question needs.

use selvedge_protocol::see::{Turn, TurnStatus};
use selvedge_session::{Item, Json, MessageId, Status, TurnEnd};
use serde_json::Value;
use uuid::Uuid;

use crate::from_codex::failure_of_turn;

/// A stored turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StoredTurn {
    pub(super) id: String,
    pub(super) state: State,
    /// Of each user message in it: the sender's id, or that there is none; nothing where Codex keeps no such ids.
    senders: Vec<Option<Option<String>>>,
}

/// Where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// Over, and known how.
    Ended(TurnEnd),
    /// Stopped by somebody, or cut by the end of its process: Codex does not tell.
    Interrupted(TurnEnd),
    /// Under way, or never ended.
    InProgress,
    /// Under a name that we do not know, and without a sign of its end. If it is over, it is so in this way.
    Unnamed(TurnEnd),
}

impl StoredTurn {
    pub(super) fn read(turn: &Turn<'_>) -> Self {
        let raws = turn.items().map(|items| items.raws().to_vec()).unwrap_or_default();
        let items: Vec<(Item, Json)> =
            raws.into_iter().map(Json::from).map(|json| (Item::read(&json), json)).collect();
        let messages = items.iter().filter(|(item, _)| item.kind == "userMessage");
        let senders = messages.map(|(_, json)| sender(json)).collect();
        Self { id: turn.id.clone().into_owned(), state: state(turn, &items), senders }
    }

    /// Whether it has the id it had when it ran. The oldest versions count what they stored (`turn-1`), and call a turn
    /// completed that still runs: such a history says nothing.
    pub(super) fn is_itself(&self) -> bool {
        Uuid::try_parse(&self.id).is_ok()
    }

    pub(super) fn is_completed_without_an_answer(&self) -> bool {
        matches!(&self.state, State::Ended(end) if end.status == Status::Completed && end.text.is_none())
    }

    /// Whether the message stands in it.
    pub(super) fn holds(&self, message: MessageId) -> bool {
        let id = message.to_string();
        self.senders.iter().any(|sender| matches!(sender, Some(Some(sender)) if *sender == id))
    }

    /// The same, where a message of unknown sender may be ours.
    pub(super) fn may_hold(&self, message: MessageId) -> bool {
        self.holds(message) || self.senders.iter().any(Option::is_none)
    }

    /// Whether a user said something in it, and Codex did not keep who.
    pub(super) fn is_of_unknown_sender(&self) -> bool {
        self.senders.first().is_some_and(Option::is_none)
    }
}

fn sender(message: &Json) -> Option<Option<String>> {
    let message: Value = serde_json::from_str(message.text()).unwrap_or_default();
    message.get("clientId").map(|id| id.as_str().map(str::to_owned))
}

fn state(turn: &Turn<'_>, items: &[(Item, Json)]) -> State {
    let end = |status, error| TurnEnd { status, error, text: answer(items) };
    match turn.status() {
        Some(TurnStatus::Completed) => State::Ended(end(Status::Completed, None)),
        Some(TurnStatus::InProgress) => State::InProgress,
        Some(TurnStatus::Interrupted) => State::Interrupted(end(Status::Interrupted, None)),
        Some(TurnStatus::Failed) => State::Ended(end(Status::Failed, Some(failure_of_turn(turn)))),
        _ if turn.completed_at().is_some() || turn.error().is_some() => {
            State::Ended(end(Status::Failed, Some(failure_of_turn(turn))))
        }
        _ => State::Unnamed(end(Status::Failed, Some(failure_of_turn(turn)))),
    }
}

/// The message Codex marks as its answer, else the last one.
fn answer(items: &[(Item, Json)]) -> Option<String> {
    let of = |wanted: fn(&Item) -> bool| items.iter().rev().map(|(item, _)| item).find(|item| wanted(item));
    of(Item::is_final_answer).or_else(|| of(Item::is_message)).and_then(|item| item.text.clone())
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::view::View;
    use serde_json::json;

    use super::*;

    fn stored(turn: &Value) -> StoredTurn {
        let raw = turn.to_string();
        StoredTurn::read(&Turn::view(serde_json::from_str(&raw).unwrap()).unwrap())
    }

    #[test]
    fn the_answer_is_the_one_codex_marks_else_the_last_message() {
        let message = |text: &str, phase: Value| json!({"type": "agentMessage", "id": text, "text": text, "phase": phase});
        let text =
            |items: Value| match stored(&json!({"id": "t", "status": "completed", "items": items})).state {
                State::Ended(end) => end.text,
                other => panic!("{other:?}"),
            };
        let marked = json!([message("answer", json!("final_answer")), message("after", json!("commentary"))]);
        assert_eq!(text(marked).as_deref(), Some("answer"));
        let unmarked = json!([message("first", json!(null)), message("last", json!(null))]);
        assert_eq!(text(unmarked).as_deref(), Some("last"));
        assert_eq!(text(json!([])), None);
    }

    /// As 0.120, and as 0.98 tells it.
    #[test]
    fn a_history_with_ids_of_its_own_is_not_believed() {
        let turn = |id: &str| stored(&json!({"id": id, "status": "completed", "items": []}));
        assert!(turn("01a1df14-0d6d-7662-86a6-cfa34189964c").is_itself());
        assert!(!turn("turn-2").is_itself());
    }

    #[test]
    fn a_status_we_do_not_know_is_a_failure_with_a_reason_if_the_turn_is_over() {
        let state =
            stored(&json!({"id": "t", "status": "somethingNew", "items": [], "completedAt": 7})).state;
        let State::Ended(end) = state else { panic!("{state:?}") };
        assert_eq!((end.status, end.error.unwrap().code.as_str()), (Status::Failed, "unknown_status"));
        for without_end in [json!({}), json!({"completedAt": null, "error": null})] {
            let mut turn = json!({"id": "t", "status": "somethingNew", "items": []});
            turn.as_object_mut().unwrap().extend(without_end.as_object().unwrap().clone());
            assert!(matches!(stored(&turn).state, State::Unnamed(_)), "nothing says that it is over: {turn}");
        }
    }
}
