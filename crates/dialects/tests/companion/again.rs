//! Coming back: whoever was away, from any message to any other, sees in the end what they would have seen.

use std::collections::BTreeMap;

use proptest::prelude::*;
use selvedge_dialects::companion::{Message, Past, Speaker, Update};
use serde_json::{Value, json};

use crate::stage::{Stage, id, message};

/// What a browser shows, as upstream's keeps it: what is said by its id, what is being said, and how the session is.
#[derive(Debug, Default, Clone, PartialEq)]
struct Browser {
    last_seq: u64,
    said: BTreeMap<String, Vec<Value>>,
    being_said: String,
    asked: BTreeMap<String, Value>,
    session: BTreeMap<String, Value>,
    phase: Value,
}

impl Browser {
    fn numbered(&mut self, seq: u64, message: &Value) {
        if seq > self.last_seq {
            self.last_seq = seq;
            self.hears(message);
        }
    }

    fn hears(&mut self, message: &Value) {
        match message["type"].as_str().unwrap() {
            "session_init" => {
                self.session = fields(&message["session"]);
                self.asked.clear();
            }
            "session_update" => self.session.extend(fields(&message["session"])),
            "message_history" => {
                let history = list(&message["messages"]);
                history.iter().for_each(|message| self.keeps(message));
                if history.last().is_some_and(|last| last["type"] == "result") {
                    self.being_said.clear();
                }
            }
            "event_replay" => {
                for event in list(&message["events"]) {
                    self.numbered(event["seq"].as_u64().unwrap(), &event["message"]);
                }
            }
            "assistant" => {
                self.being_said.clear();
                self.keeps(message);
            }
            "user_message" => self.keeps(message),
            "result" => {
                self.being_said.clear();
                self.keeps(message);
            }
            "stream_event" => self.streamed(&message["event"]),
            "permission_request" => {
                let request = &message["request"];
                self.asked.insert(request["request_id"].to_string(), request.clone());
            }
            "permission_cancelled" => {
                self.asked.remove(&message["request_id"].to_string());
            }
            "session_phase" => self.phase = message["phase"].clone(),
            _ => {}
        }
    }

    fn streamed(&mut self, event: &Value) {
        match event["type"].as_str().unwrap() {
            "message_start" => self.being_said.clear(),
            "content_block_delta" => {
                let delta = event["delta"]["text"].as_str().or(event["delta"]["thinking"].as_str());
                self.being_said.push_str(delta.unwrap());
            }
            _ => {}
        }
    }

    /// What has an id is there once, with every block it was told with.
    fn keeps(&mut self, message: &Value) {
        match message["type"].as_str().unwrap() {
            "user_message" => {
                self.said.insert(message["id"].to_string(), vec![message["content"].clone()]);
            }
            "result" => {
                for name in ["total_cost_usd", "num_turns"] {
                    self.session.insert(name.to_owned(), message["data"][name].clone());
                }
            }
            "assistant" => {
                let blocks = self.said.entry(message["message"]["id"].to_string()).or_default();
                for block in list(&message["message"]["content"]) {
                    if !blocks.contains(block) {
                        blocks.push(block.clone());
                    }
                }
            }
            _ => {}
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn fields(value: &Value) -> BTreeMap<String, Value> {
    value.as_object().unwrap().clone().into_iter().collect()
}

fn json_of(message: &Message) -> Value {
    serde_json::to_value(message).unwrap()
}

/// A browser that was there for the messages up to a number, and came back when the session had gone on to another.
fn away(stage: &Stage, from: u64, past: &Past, speaker: &Speaker) -> Browser {
    let mut browser = Browser::default();
    Past::default()
        .opened(&Speaker::default(), Update::default())
        .iter()
        .for_each(|told| browser.hears(&json_of(told)));
    for told in stage.told.iter().take_while(|told| told.seq <= from) {
        browser.numbered(told.seq, &json_of(&told.message));
    }
    let last_seq = browser.last_seq;
    let back = past.opened(speaker, Update::default()).into_iter().chain(past.since(last_seq, speaker));
    back.for_each(|told| browser.hears(&json_of(&told)));
    browser
}

/// Without what one that was there for all of it has no way to know it lacks.
fn comparable(mut browser: Browser) -> Browser {
    // A session is named by its first message to a browser; one that saw everything has what `session_init` says beside it.
    browser.session.retain(|_, value| {
        *value != json!("") && *value != json!([]) && *value != json!(0) && *value != json!(false)
    });
    browser
}

fn caught_up(stage: &Stage) -> (Past, Speaker) {
    let (mut past, mut speaker) = (Past::default(), Speaker::default());
    for event in &stage.events {
        past.keep(speaker.hear(event));
    }
    (past, speaker)
}

fn everywhere(stage: &Stage) {
    here_and_there(stage, 1);
}

/// The same at every so manieth message: of many it takes long.
fn here_and_there(stage: &Stage, every: usize) {
    let (past, speaker) = caught_up(stage);
    let stayed = comparable(away(stage, u64::MAX, &past, &speaker));
    let mut from = vec![0];
    from.extend(stage.told.iter().map(|told| told.seq).step_by(every));
    for from in from {
        let came_back = comparable(away(stage, from, &past, &speaker));
        assert_eq!(came_back, stayed, "away after {from}");
    }
}

/// One thing that happens.
#[derive(Debug, Clone, Copy)]
enum Step {
    Say(u8),
    Piece(u8),
    Said(u8),
    Run(u8),
    Ran(u8),
    Ask(u8),
    Answer(u8),
    Use,
    Plan,
    Turn,
    Ended,
    Accept(u8),
    Compact(bool),
    Die,
}

fn step() -> impl Strategy<Value = Step> {
    let item = 0..3_u8;
    prop_oneof![
        2 => item.clone().prop_map(Step::Say),
        4 => item.clone().prop_map(Step::Piece),
        2 => item.clone().prop_map(Step::Said),
        2 => item.clone().prop_map(Step::Run),
        2 => item.clone().prop_map(Step::Ran),
        1 => item.clone().prop_map(Step::Ask),
        1 => item.clone().prop_map(Step::Answer),
        1 => item.prop_map(Step::Accept),
        1 => Just(Step::Use),
        1 => Just(Step::Plan),
        1 => Just(Step::Turn),
        1 => Just(Step::Ended),
        1 => any::<bool>().prop_map(Step::Compact),
        1 => Just(Step::Die),
    ]
}

fn play(stage: &mut Stage, step: Step, n: usize) {
    let approval = |item: u8| id(40 + u32::from(item));
    match step {
        Step::Say(item) => {
            stage.started(json!({"type": "agentMessage", "id": format!("m{item}"), "text": ""}))
        }
        Step::Piece(item) => stage.delta(&format!("m{item}"), "text", &format!("{n} ")),
        Step::Said(item) => stage.completed(
            json!({"type": "agentMessage", "id": format!("m{item}"), "text": format!("all of {n}")}),
        ),
        Step::Run(item) => {
            stage.started(json!({"type": "commandExecution", "id": format!("c{item}"), "command": "x"}))
        }
        Step::Ran(item) => {
            let item = json!({"type": "commandExecution", "id": format!("c{item}"), "command": "x", "aggregatedOutput": n.to_string(), "exitCode": 0});
            stage.completed(item)
        }
        Step::Ask(item) => {
            let data = json!({"approval_id": approval(item), "kind": "command", "request": {"command": "x"}});
            stage.event(json!({"type": "approval.requested", "data": data, "turn_id": "t", "item_id": format!("c{item}")}))
        }
        Step::Answer(item) => stage.in_turn(
            "approval.resolved",
            json!({"approval_id": approval(item), "decision": "accept", "by": "x"}),
        ),
        Step::Use => {
            let used = json!({"input": n, "output": n});
            stage.in_turn("usage.updated", json!({"turn": used, "session": used, "cost_usd": n}))
        }
        Step::Plan => {
            stage.in_turn("plan.updated", json!({"steps": [{"step": n.to_string(), "status": "pending"}]}))
        }
        Step::Turn => stage.in_turn("turn.started", json!({"message_ids": []})),
        Step::Ended => {
            stage.in_turn(
                "turn.completed",
                json!({"message_ids": [id(1)], "status": "completed", "duration_ms": n}),
            );
            stage.state("idle", "running")
        }
        Step::Accept(item) => {
            stage.happens("message.accepted", message(u32::from(item) + 20));
            stage.state("running", "idle")
        }
        Step::Compact(true) => stage.started(json!({"type": "contextCompaction", "id": "k"})),
        Step::Compact(false) => stage.completed(json!({"type": "contextCompaction", "id": "k"})),
        Step::Die => stage.happens("codex.exited", json!({"reason": "killed", "stderr_tail": ""})),
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_speaker_that_hears_on_says_what_one_that_heard_everything_says(steps in prop::collection::vec(step(), 1..60)) {
        let mut stage = Stage::running();
        for (n, step) in steps.into_iter().enumerate() {
            play(&mut stage, step, n);
        }
        for resumed_at in 0..=stage.events.len() {
            let mut speaker = Speaker::default();
            let (before, after) = stage.events.split_at(resumed_at);
            before.iter().for_each(|event| drop(speaker.hear(event)));
            let said: Vec<_> = after.iter().flat_map(|event| speaker.hear(event)).collect();
            let seq = u64::try_from(resumed_at).unwrap();
            let rest: Vec<_> = stage.told.iter().filter(|told| selvedge_dialects::event_of(told.seq) > seq).cloned().collect();
            prop_assert_eq!(said, rest);
        }
    }

    #[test]
    fn numbers_grow_and_no_event_has_too_many(steps in prop::collection::vec(step(), 1..80)) {
        let mut stage = Stage::running();
        for (n, step) in steps.into_iter().enumerate() {
            play(&mut stage, step, n);
        }
        prop_assert!(stage.told.windows(2).all(|pair| pair[0].seq < pair[1].seq));
        prop_assert!(stage.told.iter().all(|told| told.seq % 100 < 20), "far from the most there can be");
    }
}

/// What a turn does that goes well.
fn turn(stage: &mut Stage, n: usize, pieces: usize) {
    let n32 = u32::try_from(n % 80).unwrap();
    stage.happens("message.accepted", message(n32));
    stage.state("running", "idle");
    stage.in_turn("turn.started", json!({"message_ids": [id(n32)]}));
    stage.started(json!({"type": "reasoning", "id": format!("r{n}"), "summary": []}));
    stage.delta(&format!("r{n}"), "reasoning_summary", "Hm");
    stage.completed(json!({"type": "reasoning", "id": format!("r{n}"), "summary": ["Hm"]}));
    play(stage, Step::Run(0), n);
    play(stage, Step::Ask(0), n);
    play(stage, Step::Answer(0), n);
    play(stage, Step::Ran(0), n);
    stage.started(json!({"type": "agentMessage", "id": format!("m{n}"), "text": ""}));
    let whole: String = (0..pieces).map(|piece| format!("{piece} ")).collect();
    for piece in 0..pieces {
        stage.delta(&format!("m{n}"), "text", &format!("{piece} "));
    }
    stage.completed(json!({"type": "agentMessage", "id": format!("m{n}"), "text": whole}));
    play(stage, Step::Use, n + 1);
    play(stage, Step::Ended, n);
}

#[test]
fn a_browser_that_was_away_between_any_two_messages_shows_what_one_shows_that_stayed() {
    let mut stage = Stage::running();
    play(&mut stage, Step::Ended, 0);
    for n in 1..8 {
        turn(&mut stage, n, 5);
    }
    everywhere(&stage);
}

#[test]
fn also_while_something_is_being_said_and_asked() {
    let mut stage = Stage::running();
    play(&mut stage, Step::Ended, 0);
    turn(&mut stage, 1, 3);
    stage.happens("message.accepted", message(2));
    stage.state("running", "idle");
    stage.in_turn("turn.started", json!({"message_ids": [id(2)]}));
    stage.started(json!({"type": "commandExecution", "id": "open", "command": "x"}));
    play(&mut stage, Step::Ask(1), 1);
    stage.state("waiting", "running");
    stage.started(json!({"type": "agentMessage", "id": "half", "text": ""}));
    stage.delta("half", "text", "Half a ");
    stage.delta("half", "text", "sentence");
    everywhere(&stage);
    let (past, speaker) = caught_up(&stage);
    let back = away(&stage, 0, &past, &speaker);
    assert_eq!(
        (back.being_said.as_str(), back.asked.len(), &back.phase),
        ("Half a sentence", 1, &json!("awaiting_permission"))
    );
}

#[test]
fn one_that_was_away_for_more_than_is_replayed_gets_the_history_instead() {
    let mut stage = Stage::running();
    play(&mut stage, Step::Ended, 0);
    turn(&mut stage, 1, 3);
    turn(&mut stage, 2, 900);
    here_and_there(&stage, 31);
    let (past, speaker) = caught_up(&stage);
    let first = stage.told.first().unwrap().seq;
    let back: Vec<_> = past.since(first, &speaker).iter().map(Message::name).collect();
    assert_eq!(back, ["event_replay", "status_change", "session_phase"], "and no flood of what is over");
}

#[test]
fn also_in_the_middle_of_a_turn() {
    let mut stage = Stage::running();
    stage.started(json!({"type": "reasoning", "id": "r", "summary": []}));
    stage.delta("r", "reasoning_summary", "Long ago");
    stage.completed(json!({"type": "reasoning", "id": "r", "summary": ["Long ago"]}));
    for n in 0..700 {
        play(&mut stage, Step::Use, n);
    }
    here_and_there(&stage, 5);
    stage.started(json!({"type": "reasoning", "id": "s", "summary": []}));
    stage.delta("s", "reasoning_summary", "Now");
    here_and_there(&stage, 5);
}

#[test]
fn one_that_has_everything_gets_nothing_and_a_replay_is_exactly_what_was_missed() {
    let mut stage = Stage::running();
    turn(&mut stage, 1, 5);
    let (past, speaker) = caught_up(&stage);
    assert_eq!(past.since(past.newest(), &speaker), []);
    assert_eq!(past.since(u64::MAX, &speaker), []);
    for (place, told) in stage.told.iter().enumerate().take(stage.told.len() - 1) {
        let back = past.since(told.seq, &speaker);
        let Message::EventReplay { events } = &back[0] else { panic!("{back:?}") };
        let expected: Vec<_> =
            stage.told[place + 1..].iter().map(|told| (told.seq, told.message.clone())).collect();
        let replayed: Vec<_> = events.iter().map(|event| (event.seq, event.message.clone())).collect();
        assert_eq!(replayed, expected, "after {}", told.seq);
    }
}
