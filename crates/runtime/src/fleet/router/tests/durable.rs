//! How far the journal has come: never further than what is kept, and further as soon as it is.

use super::stage::{Stage, turn_started};

#[tokio::test]
async fn it_is_known_when_every_listener_has_kept_what_it_was_told() {
    let mut stage = Stage::new();
    let (mut one, mut other) = (stage.listen("a", 8), stage.listen("b", 8));
    stage.say(turn_started("a", "u1")).await;
    stage.say(turn_started("b", "u2")).await;
    one.next().await;
    let newest = other.next().await.offset;
    assert_eq!(stage.board.durable_before(), None, "from here on it is looked at");
    one.news.settle(1);
    assert_eq!(stage.board.durable_before(), None, "one of them has not kept it");
    other.news.settle(1);
    assert_eq!(stage.board.durable_before(), Some(newest));
}

#[tokio::test]
async fn what_comes_later_does_not_hold_it_up() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(turn_started("a", "u1")).await;
    let first = ear.next().await.offset;
    assert_eq!(stage.board.durable_before(), None);
    stage.say(turn_started("a", "u2")).await;
    ear.next().await;
    ear.news.settle(1);
    assert_eq!(stage.board.durable_before(), Some(first), "and the second is on its way");
}

#[tokio::test]
async fn what_is_held_for_somebody_is_not_durable() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(turn_started("unknown", "u0")).await;
    stage.say(turn_started("a", "u1")).await;
    ear.next().await;
    ear.news.settle(1);
    assert_eq!(stage.board.durable_before(), None);
    assert_eq!(stage.board.durable_before(), Some(0), "the held line is the first");
}

#[tokio::test]
async fn nobody_is_waited_for_who_is_gone() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(turn_started("a", "u1")).await;
    let newest = ear.next().await.offset;
    assert_eq!(stage.board.durable_before(), None);
    drop(ear);
    assert_eq!(stage.board.durable_before(), Some(newest));
}
