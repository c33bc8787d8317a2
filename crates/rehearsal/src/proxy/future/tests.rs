//! The same seed makes the same future; whatever is added is told, and answers find their way.

use serde_json::json;

use super::*;

const THREAD: &str = "01a1df14-0d6d-7662-86a6-cfa34189964c";

/// What some messages become.
fn become_with(seed: u64, percent: u8) -> Vec<String> {
    let future = Future::new(seed, percent, &Log::default());
    let turn = json!({"id": "t", "status": "completed", "items": [], "startedAt": 5});
    let messages = [
        (
            "answer:initialize",
            json!({"id": 1, "result": {"userAgent": "me/0.166.0 (x)", "platformOs": "linux"}}),
        ),
        (
            "item/started",
            json!({"method": "item/started", "params": {"threadId": THREAD, "turnId": "t", "item": {"type": "agentMessage", "id": "m", "text": "words"}}}),
        ),
        ("turn/completed", json!({"method": "turn/completed", "params": {"threadId": THREAD, "turn": turn}})),
    ];
    let all = messages.iter().cycle().take(60).map(|(name, message)| {
        let passed = future.pass(Direction::FromCodex, name, &written(message));
        String::from_utf8(passed).unwrap()
    });
    all.collect()
}

#[test]
fn a_seed_makes_always_the_same_future_and_another_one_another() {
    assert_eq!(become_with(1, 20), become_with(1, 20));
    assert_ne!(become_with(1, 20), become_with(2, 20));
}

#[test]
fn without_a_chance_nothing_happens() {
    for said in become_with(1, 0) {
        assert!(
            said.lines().count() == 1 && !said.contains("hologram") && !said.contains("future-"),
            "{said}"
        );
    }
}

#[test]
fn whatever_happens_every_line_is_json_and_words_and_ids_stay() {
    for seed in 0..50 {
        for said in become_with(seed, 20) {
            let lines: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let started = |line: &&Value| line["params"]["item"]["id"] == "m";
            if let Some(line) = lines.iter().find(started) {
                let item = &line["params"]["item"];
                assert_eq!((&item["type"], &item["text"]), (&json!("agentMessage"), &json!("words")));
                assert_eq!(line["params"]["threadId"], THREAD);
            }
        }
    }
}

#[test]
fn what_is_added_to_a_turn_comes_before_its_end() {
    let ends = become_with(3, 20).into_iter().filter(|said| said.contains("\"turn/completed\""));
    assert!(
        ends.filter(|said| said.lines().count() > 1).all(|said| said
            .lines()
            .last()
            .unwrap()
            .contains("turn/completed"))
    );
}

#[test]
fn a_request_that_was_added_is_answered_here_and_others_by_their_own_ids() {
    let mut ids = Ids::default();
    let mut chances = Chances::new(1);
    ids.ask(&json!("h1"), "future-1-1");
    assert!(
        matches!(ids.answered(json!({"id": "h1", "error": {"code": -32601}})), Answer::Kept(did) if did.did == "answer")
    );
    assert!(
        matches!(ids.answered(json!({"id": "h1", "method": "turn/start"})), Answer::NotOurs),
        "a request of the client's"
    );
    let chance = chances.next("item/tool/call", &Place::default(), 100);
    let mut request = json!({"id": 0, "method": "item/tool/call"});
    assert!(ids.rename(&mut request, &chance).is_some());
    let answer = json!({"id": request["id"], "result": {}});
    assert!(matches!(ids.answered(answer), Answer::Renamed(message) if message["id"] == 0));
    assert!(matches!(ids.answered(json!({"id": 0, "result": {}})), Answer::Kept(did) if did.did == "stray"));
    let mut resolved = json!({"method": "serverRequest/resolved", "params": {"requestId": 0}});
    ids.rename(&mut resolved, &chance);
    assert_eq!(resolved["params"]["requestId"], request["id"]);
}
