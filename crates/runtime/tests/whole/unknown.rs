//! What nobody expected: lines that say nothing, lines of tens of megabytes, turns that fail. Kept, said, and survived.

use selvedge_runtime::{
    Message, MessageState,
    session::{Phase, What},
};

use crate::{
    setup::{Setup, on_both, on_the_stand_in},
    stage::{Stage, say},
    watch::{Watch, history, value},
};

on_both!(each_failure_has_its_phase_and_code, a_session_goes_on_after_a_failed_turn);

on_the_stand_in!(
    a_line_that_is_not_json_is_kept_and_the_turn_ends,
    an_unknown_notification_is_kept,
    an_unknown_request_is_refused_and_kept,
    a_line_of_megabytes_is_an_event_like_any_other,
    half_a_line_is_kept_when_the_process_ends,
    garbage_between_all_lines_changes_nothing,
);

/// A turn with a line of its own in the middle.
fn with_line(line: &str) -> String {
    let text = toml_string(line);
    format!(
        r#"
[[rule]]
contains = "[odd]"
step = [ {{ do = [ {{ garbage = {{ text = {text} }} }}, {{ say = {{ text = "Nothing happened.", phase = "final_answer" }} }} ] }} ]
"#
    )
}

fn toml_string(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// What was kept of what nobody can claim: so many, oldest first.
async fn kept(stage: &Stage, count: usize) -> Vec<String> {
    let mut events = stage.runtime.unclaimed(0).await.unwrap();
    let mut kept = Vec::new();
    while kept.len() < count {
        for written in events.next(1).await.unwrap() {
            let What::CodexUnknown(it) = written.read().unwrap().what else { panic!("{written:?}") };
            // Before it stands where it was said.
            kept.push(it.raw.split_once(": ").expect("a place").1.to_owned());
        }
    }
    kept
}

async fn a_line_that_is_not_json_is_kept_and_the_turn_ends(setup: Setup) {
    let stage = setup.rules(&with_line("thread 'main' panicked at 'oh'")).open().await;
    let session = stage.session().await;
    let view = say(&session, "[odd]").await;
    assert_eq!((view.state, view.text.as_str()), (MessageState::Completed, "Nothing happened."));
    assert_eq!(kept(&stage, 1).await, ["thread 'main' panicked at 'oh'"]);
    stage.close().await;
}

async fn an_unknown_notification_is_kept(setup: Setup) {
    let line = r#"{"method":"thread/dreamt","params":{"of":"sheep"}}"#;
    let stage = setup.rules(&with_line(line)).open().await;
    let session = stage.session().await;
    assert_eq!(say(&session, "[odd]").await.text, "Nothing happened.");
    assert_eq!(kept(&stage, 1).await, [line]);
    stage.close().await;
}

async fn an_unknown_request_is_refused_and_kept(setup: Setup) {
    let line = r#"{"id":4711,"method":"item/soul/request","params":{}}"#;
    let stage = setup.rules(&with_line(line)).open().await;
    let session = stage.session().await;
    assert_eq!(say(&session, "[odd]").await.text, "Nothing happened.");
    assert_eq!(kept(&stage, 1).await, [line]);
    assert_eq!(stage.runtime.approvals().await.unwrap(), [], "nobody is asked what nobody knows");
    stage.close().await;
}

async fn a_line_of_megabytes_is_an_event_like_any_other(setup: Setup) {
    let rule = r#"
[[rule]]
contains = "[odd]"
step = [ { do = [ { huge_line = { bytes = 20000000 } }, { say = { text = "Still here.", phase = "final_answer" } } ] } ]
"#;
    let stage = setup.rules(rule).open().await;
    let session = stage.session().await;
    let view = say(&session, "[odd]").await;
    assert_eq!((view.state, view.text.as_str()), (MessageState::Completed, "Still here."));
    let longest = history(&session).await.into_iter().filter_map(|event| match event.what {
        What::ItemDelta(it) => Some(it.delta.len()),
        What::ItemCompleted(it) => Some(it.item.text().len()),
        What::CodexUnknown(it) => Some(it.raw.len()),
        What::CodexNotice(it) => Some(it.params.text().len()),
        _ => None,
    });
    assert!(longest.max().unwrap() > 19_000_000, "nothing of it was cut");
    stage.close().await;
}

async fn half_a_line_is_kept_when_the_process_ends(setup: Setup) {
    let rule = r#"
[[rule]]
contains = "[odd]"
step = [ { do = [ { say = { text = "A beginning." } }, { half_line = { and_exit = true } } ] } ]
"#;
    let stage = setup.rules(rule).open().await;
    let session = stage.session().await;
    let view = say(&session, "[odd]").await;
    assert_eq!(view.state, MessageState::Lost, "it was run again once, and ended the same way: {view:?}");
    // What there was of the line is kept, each time.
    assert!(kept(&stage, 2).await.iter().all(|half| half.starts_with('{') && !half.ends_with('}')));
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn garbage_between_all_lines_changes_nothing(setup: Setup) {
    let noisy =
        |config: &mut selvedge_runtime::Config| config.rehearsal.faults = Some("garbage-every=3".into());
    let stage = setup.config(noisy).open().await;
    let session = stage.session().await;
    let view = say(&session, "[stream]").await;
    assert_eq!(view.text, "One two three four five six seven eight nine ten.");
    kept(&stage, 3).await;
    stage.close().await;
}

async fn each_failure_has_its_phase_and_code(setup: Setup) {
    let stage = setup.open().await;
    let failures = [
        ("[fail 500]", Phase::Response, "internal_server_error"),
        ("[fail overloaded]", Phase::Request, "server_overloaded"),
        ("[fail 429]", Phase::Request, "response_too_many_failed_attempts"),
        ("[fail usage]", Phase::Budget, "usage_limit_exceeded"),
        ("[fail 401]", Phase::Request, "http_connection_failed"),
        ("[fail 400]", Phase::Response, "other"),
        ("[fail model]", Phase::Request, "model_not_found"),
        ("[fail context]", Phase::Response, "context_window_exceeded"),
        ("[fail cut]", Phase::Response, "other"),
    ];
    for (words, phase, code) in failures {
        let session = stage.session().await;
        let view = say(&session, words).await;
        let error = view.error.unwrap_or_else(|| panic!("{words} has not failed"));
        assert_eq!(
            (view.state, error.phase, error.code.as_str()),
            (MessageState::Failed, phase, code),
            "{words}"
        );
        let details = value(&error.details.unwrap());
        assert!(details.get("codexErrorInfo").is_some(), "{words}: Codex's own words are kept");
    }
    stage.close().await;
}

async fn a_session_goes_on_after_a_failed_turn(setup: Setup) {
    let stage: Stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let failing = session.send(Message::text("[fail 500]")).await.unwrap();
    let next = session.send(Message::text("[stream]")).await.unwrap();
    let end = watch.finished(failing.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Failed);
    let end = watch.finished(next.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Completed, "the queue goes on");
    stage.close().await;
}
