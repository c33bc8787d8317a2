//! Turns in Codex's words.

use selvedge_session::{ApprovalPolicy, Json, PermissionMode};
use serde_json::{Value, json, to_value};
use uuid::Uuid;

use super::*;

fn words(text: &str) -> InputPart {
    InputPart::Text { text: text.to_owned() }
}

fn picture(sha256: &str) -> InputPart {
    InputPart::Image { sha256: sha256.to_owned(), media_type: "image/png".to_owned() }
}

fn in_files(sha256: &str) -> PathBuf {
    PathBuf::from("/files").join(sha256)
}

const ID: MessageId = MessageId(Uuid::from_u128(7));

/// A turn of a new thread, changed by the test.
struct Case {
    input: Vec<InputPart>,
    options: Options,
    settings: Settings,
    now: ThreadNow,
    after: Option<Cut>,
}

impl Case {
    fn new(input: Vec<InputPart>) -> Self {
        let now = ThreadNow { mode: Some(ModeKind::Default), ..ThreadNow::default() };
        Self { input, options: Options::default(), settings: Settings::default(), now, after: None }
    }

    fn said(&self) -> Value {
        let start = TurnStart {
            thread_id: "t",
            message_id: ID,
            input: &self.input,
            options: &self.options,
            after: self.after.as_ref(),
            settings: &self.settings,
            now: &self.now,
        };
        to_value(turn_start(&start, &in_files)).unwrap()
    }
}

#[test]
fn a_turn_carries_our_id_its_pictures_as_files_and_what_its_message_wants() {
    let mut case = Case::new(vec![picture("abc"), words("look")]);
    case.options.output_schema = Some(Json::from(json!({"type": "object"})));
    case.options.model = Some("gpt-5.5".to_owned());
    case.options.effort = Some("high".to_owned());
    let expected = json!({
        "threadId": "t",
        "input": [{"type": "localImage", "path": "/files/abc"}, {"type": "text", "text": "look"}],
        "clientUserMessageId": "00000000-0000-0000-0000-000000000007",
        "outputSchema": {"type": "object"},
        "model": "gpt-5.5",
        "effort": "high",
    });
    assert_eq!(case.said(), expected);
}

#[test]
fn what_one_message_wanted_is_taken_back_by_the_next() {
    let mut case = Case::new(vec![words("go")]);
    case.now.made_with.model = Some("usual".to_owned());
    case.now.made_with.effort = Some("medium".to_owned());
    assert_eq!((&case.said()["model"], &case.said()["effort"]), (&json!("usual"), &json!("medium")));
    case.settings.model = Some("session's".to_owned());
    case.settings.approval_policy = Some(ApprovalPolicy::Never);
    assert_eq!(case.said()["model"], "session's");
    assert_eq!(case.said()["approvalPolicy"], "never", "a change counts from the next turn on");
}

#[test]
fn an_effort_is_taken_back_where_there_was_none() {
    let mut case = Case::new(vec![words("go")]);
    case.now.made_with.model = Some("usual".to_owned());
    case.now.effort = Some("high".to_owned());
    let cleared = json!({"mode": "default", "settings": {"model": "usual", "developer_instructions": ""}});
    assert_eq!((&case.said()["collaborationMode"], &case.said()["effort"]), (&cleared, &Value::Null));
    case.settings.effort = Some("low".to_owned());
    assert_eq!((&case.said()["collaborationMode"], &case.said()["effort"]), (&Value::Null, &json!("low")));
}

#[test]
fn the_mode_is_said_only_when_it_changes() {
    let mut case = Case::new(vec![words("go")]);
    case.now.made_with.model = Some("usual".to_owned());
    assert_eq!(case.said()["collaborationMode"], Value::Null);
    case.settings.permission_mode = Some(PermissionMode::Plan);
    let plan = json!({"mode": "plan", "settings": {"model": "usual"}});
    assert_eq!(case.said()["collaborationMode"], plan);
    case.now.mode = Some(ModeKind::Plan);
    assert_eq!(case.said()["collaborationMode"], Value::Null);
    case.settings.permission_mode = Some(PermissionMode::Default);
    assert_eq!(case.said()["collaborationMode"]["mode"], "default");
    case.now.mode = None;
    assert_eq!(case.said()["collaborationMode"], Value::Null, "older versions do not say it");
}

#[test]
fn what_is_known_of_a_thread_is_what_codex_answered() {
    let reply = json!({
        "thread": {"id": "t"}, "model": "gpt-5.5", "reasoningEffort": null,
        "collaborationMode": {"mode": "plan", "settings": {"model": "gpt-5.5"}},
    });
    let reply = RawValue::from_string(reply.to_string()).unwrap();
    let now = ThreadNow::of_reply(&reply, Arc::default());
    assert_eq!(
        (now.made_with.model.as_deref(), now.effort, now.mode),
        (Some("gpt-5.5"), None, Some(ModeKind::Plan))
    );
}

#[test]
fn a_message_that_interrupted_another_says_both_and_the_answer_so_far_in_one_text() {
    let mut case = Case::new(vec![words("stop at five"), picture("new")]);
    case.after =
        Some(Cut { input: vec![words("count to ten"), picture("old")], partial: "One, two".to_owned() });
    let said = case.said();
    let [old, new, text] = &said["input"].as_array().unwrap()[..] else { panic!("{said}") };
    assert_eq!((&old["path"], &new["path"]), (&json!("/files/old"), &json!("/files/new")));
    let text = text["text"].as_str().unwrap();
    let places = ["count to ten", "One, two", "stop at five"].map(|part| text.find(part).unwrap());
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn a_steer_names_the_turn_it_wants_to_join() {
    let input = [words("more")];
    let steer = Steer { thread_id: "t", turn_id: "u", message_id: Some(ID), input: &input };
    let said = to_value(turn_steer(&steer, &in_files)).unwrap();
    assert_eq!(said["expectedTurnId"], "u");
    assert_eq!(said["clientUserMessageId"], ID.to_string());
    let said = to_value(turn_steer(&Steer { message_id: None, ..steer }, &in_files)).unwrap();
    assert_eq!(said["clientUserMessageId"], Value::Null);
    let said = to_value(turn_interrupt("t", "u")).unwrap();
    assert_eq!(said, json!({"threadId": "t", "turnId": "u"}));
}
