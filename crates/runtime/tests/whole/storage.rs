//! A full disk: nothing new is taken on, nothing that was taken is lost, and it goes on when there is room.

use std::time::Duration;

use selvedge_runtime::{
    Clock, Filter, Message, MessageState, UsageGroup,
    session::{Options, Retry, Timestamp},
};

use crate::{
    places::repository,
    setup::{Setup, on_the_stand_in},
    stage::say,
    watch::{Watch, history},
};

on_the_stand_in!(
    without_room_new_messages_are_refused_and_old_ones_go_on_when_there_is_some,
    a_full_disk_keeps_nobody_from_leaving,
    a_session_that_cannot_be_written_down_leaves_nothing,
    sessions_of_which_nothing_was_heard_for_long_are_removed_at_the_start,
    and_every_day_while_the_runtime_lives,
    what_removed_sessions_have_used_stays_used,
);

async fn without_room_new_messages_are_refused_and_old_ones_go_on_when_there_is_some(setup: Setup) {
    let small = |config: &mut selvedge_runtime::Config| {
        config.max_journal_bytes = Some(2 * 1024 * 1024);
        config.idle_seconds = 0;
    };
    let stage = setup.config(small).open().await;
    let long = "x".repeat(30_000);
    let old = stage.session().await;
    for _ in 0..10 {
        say(&old, &long).await;
    }
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[slow]")).await.unwrap();
    watch.named("turn.started").await;
    let mut accepted = Vec::new();
    let refused = loop {
        match session.send(Message::text(long.as_str())).await {
            Ok(sent) => accepted.push(sent.message_id),
            Err(refused) => break refused,
        }
    };
    assert_eq!(refused.code.as_str(), "storage_full", "{refused:?}");
    assert!(refused.hint.is_some());
    let queued = session.open_messages().await.unwrap().len();
    assert_eq!(queued, accepted.len() + 1, "a refused message is not there");
    let removed = stage.runtime.prune(Duration::ZERO).await.unwrap();
    assert_eq!(removed, [old.id()]);
    // Running them would fill it again.
    for id in accepted {
        // A removed session's room is given back bit by bit.
        while session.take_back(id).await.is_err_and(|error| error.code.as_str() == "storage_full") {}
        watch.finished(id).await;
    }
    session.interrupt(false).await.unwrap();
    let end = watch.finished(running.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    let seqs: Vec<_> = history(&session).await.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    stage.close().await;
}

async fn a_session_that_cannot_be_written_down_leaves_nothing(setup: Setup) {
    let stage = setup.config(|config| config.max_journal_bytes = Some(512 * 1024)).open().await;
    repository(&stage.work(""));
    let mut new = stage.new_session();
    new.settings.worktree = Some("a-branch".to_owned());
    new.settings.developer_instructions = Some("x".repeat(700_000));
    new.env.insert("API_KEY".to_owned(), "a secret".to_owned());
    let refused = stage.runtime.create(new).await.err().unwrap();
    assert_eq!(refused.code.as_str(), "storage_full", "{refused:?}");
    let left = |place: &str| {
        let place = stage.directory.path().join("data").join(place);
        std::fs::read_dir(place).map_or(0, Iterator::count)
    };
    assert_eq!((left("worktrees"), left("secrets")), (0, 0));
    let again = stage.session_with(|settings| settings.worktree = Some("a-branch".to_owned())).await;
    again.remove().await.unwrap();
    stage.close().await;
}

async fn a_full_disk_keeps_nobody_from_leaving(setup: Setup) {
    let stage = setup.config(|config| config.max_journal_bytes = Some(512 * 1024)).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let once = Options { retry: Retry::Never, ..Options::default() };
    let slow = Message { options: once, ..Message::text("[slow]") };
    let running = session.send(slow).await.unwrap();
    watch.named("turn.started").await;
    let long = "x".repeat(30_000);
    while session.send(Message::text(long.as_str())).await.is_ok() {}
    let id = session.id();
    // With room again, the next start finds out what became of the turn.
    let mut stage = stage;
    stage.config.max_journal_bytes = None;
    let stage = stage.again().await;
    let view = stage.runtime.session(id).await.unwrap().finished(running.message_id).await.unwrap();
    assert_eq!(view.state, MessageState::Lost);
    stage.close().await;
}

async fn sessions_of_which_nothing_was_heard_for_long_are_removed_at_the_start(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_800_000_000_000));
    let stage = setup.clock(&clock).config(|config| config.retain_days = Some(90)).open().await;
    let day = Duration::from_secs(24 * 60 * 60);
    say(&stage.session().await, "[think]").await;
    clock.turn(60 * day);
    let younger = stage.session().await;
    say(&younger, "[think]").await;
    clock.turn(60 * day);
    // Giving them up as the program ends is no sign of life.
    let stage = stage.again().await;
    let left = stage.runtime.sessions(&Filter::default()).await.unwrap().items;
    assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [younger.id()]);
    stage.close().await;
}

async fn what_removed_sessions_have_used_stays_used(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_800_000_000_000));
    let day = Duration::from_secs(24 * 60 * 60);
    let mut stage = setup.clock(&clock).config(|config| config.retain_days = Some(90)).open().await;
    for _ in 0..2 {
        let old = stage.session().await;
        say(&old, "[think]").await;
        clock.turn(day);
        say(&old, "[stream]").await;
    }
    let by_hand = stage.session().await;
    say(&by_hand, "[think]").await;
    let used = stage.runtime.usage(UsageGroup::Day).await.unwrap();
    assert_eq!((used.items.len(), used.total.turns), (3, 5));
    by_hand.remove().await.unwrap();
    // What tells of removed sessions is not removed itself, and each is counted once however often it is looked for.
    for months in [1, 4, 8, 12] {
        clock.turn(months * 30 * day);
        stage = stage.again().await;
        assert_eq!(stage.runtime.usage(UsageGroup::Day).await.unwrap(), used);
        let by_session = stage.runtime.usage(UsageGroup::Session).await.unwrap();
        assert_eq!(by_session.total, used.total);
        assert_eq!(by_session.items.iter().filter(|item| item.key == "removed").count(), 1);
        let left = stage.runtime.sessions(&Filter::default()).await.unwrap().items.len();
        assert_eq!((left, by_session.items.len()), if months == 1 { (2, 3) } else { (0, 1) });
    }
    stage.close().await;
}

async fn and_every_day_while_the_runtime_lives(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_800_000_000_000));
    let day = Duration::from_secs(24 * 60 * 60);
    let keep = |config: &mut selvedge_runtime::Config| config.retain_days = Some(3);
    let stage = setup.clock(&clock).config(keep).open().await;
    let old = stage.session().await;
    say(&old, "[think]").await;
    let mut old = old.events(0).await.unwrap();
    let kept = stage.session().await;
    // Each day something is heard of one of them.
    for _ in 0..5 {
        clock.turn(day);
        say(&kept, "[think]").await;
    }
    // A reader of a session that is removed is told so.
    while old.next(100).await.is_ok() {}
    let left = stage.runtime.sessions(&Filter::default()).await.unwrap().items;
    assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [kept.id()]);
    stage.close().await;
}
