//! An app-server that outlived a program is read again: who has heard a part of it is told the rest.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::stage::{Ear, Stage, delta, turn_started};
use crate::fleet::router::{Loaded, Whose};

/// Hears so many news, and where each thread then is.
async fn hear(ear: &mut Ear, many: usize) -> BTreeMap<String, u64> {
    let mut heard = BTreeMap::new();
    for _ in 0..many {
        let told = ear.next().await;
        heard.insert(told.of().to_owned(), told.offset);
    }
    heard
}

fn warning() -> Value {
    json!({"method": "configWarning", "params": {"summary": "careful"}})
}

#[tokio::test]
async fn what_was_heard_is_not_told_again_also_if_it_was_read_before_somebody_came_back() {
    let before = [warning(), turn_started("a", "1"), delta("a", "one")];
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    for line in &before {
        stage.say(line.clone()).await;
    }
    let heard = hear(&mut ear, 3).await;
    for is_read_first in [false, true] {
        let mut stage = Stage::new();
        let mut other = stage.listen("b", 8);
        let early = (!is_read_first).then(|| stage.listen_on("a", heard.clone()));
        for line in &before {
            stage.say(line.clone()).await;
        }
        stage.say(turn_started("b", "1")).await;
        hear(&mut other, 2).await;
        let mut ear = early.unwrap_or_else(|| stage.listen_on("a", heard.clone()));
        stage.say(delta("a", "two")).await;
        assert_eq!(ear.next_word().await, "a: two");
    }
}

#[tokio::test]
async fn who_comes_to_a_thread_that_somebody_else_has_heard_is_told_nothing_old() {
    let mut stage = Stage::new();
    let before = turn_started("a", "1");
    let loaded = Loaded { thread: "a".to_owned(), whose: Whose::OfItself };
    stage.board.are_loaded(vec![loaded], before.to_string().len() as u64 + 1);
    let mut ear = stage.listen("a", 8);
    stage.say(before).await;
    stage.say(turn_started("a", "2")).await;
    assert_eq!(ear.next_word().await, "a: turn 2 begins");
    // Not so to who was here and knows that it has heard nothing yet.
    let mut stage = Stage::new();
    let loaded = Loaded { thread: "a".to_owned(), whose: Whose::OfItself };
    stage.board.are_loaded(vec![loaded], 1000);
    let mut ear = stage.listen_on("a", BTreeMap::new());
    stage.say(turn_started("a", "1")).await;
    assert_eq!(ear.next_word().await, "a: turn 1 begins");
}

#[tokio::test]
async fn its_end_is_told_to_who_has_heard_its_last_line() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    for line in [turn_started("a", "1"), warning()] {
        stage.say(line).await;
    }
    let heard = hear(&mut ear, 2).await;
    let mut stage = Stage::new();
    let mut ear = stage.listen_on("a", heard);
    for line in [turn_started("a", "1"), warning()] {
        stage.say(line).await;
    }
    stage.die();
    assert_eq!(ear.next_word().await, "gone");
}

#[tokio::test]
async fn a_sub_agent_that_began_while_nobody_was_there_goes_where_its_parent_goes() {
    let of_itself = |thread: &str| Loaded { thread: thread.to_owned(), whose: Whose::OfItself };
    let of = |parent: &str, thread: &str| Loaded {
        thread: thread.to_owned(),
        whose: Whose::ChildOf(parent.to_owned()),
    };
    let mut stage = Stage::new();
    let loaded =
        vec![of("child", "grandchild"), of("a", "child"), of_itself("a"), of("b", "other"), of_itself("b")];
    stage.board.are_loaded(loaded, 0);
    let mut ear = stage.listen_on("a", BTreeMap::from([("a".to_owned(), 0)]));
    // The first is old; what nobody listens to is for nobody.
    for thread in ["a", "other", "grandchild", "child", "b", "a"] {
        stage.say(turn_started(thread, "1")).await;
    }
    for thread in ["grandchild", "child", "a"] {
        assert_eq!(ear.next_word().await, format!("{thread}: turn 1 begins"));
    }
    assert_eq!(stage.counters.muted.get(), 2);
}

/// They may come into two records, and the program be killed between the two.
#[tokio::test]
async fn two_news_of_one_line_are_two_places() {
    let line = json!({"method": "turn/started",
        "params": {"threadId": "a", "turn": {"id": "1", "items": [], "status": "somethingNew"}}});
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(line.clone()).await;
    let heard = hear(&mut ear, 1).await;
    let mut stage = Stage::new();
    let mut ear = stage.listen_on("a", heard);
    stage.say(line).await;
    assert_eq!(ear.next_word().await, "a: turn 1 begins");
}
