//! What events tell of a task, case by case.

use selvedge_session::{ApprovalId, SessionId};
use serde_json::json;
use uuid::Uuid;

use super::*;

const TASK: MessageId = MessageId(Uuid::from_u128(1));
const OTHER: MessageId = MessageId(Uuid::from_u128(2));

/// Events as they are written, in order, each a millisecond after the one before.
struct Play {
    telling: Telling,
    seq: u64,
}

impl Play {
    /// A task that is worked on in the turn `t`.
    fn working() -> Self {
        let mut play = Self { telling: Telling::new(TASK, "c", Timestamp(0)), seq: 0 };
        let accepted = json!({"message_id": TASK, "input": [], "busy_policy": "queue", "position": 0});
        assert_eq!(play.hear("message.accepted", None, &accepted), ["SUBMITTED"]);
        assert_eq!(
            play.hear("message.started", None, &json!({"message_id": TASK, "attempt": 1})),
            ["WORKING"]
        );
        assert!(play.hear("turn.started", Some("t"), &json!({"message_ids": [TASK]})).is_empty());
        play
    }

    /// What an event tells: states, and pieces with `+` where they follow and `.` where they are the last.
    fn hear(&mut self, name: &str, turn: Option<&str>, data: &Value) -> Vec<String> {
        self.seq += 1;
        let mut event = json!({
            "seq": self.seq, "session_id": SessionId(Uuid::nil()), "at": Timestamp(i64::try_from(self.seq).unwrap()),
            "type": name, "data": data,
        });
        if let Some(turn) = turn {
            event["turn_id"] = json!(turn);
        }
        if let Some(item) = data["item"]["id"].as_str().or(data["of"].as_str()) {
            event["item_id"] = json!(item);
        }
        let event: Event = serde_json::from_value(event).unwrap();
        self.telling.take(&event).into_iter().map(|update| shown(&update)).collect()
    }

    fn piece(&mut self, item: &str, piece: &str) -> Vec<String> {
        self.hear("item.delta", Some("t"), &json!({"kind": "text", "delta": piece, "of": item}))
    }

    fn ends(&mut self, message: MessageId, (status, text): (&str, &str), error: &Value) -> Vec<String> {
        let usage = json!({"input": 1, "output": 2, "total": 3});
        let data =
            json!({"message_id": message, "status": status, "text": text, "usage": usage, "error": error});
        self.hear("message.finished", Some("t"), &data)
    }
}

fn shown(update: &Update) -> String {
    match update {
        Update::Status(status) => {
            let words =
                status.message.as_ref().map(|message| format!(": {}", message.text())).unwrap_or_default();
            format!("{}{words}", status.state.name().trim_start_matches("TASK_STATE_"))
        }
        Update::Artifact { artifact, append, last } => {
            let part = artifact.parts[0].json();
            let text = part["text"].as_str().map_or_else(|| part["data"].to_string(), str::to_owned);
            format!("{}{text}{}", if *append { "+" } else { "" }, if *last { "." } else { "" })
        }
    }
}

fn asked() -> Value {
    let id = ApprovalId(Uuid::from_u128(7));
    json!({"approval_id": id, "kind": "command", "request": {"command": "make"}})
}

fn resolved(by: &str) -> Value {
    json!({"approval_id": ApprovalId(Uuid::from_u128(7)), "decision": "accept", "by": by})
}

fn waits(waiting: bool) -> Value {
    let (state, previous) = if waiting { ("waiting", "running") } else { ("running", "waiting") };
    json!({"state": state, "previous": previous})
}

#[test]
fn words_come_in_pieces_and_end_once() {
    let mut play = Play::working();
    assert_eq!(play.piece("a", "One "), ["One "]);
    assert_eq!(play.piece("a", "two."), ["+two."]);
    assert_eq!(play.ends(TASK, ("completed", "One two."), &Value::Null), ["+.", "COMPLETED"]);
    assert_eq!(play.telling.task().artifacts[0].parts[0].json(), json!({"text": "One two."}));
    assert!(play.piece("a", "late").is_empty(), "after the end nothing is told");
}

#[test]
fn what_is_said_anew_replaces_what_was_said() {
    let mut play = Play::working();
    play.piece("a", "Let me see.");
    assert_eq!(play.piece("b", "Done."), ["Done."]);
    assert_eq!(play.ends(TASK, ("completed", "Done."), &Value::Null), ["+.", "COMPLETED"]);
    let mut play = Play::working();
    play.piece("a", "Let me");
    assert_eq!(play.ends(TASK, ("completed", "Other words."), &Value::Null), ["Other words..", "COMPLETED"]);
}

#[test]
fn what_is_said_on_the_way_is_no_answer() {
    let mut play = Play::working();
    let item = json!({"item": {"type": "agentMessage", "id": "a", "phase": "commentary", "text": ""}});
    assert!(play.hear("item.started", Some("t"), &item).is_empty());
    assert!(play.piece("a", "I look").is_empty());
    let item =
        json!({"item": {"type": "agentMessage", "id": "a", "phase": "commentary", "text": "I look around."}});
    assert_eq!(play.hear("item.completed", Some("t"), &item), ["WORKING: I look around."]);
    let item = json!({"item": {"type": "commandExecution", "id": "x", "command": "ls"}});
    assert_eq!(play.hear("item.started", Some("t"), &item), ["WORKING: runs `ls`"]);
    assert!(play.telling.task().artifacts.is_empty());
    assert_eq!(play.telling.task().history.len(), 1);
}

#[test]
fn a_question_that_the_policy_answers_is_not_asked() {
    let mut play = Play::working();
    assert!(play.hear("approval.requested", Some("t"), &asked()).is_empty());
    assert!(play.hear("approval.resolved", Some("t"), &resolved("policy")).is_empty());
    assert_eq!(play.telling.state(), State::Working);
}

#[test]
fn a_question_waits_until_it_is_answered() {
    let mut play = Play::working();
    play.hear("approval.requested", Some("t"), &asked());
    assert_eq!(play.hear("session.state", None, &waits(true)), ["INPUT_REQUIRED: May I run `make`?"]);
    assert!(play.telling.question().is_some() && play.telling.state().waits());
    assert_eq!(play.hear("approval.resolved", Some("t"), &resolved("ann")), ["WORKING"]);
    assert!(play.hear("session.state", None, &waits(false)).is_empty());
    assert!(play.telling.question().is_none());
}

#[test]
fn every_end_is_told_as_what_it_is() {
    let error = |code: &str| json!({"phase": "request", "code": code, "message": "why"});
    let unknown = |message: &str, info: Value| json!({"phase": "request", "code": "other", "message": message, "details": {"codexErrorInfo": info}});
    let login = "AUTH_REQUIRED: Codex is not logged in: log in, then send another message";
    for (status, error, told) in [
        ("failed", error("usage_limit_exceeded"), "FAILED: [codex error] why"),
        ("failed", error("deadline_exceeded"), "FAILED: [codex turn timed out] why"),
        ("failed", error("stalled"), "FAILED: [codex turn timed out] why"),
        ("failed", error("not_logged_in"), login),
        ("failed", unknown("why", json!({"httpConnectionFailed": {"httpStatusCode": 401}})), login),
        ("failed", unknown("unexpected status 401 Unauthorized: why", json!("other")), login),
        (
            "failed",
            unknown("why", json!({"httpConnectionFailed": {"httpStatusCode": 503}})),
            "FAILED: [codex error] why",
        ),
        ("interrupted", Value::Null, "CANCELED"),
        ("lost", error("crashed"), "FAILED: [codex unreachable] why; whether it was done is not known"),
    ] {
        let mut play = Play::working();
        assert_eq!(play.ends(TASK, (status, ""), &error), [told]);
        assert_eq!(
            play.telling.task().metadata.get("outcome"),
            (status == "lost").then(|| json!("unknown")).as_ref()
        );
    }
}

#[test]
fn a_task_that_another_message_joined_ends_with_both() {
    let mut play = Play::working();
    play.telling.expect(OTHER);
    let accepted = json!({"message_id": OTHER, "input": [], "busy_policy": "steer", "position": 0});
    assert!(play.hear("message.accepted", None, &accepted).is_empty());
    assert!(play.ends(TASK, ("completed", "Steered."), &Value::Null).is_empty());
    assert_eq!(play.ends(OTHER, ("completed", "Steered."), &Value::Null), ["Steered..", "COMPLETED"]);
}

#[test]
fn words_that_come_after_the_end_are_no_part_of_it() {
    let mut play = Play::working();
    play.telling.expect(OTHER);
    play.ends(TASK, ("completed", "Done."), &Value::Null);
    let accepted = json!({"message_id": OTHER, "input": [], "busy_policy": "steer", "position": 0});
    assert!(play.hear("message.accepted", None, &accepted).is_empty());
    assert!(play.telling.lives_by(TASK) && !play.telling.lives_by(OTHER));
}

#[test]
fn after_a_login_it_goes_on() {
    let mut play = Play::working();
    let error = json!({"phase": "request", "code": "not_logged_in", "message": "why"});
    play.ends(TASK, ("failed", ""), &error);
    play.telling.expect(OTHER);
    let accepted = json!({"message_id": OTHER, "input": [], "busy_policy": "queue", "position": 0});
    assert_eq!(play.hear("message.accepted", None, &accepted), ["SUBMITTED"]);
    assert_eq!(play.hear("message.started", None, &json!({"message_id": OTHER, "attempt": 1})), ["WORKING"]);
    assert_eq!(play.ends(OTHER, ("completed", "Done."), &Value::Null), ["Done..", "COMPLETED"]);
}

#[test]
fn what_happens_in_other_turns_is_not_told() {
    let mut play = Play::working();
    let item = json!({"item": {"type": "commandExecution", "id": "x", "command": "ls"}});
    assert!(play.hear("item.started", Some("another"), &item).is_empty());
    assert!(play.ends(OTHER, ("completed", "Not ours."), &Value::Null).is_empty());
    assert_eq!(play.telling.state(), State::Working);
}
