//! Each thread's news to its own session: in order, whole, and to the end.

use std::{sync::atomic::Ordering, time::Duration};

use selvedge_session::Heard;

use super::stage::{Ear, SEAT, Stage, approval, delta, turn_started};

#[tokio::test]
async fn joined_deltas_keep_every_byte_in_order() {
    const LINES: usize = 3_000;
    let mut stage = Stage::new();
    // So small that the router has to wait for both, again and again.
    let mut ears = [stage.listen("a", 2), stage.listen("b", 2)];
    let mut expected = [String::new(), String::new()];
    for line in 0..LINES {
        let who = usize::from(line % 3 == 0);
        let text = format!("{line} \u{e4}\"\n");
        expected[who].push_str(&text);
        stage.say(delta(["a", "b"][who], &text)).await;
    }
    stage.die();
    let [a, b] = &mut ears;
    // Each reads for itself, as actors do: the router may be waiting for either.
    let read = tokio::join!(read_all(a, &stage), read_all(b, &stage));
    for ((whole, news), expected) in [read.0, read.1].into_iter().zip(expected) {
        assert_eq!(whole, expected);
        assert!(news < LINES / 10, "{news} pieces of news for {LINES} lines: they were not joined");
    }
}

/// The text of all deltas up to the end, and in how many pieces it came.
async fn read_all(ear: &mut Ear, stage: &Stage) -> (String, usize) {
    let (mut whole, mut news, mut offset) = (String::new(), 0, 0);
    loop {
        let told = ear.next().await;
        assert!(told.offset >= offset && told.process == stage.process);
        (offset, news) = (told.offset, news + 1);
        match told.heard {
            Heard::Delta { delta, .. } => whole.push_str(&delta),
            Heard::ProcessGone { .. } => return (whole, news),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn only_neighbours_are_joined() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 64);
    stage.say(delta("a", "one")).await;
    stage.say(turn_started("a", "u2")).await;
    stage.say(delta("a", "two")).await;
    let mut other_item = delta("a", "three");
    other_item["params"]["itemId"] = "j".into();
    stage.say(other_item).await;
    for expected in ["a: one", "a: turn u2 begins", "a: two", "a: three"] {
        assert_eq!(ear.next_word().await, expected);
    }
}

#[tokio::test]
async fn the_end_comes_after_everything_else_and_is_known_before_it_is_told() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 1);
    for turn in 0..700 {
        stage.say(turn_started("a", &turn.to_string())).await;
    }
    stage.die();
    for turn in 0..700 {
        assert_eq!(ear.next_word().await, format!("a: turn {turn} begins"));
    }
    assert_eq!(ear.next_word().await, "gone");
    assert!(stage.end_known.load(Ordering::SeqCst));
    let mut late = stage.listen("b", 8);
    assert_eq!(late.next_word().await, "gone", "whoever comes late hears it too");
}

#[tokio::test]
async fn who_has_no_time_can_still_listen_and_leave() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 1);
    for turn in 0..10 {
        stage.say(turn_started("a", &turn.to_string())).await;
    }
    assert_eq!(ear.next_word().await, "a: turn 0 begins");
    // The router waits for this very mailbox now, and its session does something else first.
    stage.board.listen(SEAT, "more", ear.mailbox.clone());
    for turn in 1..10 {
        assert_eq!(ear.next_word().await, format!("a: turn {turn} begins"));
    }
    stage.say(turn_started("more", "1")).await;
    assert_eq!(ear.next_word().await, "more: turn 1 begins");
}

#[tokio::test]
async fn a_session_that_takes_its_time_holds_up_nobody() {
    let mut stage = Stage::new();
    let (mut slow, mut quick) = (stage.listen("slow", 1), stage.listen("quick", 1));
    for line in 0..1_000 {
        stage.say(delta("slow", &format!("{line} "))).await;
        stage.say(turn_started("quick", &line.to_string())).await;
        assert_eq!(quick.next_word().await, format!("quick: turn {line} begins"));
    }
    let first = slow.next_word().await;
    assert_eq!(first, "slow: 0 ");
    let rest: String = (1..1_000).map(|line| format!("{line} ")).collect();
    assert_eq!(slow.next_word().await, format!("slow: {rest}"), "joined while it waited");
}

#[tokio::test(start_paused = true)]
async fn so_much_does_not_wait_in_memory() {
    const LINES: usize = 4_000;
    let mut stage = Stage::new();
    let (mut stuck, mut other) = (stage.listen("stuck", 1), stage.listen("other", 8));
    for line in 0..LINES {
        stage.say(turn_started("stuck", &line.to_string())).await;
    }
    stage.say(turn_started("other", "1")).await;
    let waited = tokio::time::timeout(Duration::from_secs(1), other.news.recv()).await;
    assert!(waited.is_err(), "nothing is read any more: {waited:?}");
    for line in 0..LINES {
        assert_eq!(stuck.next_word().await, format!("stuck: turn {line} begins"));
    }
    assert_eq!(other.next_word().await, "other: turn 1 begins");
}

#[tokio::test]
async fn a_session_that_is_gone_holds_up_nobody() {
    let mut stage = Stage::new();
    let (gone, mut other) = (stage.listen("a", 1), stage.listen("b", 8));
    stage.say(turn_started("a", "1")).await;
    stage.say(turn_started("a", "2")).await;
    drop(gone);
    stage.say(turn_started("b", "1")).await;
    assert_eq!(other.next_word().await, "b: turn 1 begins");
    stage.say(approval("a", 4)).await;
    let refused = stage.hears().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&4.into(), &(-32601).into()));
}

#[tokio::test]
async fn a_muted_thread_is_heard_again_when_somebody_comes_back() {
    let mut stage = Stage::new();
    let mut ear = stage.listen("a", 8);
    stage.say(turn_started("a", "1")).await;
    assert_eq!(ear.next_word().await, "a: turn 1 begins");
    stage.board.mute(SEAT, "a");
    stage.say(approval("a", 0)).await;
    assert_eq!(stage.hears().await["error"]["code"], -32601, "nobody is there to ask");
    assert_eq!(stage.counters.muted.get(), 1);
    let mut again = stage.listen("a", 8);
    stage.say(turn_started("a", "2")).await;
    assert_eq!(again.next_word().await, "a: turn 2 begins");
}
