//! A session has one owner at a time, whoever dies; others reach it through its owner.

use selvedge_runtime::{
    Answer, Filter, Fork, Message, MessageState, NewSession,
    session::{
        Lifecycle, SessionId,
        data::{Decision, DeltaKind},
    },
};
use serde_json::json;

use crate::{
    host::Host,
    setup::{Setup, on_both, on_the_stand_in},
    stage::say,
    watch::{Watch, history},
};

on_both!(
    a_program_that_is_killed_loses_no_turn,
    what_a_killed_program_left_running_is_ended_at_the_next_start
);
on_the_stand_in!(
    what_another_program_owns_is_read_here_and_commanded_there,
    a_session_that_rests_is_reached_where_it_rests,
    the_same_key_gives_the_same_message_also_after_a_restart,
    the_same_key_gives_the_same_session_and_the_same_fork,
    a_removed_session_is_gone_with_everything_of_it,
);

/// A command that outlives everything: also the pipe it writes to.
const DEAF: &str = r#"
[[rule]]
contains = "[deaf]"
step = [
  { do = [ { run = { command = "trap '' TERM INT HUP PIPE; while :; do echo tick; sleep 0.1; done", wait_ms = 30000 } } ] },
  { do = [ { say = { text = "It was left behind.", phase = "final_answer" } } ] },
]
"#;

async fn a_program_that_is_killed_loses_no_turn(setup: Setup) {
    let stage = setup.open().await;
    let mut host = Host::beside(&stage);
    let settings = json!({"cwd": stage.work("")});
    let created = host.ask(json!({"op": "create", "settings": settings, "env": {}})).await;
    let id = SessionId(created["session"].as_str().unwrap().parse().unwrap());
    let session = stage.runtime.session(id).await.unwrap();
    let mut watch = Watch::of(&session).await;
    let sent = host.ask(json!({"op": "send", "session": id, "text": "[thread gold]"})).await;
    let next = host.ask(json!({"op": "send", "session": id, "text": "[think]"})).await;
    watch.piece(DeltaKind::Text).await;
    host.kill().await;
    let left = session.summary().await.unwrap().state;
    assert_eq!(left, Lifecycle::Recovering, "nobody works on it now");
    // Whoever comes next on this directory takes it up where it was left.
    let stage = stage.after_a_crash().await;
    let session = stage.runtime.session(id).await.unwrap();
    for (message, text) in [(&sent, "gold gold"), (&next, "This way.")] {
        let message =
            selvedge_runtime::session::MessageId(message["message"].as_str().unwrap().parse().unwrap());
        let view = session.finished(message).await.unwrap();
        assert_eq!(view.state, MessageState::Completed);
        assert!(view.text.starts_with(text), "{}", view.text);
    }
    let seqs: Vec<_> = history(&session).await.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    stage.close().await;
}

async fn what_a_killed_program_left_running_is_ended_at_the_next_start(setup: Setup) {
    let stage = setup.rules(DEAF).open().await;
    let mut host = Host::beside(&stage);
    let settings =
        json!({"cwd": stage.work(""), "approval_policy": "never", "sandbox": "danger-full-access"});
    let created = host.ask(json!({"op": "create", "settings": settings, "env": {}})).await;
    let id = SessionId(created["session"].as_str().unwrap().parse().unwrap());
    let mut watch = Watch::of(&stage.runtime.session(id).await.unwrap()).await;
    let sent = host.ask(json!({"op": "send", "session": id, "text": "[deaf]"})).await;
    watch.piece(DeltaKind::Output).await;
    // Frozen, it can neither hear of the death nor clean up after it.
    host.freeze();
    stage.kill_app_servers();
    host.kill().await;
    let ticking = |process: &String| process.contains("echo tick");
    assert!(stage.processes().iter().any(ticking), "after SIGKILL a command lives on");
    let stage = stage.after_a_crash().await;
    assert!(!stage.processes().iter().any(ticking), "{:?}", stage.processes());
    let message = selvedge_runtime::session::MessageId(sent["message"].as_str().unwrap().parse().unwrap());
    let session = stage.runtime.session(id).await.unwrap();
    assert_eq!(session.finished(message).await.unwrap().state, MessageState::Lost);
    stage.close().await;
}

async fn what_another_program_owns_is_read_here_and_commanded_there(setup: Setup) {
    let stage = setup.open().await;
    let mut host = Host::beside(&stage);
    let settings = json!({"cwd": stage.work(""), "approval_policy": "on-request"});
    let created = host.ask(json!({"op": "create", "settings": settings, "env": {}})).await;
    let id = SessionId(created["session"].as_str().unwrap().parse().unwrap());
    host.ask(json!({"op": "send", "session": id, "text": "[approve]"})).await;
    let session = stage.runtime.session(id).await.unwrap();
    let mut watch = Watch::of(&session).await;
    let asked = watch.approval().await;
    let queued = session.send(Message::text("[think]")).await.unwrap();
    assert_eq!(queued.state, MessageState::Queued);
    let pending = stage.runtime.approvals().await.unwrap();
    assert_eq!(pending.iter().map(|it| it.approval_id).collect::<Vec<_>>(), [asked.approval_id]);
    stage.runtime.answer(asked.approval_id, Answer::new(Decision::Accept, "me")).await.unwrap();
    let late =
        session.answer(asked.approval_id, Answer::new(Decision::Decline, "too late")).await.unwrap_err();
    assert_eq!(late.code.as_str(), "already_answered", "{late:?}");
    watch.finished(queued.message_id).await;
    assert!(stage.work("approved.txt").exists());
    host.close().await;
    assert_eq!(
        say(&session, "[think]").await.state,
        MessageState::Completed,
        "its owner is gone: it is ours"
    );
    stage.close().await;
}

async fn a_session_that_rests_is_reached_where_it_rests(setup: Setup) {
    let stage = setup.config(|config| config.idle_seconds = 0).open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut host = Host::beside(&stage);
    // Its thread is loaded here, and nobody else could load it: the owner's door is open.
    let sent = host.ask(json!({"op": "send", "session": session.id(), "text": "[think]"})).await;
    let message = selvedge_runtime::session::MessageId(sent["message"].as_str().unwrap().parse().unwrap());
    assert_eq!(session.finished(message).await.unwrap().state, MessageState::Completed);
    host.close().await;
    stage.close().await;
}

async fn the_same_key_gives_the_same_message_also_after_a_restart(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let send = |text: &str| Message::text(text).idempotency_key("a key");
    let (first, second) = tokio::join!(session.send(send("[think]")), session.send(send("[think]")));
    let first = first.unwrap().message_id;
    assert_eq!(first, second.unwrap().message_id);
    session.finished(first).await.unwrap();
    let id = session.id();
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    let again = session.send(send("[think]")).await.unwrap();
    assert_eq!((again.message_id, again.state), (first, MessageState::Completed));
    let other = session.send(send("something else")).await.unwrap_err();
    assert_eq!(other.code.as_str(), "key_reused");
    let accepted =
        history(&session).await.iter().filter(|event| event.what.name() == "message.accepted").count();
    assert_eq!(accepted, 1);
    stage.close().await;
}

async fn the_same_key_gives_the_same_session_and_the_same_fork(setup: Setup) {
    let stage = setup.open().await;
    let new = || NewSession { idempotency_key: Some("a key".to_owned()), ..stage.new_session() };
    let (first, second) = tokio::join!(stage.runtime.create(new()), stage.runtime.create(new()));
    let first = first.unwrap();
    assert_eq!(first.id(), second.unwrap().id());
    let mut other = new();
    other.settings.name = Some("something else".to_owned());
    assert_eq!(stage.runtime.create(other).await.err().unwrap().code.as_str(), "key_reused");
    say(&first, "[think]").await;
    let fork = || Fork { idempotency_key: Some("a fork".to_owned()), ..Fork::default() };
    let forked = first.fork(fork()).await.unwrap();
    assert_eq!(forked.id(), first.fork(fork()).await.unwrap().id());
    assert_eq!(stage.runtime.sessions(&Filter::default()).await.unwrap().items.len(), 2);
    stage.close().await;
}

async fn a_removed_session_is_gone_with_everything_of_it(setup: Setup) {
    let stage = setup.open().await;
    let mut new = stage.new_session();
    new.env.insert("API_KEY".to_owned(), "very secret".to_owned());
    let session = stage.runtime.create(new).await.unwrap();
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    let mut watch = Watch::of(&session).await;
    watch.piece(DeltaKind::Text).await;
    session.remove().await.unwrap();
    assert_eq!(session.message(sent.message_id).await.unwrap_err().code.as_str(), "not_found");
    assert!(stage.runtime.session(session.id()).await.is_err());
    assert!(stage.runtime.sessions(&Filter::default()).await.unwrap().items.is_empty());
    let secrets = std::fs::read_dir(stage.directory.path().join("data/secrets")).unwrap().count();
    assert_eq!(secrets, 0);
    stage.close().await;
}
