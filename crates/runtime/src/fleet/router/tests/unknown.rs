//! Threads that nobody has claimed: held, followed, asked about, and in the end given up.

use serde_json::json;

use super::stage::{SEAT, Stage, approval, delta, spawned, turn_started};
use crate::fleet::mailbox::Unclaimed;

#[tokio::test]
async fn what_was_said_before_anybody_listened_comes_first_and_in_order() {
    let mut stage = Stage::new();
    let mut other = stage.listen("other", 8);
    stage.say(turn_started("a", "1")).await;
    stage.say(delta("a", "one ")).await;
    stage.say(delta("a", "two")).await;
    stage.say(turn_started("other", "1")).await;
    assert_eq!(other.next_word().await, "other: turn 1 begins", "the router has read all of it");
    let mut ear = stage.listen("a", 1);
    stage.say(turn_started("a", "2")).await;
    for expected in ["a: turn 1 begins", "a: one two", "a: turn 2 begins"] {
        assert_eq!(ear.next_word().await, expected);
    }
}

#[tokio::test]
async fn sub_agents_follow_the_item_that_names_them_and_theirs_too() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("parent", 64);
    stage.say(turn_started("grandchild", "1")).await;
    stage.say(turn_started("child", "1")).await;
    stage.say(spawned("child", "grandchild")).await;
    stage.say(spawned("parent", "child")).await;
    let idle = json!({"method": "thread/status/changed",
        "params": {"threadId": "child", "status": {"type": "idle"}}});
    stage.say(idle).await;
    stage.say(delta("child", "hi")).await;
    let expected =
        ["parent: item", "child: turn 1 begins", "child: item", "grandchild: turn 1 begins", "child: hi"];
    for expected in expected {
        assert_eq!(ear.next_word().await, expected);
    }
}

#[tokio::test]
async fn a_thread_that_names_its_parent_when_it_begins_follows_at_once() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("parent", 8);
    let thread = json!({"id": "child", "parentThreadId": "parent"});
    stage.say(json!({"method": "thread/started", "params": {"thread": thread}})).await;
    assert!(ear.next_word().await.starts_with("notice thread/started"));
    stage.say(turn_started("child", "1")).await;
    assert_eq!(ear.next_word().await, "child: turn 1 begins");
}

#[tokio::test(start_paused = true)]
async fn codex_is_asked_once_whose_a_thread_is() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("parent", 8);
    stage.say(delta("child", "held")).await;
    let question = stage.hears().await;
    assert_eq!(question["method"], "thread/read");
    assert_eq!(question["params"], json!({"threadId": "child", "includeTurns": false}));
    stage.say(delta("child", ", and more")).await;
    let thread = json!({"id": "child", "parentThreadId": "parent"});
    stage.say(json!({"id": question["id"], "result": {"thread": thread}})).await;
    // An answer overtakes what waits in the inbox, so they may come apart; never in another order.
    let mut said = String::new();
    while said != "held, and more" {
        said.push_str(ear.next_word().await.strip_prefix("child: ").expect("of the child"));
        assert!("held, and more".starts_with(&said), "{said}");
    }
    assert_eq!(stage.counters.unclaimed.get(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_nobody_claims_is_passed_on_and_its_requests_are_refused() {
    let mut stage = Stage::new();
    stage.say(approval("nobody's", 3)).await;
    let question = stage.hears().await;
    stage.say(json!({"id": question["id"], "result": {"thread": {"id": "nobody's"}}})).await;
    let before = tokio::time::Instant::now();
    let refused = stage.hears().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&3.into(), &(-32601).into()));
    assert!(before.elapsed().as_secs() >= 4, "not before its time was over");
    let Some(Unclaimed::Thread { thread, told }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!((thread.as_str(), told.process), ("nobody's", stage.process));
    stage.say(approval("nobody's", 4)).await;
    assert_eq!(stage.hears().await["id"], 4, "and from then on at once");
    assert_eq!((stage.counters.unclaimed.get(), stage.counters.refused.get()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn more_than_a_thousand_news_are_not_held() {
    let mut stage = Stage::new();
    for turn in 0..1_000 {
        stage.say(turn_started("flood", &turn.to_string())).await;
    }
    let Some(Unclaimed::Thread { thread, .. }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!(thread, "flood");
}

#[tokio::test]
async fn an_unknown_request_is_refused_and_told_to_its_thread() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(json!({"method": "brand/new", "id": 0, "params": {"threadId": "a"}})).await;
    let refused = stage.hears().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&0.into(), &(-32601).into()));
    assert!(ear.next_word().await.contains("brand/new"));
    stage.say_raw("not json").await;
    let Some(Unclaimed::Line { raw, .. }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!(raw, "not json");
}

#[tokio::test]
async fn what_is_held_at_the_end_is_kept_as_nobodys() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    let line = json!({"method": "brand/new", "params": {"threadId": "nobody's"}});
    stage.say(line.clone()).await;
    stage.say(turn_started("nobody's", "1")).await;
    stage.die();
    assert_eq!(ear.next_word().await, "gone");
    stage.leave();
    let Some(Unclaimed::Line { raw, .. }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!(raw, line.to_string(), "as it was said");
    let Some(Unclaimed::Thread { thread, .. }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!(thread, "nobody's");
}

#[tokio::test]
async fn what_nobody_knows_is_kept_also_after_its_session_has_left() {
    let mut stage = Stage::new();
    let ear = stage.listen("a", 8);
    stage.board.mute(SEAT, "a");
    drop(ear);
    let line = json!({"method": "brand/new", "params": {"threadId": "a"}});
    stage.say(line.clone()).await;
    let Some(Unclaimed::Line { raw, .. }) = stage.unclaimed.recv().await else { panic!() };
    assert_eq!(raw, line.to_string());
}
