//! Calls of a session's tools that come by another way than a request of Codex's.

use selvedge_session::{
    Command, Heard, Lifecycle, Refusal, RequestKey, Settings, Status, ToolCall, ToolCallId, ToolSpec, Verdict,
};
use serde_json::json;
use uuid::Uuid;

use crate::play::Play;

fn settings() -> Settings {
    let tool = json!({"name": "look", "description": "", "input_schema": {}, "timeout_seconds": 5});
    let unlimited = json!({"name": "wait", "description": "", "input_schema": {}});
    let tools: Vec<ToolSpec> = serde_json::from_value(json!([tool, unlimited])).unwrap();
    Settings { tools, ..Settings::default() }
}

fn id(n: u128) -> ToolCallId {
    ToolCallId(Uuid::from_u128(n))
}

fn call(n: u128, tool: &str, by_agent: bool) -> Command {
    let key = RequestKey::of_call(id(n), "somebody");
    let arguments = json!({"n": n.to_string()}).into();
    Command::CallTool(Box::new(ToolCall { id: id(n), key, tool: tool.to_owned(), arguments, by_agent }))
}

fn answer(n: u128) -> Command {
    Command::AnswerTool { tool_call_id: id(n), success: true, content: json!("done").into() }
}

#[test]
fn what_the_agent_calls_is_a_part_of_its_turn_and_is_answered_once() {
    let mut play = Play::running_with("t1", settings());
    play.tell(call(1, "look", true)).unwrap();
    assert_eq!(play.session().lifecycle(), Lifecycle::Waiting);
    play.tell(answer(1)).unwrap();
    assert_eq!(play.tool_answers(), ["1: done"]);
    assert_eq!(play.effects(), Vec::<String>::new(), "Codex asked nothing, and is answered nothing");
    assert_eq!(play.session().lifecycle(), Lifecycle::Running);
    assert_eq!(play.tell(answer(1)), Err(Refusal::Answered { by: None }));
    assert_eq!(play.tell(Command::HangUp(id(1))), Err(Refusal::Answered { by: None }));
    assert_eq!(play.restarted().unfinished(), []);
}

/// A tool, and what ends a call of it.
type End = (&'static str, fn(&mut Play));

#[test]
fn it_ends_with_its_time_its_turn_its_process_or_its_caller() {
    let ends: [End; 5] = [
        ("look", |play| play.wait(5_000)),
        ("wait", |play| play.turn_ends("t1", Status::Completed)),
        ("wait", Play::process_gone),
        ("wait", |play| play.tell(Command::HangUp(id(1))).unwrap()),
        ("wait", |play| play.hear(Heard::Withdrawn(RequestKey::of_call(id(1), "somebody")))),
    ];
    let words = ["in time", "turn ended", "turn ended", "has gone", "nobody waits"];
    for ((tool, end), words) in ends.into_iter().zip(words) {
        let mut play = Play::running_with("t1", settings());
        play.tell(call(1, tool, true)).unwrap();
        end(&mut play);
        let answers = play.tool_answers();
        assert!(answers.len() == 1 && answers[0].contains(words), "{words}: {answers:?}");
        assert_eq!(play.session().open_tools().count(), 0);
    }
}

#[test]
fn a_turn_that_called_something_is_not_run_again() {
    let mut play = Play::running_with("t1", settings());
    play.tell(call(1, "look", true)).unwrap();
    play.process_gone();
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn what_others_call_belongs_to_no_turn() {
    let mut play = Play::running_with("t1", settings());
    play.tell(call(1, "wait", false)).unwrap();
    assert_eq!(play.session().lifecycle(), Lifecycle::Running, "the turn does not wait for it");
    assert!(play.session().has_calls() && play.restarted().has_calls());
    play.process_gone();
    play.verdict(Verdict::Cut { acted: false });
    play.thread_ready();
    assert_eq!(play.ends(), Vec::<String>::new(), "the turn is run again: it did nothing");
    play.turn_starts("t2");
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.tool_answers(), Vec::<String>::new(), "and nothing of the turn ends it");
    play.tell(answer(1)).unwrap();
    assert_eq!(play.tool_answers(), ["1: done"]);
    assert!(!play.session().has_calls());
    play.tell(call(2, "wait", true)).unwrap();
    assert_eq!(play.session().lifecycle(), Lifecycle::Idle, "nor is there one for an agent that has none");
    play.stop();
    assert_eq!(play.tool_answers(), ["2: the session was stopped before the call was answered"]);
}

#[test]
fn what_cannot_be_called_is_refused() {
    let mut play = Play::running_with("t1", settings());
    assert_eq!(play.tell(call(1, "other", true)), Err(Refusal::NotFound));
    let codex = play.tool_called("t1", "k");
    assert_eq!(play.tell(Command::HangUp(codex)), Err(Refusal::NotFound), "Codex's own is Codex's");
    play.stop();
    assert_eq!(play.tell(call(2, "look", true)), Err(Refusal::NotRunning));
    let mut play = Play::new(settings());
    play.tell(Command::Archive).unwrap();
    assert_eq!(play.tell(call(3, "look", false)), Err(Refusal::Archived));
}
