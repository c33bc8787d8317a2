//! Messages that come while a turn runs: they wait, join, interrupt or are refused.

use selvedge_runtime::{
    Message, MessageState, SessionHandle,
    session::{BusyPolicy, Code, What, data::DeltaKind},
};

use crate::{
    setup::{Setup, on_both},
    stage::Stage,
    watch::Watch,
};

on_both!(
    a_queue_keeps_its_order,
    a_queued_message_is_edited_and_moved,
    a_steer_joins_the_running_turn_and_ends_with_it,
    a_steer_with_a_deadline_of_its_own_waits,
    a_steer_when_nothing_runs_is_a_message,
    a_message_that_is_not_to_wait_is_refused,
    an_interrupting_message_knows_what_it_cut,
);

/// A session in the middle of a slow answer.
async fn talking(stage: &Stage) -> (SessionHandle, Watch, selvedge_runtime::Receipt) {
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    (session, watch, sent)
}

/// The texts of messages in the order in which they ended.
fn ends(watch: &Watch) -> Vec<&str> {
    let ends = watch.seen.iter().filter_map(|event| match &event.what {
        What::MessageFinished(it) => Some(it.text.trim()),
        _ => None,
    });
    ends.collect()
}

async fn a_queue_keeps_its_order(setup: Setup) {
    let stage = setup.open().await;
    let (session, mut watch, _) = talking(&stage).await;
    let first = session.send(Message::text("[think]")).await.unwrap();
    let second = session.send(Message::text("[stream]")).await.unwrap();
    assert_eq!([first.state, second.state], [MessageState::Queued; 2]);
    let open = session.open_messages().await.unwrap();
    assert_eq!(
        open[1..].iter().map(|it| it.message_id).collect::<Vec<_>>(),
        [first.message_id, second.message_id]
    );
    assert_eq!(session.summary().await.unwrap().queued, 2);
    session.interrupt(false).await.unwrap();
    watch.finished(second.message_id).await;
    assert_eq!(ends(&watch)[1..], ["This way.", "One two three four five six seven eight nine ten."]);
    let positions: Vec<_> = watch
        .seen
        .iter()
        .filter_map(|event| match &event.what {
            What::MessageAccepted(it) => Some(it.position),
            _ => None,
        })
        .collect();
    assert_eq!(positions, [0, 1, 2]);
    stage.close().await;
}

async fn a_queued_message_is_edited_and_moved(setup: Setup) {
    let stage = setup.open().await;
    let (session, mut watch, sent) = talking(&stage).await;
    let first = session.send(Message::text("[think]")).await.unwrap();
    let second = session.send(Message::text("[fail 500]")).await.unwrap();
    session.edit(second.message_id, Some("[stream]".into()), Some(0)).await.unwrap();
    let running = session.edit(sent.message_id, Some("[think]".into()), None).await.unwrap_err();
    assert_eq!(running.code, Code::NotQueued);
    session.interrupt(false).await.unwrap();
    watch.finished(first.message_id).await;
    assert_eq!(ends(&watch)[1..], ["One two three four five six seven eight nine ten.", "This way."]);
    stage.close().await;
}

async fn a_steer_joins_the_running_turn_and_ends_with_it(setup: Setup) {
    let stage = setup.open().await;
    let (session, mut watch, sent) = talking(&stage).await;
    let steer = Message::text("[steered] and now this").when_busy(BusyPolicy::Steer);
    let steer = session.send(steer).await.unwrap();
    let joined = watch.finished(steer.message_id).await;
    let opened = watch.finished(sent.message_id).await;
    assert_eq!(
        (joined.status, &joined.text, joined.steered_into),
        (opened.status, &opened.text, Some(sent.message_id))
    );
    assert_eq!(opened.text, "Steered.");
    assert!(joined.usage.total == 0 && opened.usage.total > 0, "usage stands on the opening message");
    let started = watch.seen.iter().find_map(|event| match &event.what {
        What::MessageStarted(it) if it.message_id == steer.message_id => Some(it.steered_into),
        _ => None,
    });
    assert_eq!(started, Some(Some(sent.message_id)));
    let turns = watch.names().iter().filter(|name| **name == "turn.started").count();
    assert_eq!(turns, 1);
    let view = session.message(steer.message_id).await.unwrap();
    assert_eq!(view.turn_id, session.message(sent.message_id).await.unwrap().turn_id);
    stage.close().await;
}

async fn a_steer_with_a_deadline_of_its_own_waits(setup: Setup) {
    let stage = setup.open().await;
    let (session, mut watch, sent) = talking(&stage).await;
    let steer = Message::text("[steered]").when_busy(BusyPolicy::Steer).deadline_seconds(60);
    let steer = session.send(steer).await.unwrap();
    assert_eq!(steer.state, MessageState::Queued);
    session.interrupt(false).await.unwrap();
    let first = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(first.status), MessageState::Interrupted);
    let own = watch.finished(steer.message_id).await;
    assert_eq!((own.text.as_str(), own.steered_into), ("Steered.", None));
    stage.close().await;
}

async fn a_steer_when_nothing_runs_is_a_message(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.busy_policy = BusyPolicy::Steer).await;
    let sent = session.send(Message::text("[steered]")).await.unwrap();
    let mut watch = Watch::of(&session).await;
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.text.as_str(), end.steered_into), ("Steered.", None));
    stage.close().await;
}

async fn a_message_that_is_not_to_wait_is_refused(setup: Setup) {
    let stage = setup.open().await;
    let (session, _watch, _) = talking(&stage).await;
    let refused = session.send(Message::text("[think]").when_busy(BusyPolicy::Reject)).await.unwrap_err();
    assert_eq!(refused.code, Code::Busy);
    assert_eq!(session.open_messages().await.unwrap().len(), 1, "nothing has changed");
    session.stop().await.unwrap();
    stage.close().await;
}

/// Before the judge's rules, because what was cut is said again.
const COMBINED: &str = r#"
[[rule]]
contains = "[combined]"
step = [ { do = [ { say = { text = "Both are known.", phase = "final_answer" } } ] } ]
"#;

async fn an_interrupting_message_knows_what_it_cut(setup: Setup) {
    let stage = setup.rules(COMBINED).open().await;
    let (session, mut watch, sent) = talking(&stage).await;
    let queued = session.send(Message::text("[think]")).await.unwrap();
    let urgent = Message::text("[combined] stop that").when_busy(BusyPolicy::Interrupt);
    let urgent = session.send(urgent).await.unwrap();
    let cut = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(cut.status), MessageState::Interrupted);
    let end = watch.finished(urgent.message_id).await;
    assert_eq!(end.text, "Both are known.");
    if stage.is_real() {
        let said = last_words(&stage);
        assert!(said.contains("Previous message:\n[slow]"), "{said}");
        assert!(said.contains("Your answer so far:\ntick"), "{said}");
        assert!(said.contains("New message:\n[combined] stop that"), "{said}");
    }
    assert_eq!(watch.finished(queued.message_id).await.text, "This way.", "what waited goes on after it");
    stage.close().await;
}

/// The last thing a person said to the model.
fn last_words(stage: &Stage) -> String {
    let request = stage.asked().pop().unwrap();
    let items = request["input"].as_array().unwrap().iter().rev();
    let mut said = items.filter(|item| item["role"] == "user").map(|item| item["content"][0]["text"].clone());
    said.next().unwrap().as_str().unwrap().to_owned()
}
