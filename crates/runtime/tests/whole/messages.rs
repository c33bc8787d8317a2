//! Messages reach their end, and everything on the way is numbered and kept.

use selvedge_runtime::MessageState;

use crate::{
    setup::{Setup, on_both},
    stage::say,
    watch::history,
};

on_both!(
    a_message_is_answered,
    messages_that_follow_at_once_are_not_mixed_up,
    the_events_of_a_session_are_dense_and_the_same_after_a_rest,
);

async fn a_message_is_answered(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let view = say(&session, "[stream]").await;
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    assert_eq!(view.text, "One two three four five six seven eight nine ten.");
    assert_eq!(view.usage.total, 120);
    let again = say(&session, "[think]").await;
    assert_eq!((again.state, again.text.as_str()), (MessageState::Completed, "This way."));
    let summary = session.summary().await.unwrap();
    assert_eq!(summary.usage.total, 270);
    stage.close().await;
}

async fn the_events_of_a_session_are_dense_and_the_same_after_a_rest(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let id = session.id();
    say(&session, "[think]").await;
    let before = history(&session).await;
    let numbers: Vec<_> = before.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=before.len() as u64).collect::<Vec<_>>());
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    let view = say(&session, "[stream]").await;
    assert_eq!(view.state, MessageState::Completed);
    let after = history(&session).await;
    assert_eq!(after[..before.len()], before, "what was shown does not change");
    stage.close().await;
}

/// A turn may be over before its `turn/start` is answered, and the next one begun.
async fn messages_that_follow_at_once_are_not_mixed_up(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    for _ in 0..30 {
        let view = say(&session, "[think]").await;
        assert_eq!((view.state, view.text.as_str()), (MessageState::Completed, "This way."));
    }
    stage.close().await;
}
