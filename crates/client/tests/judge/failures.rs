//! Failed turns: what the model refuses, what becomes of it, and an unreachable provider.

use selvedge_protocol::see::{CodexErrorInfo, Notification};
use selvedge_rehearsal::model::CodexSettings;
use serde_json::Value;

use crate::{
    acts::Turn,
    differences::differences,
    stage::{Stage, settings},
};

/// What `error` notifications said of a turn: whether it is tried again, and the error.
fn errors(stage: &Stage, turn: &Turn) -> Vec<(bool, Value)> {
    let errors = stage.ear.told_of(turn).filter_map(|told| match told {
        Notification::Error(error) => {
            let what = serde_json::from_str(error.error()?.as_raw().get()).unwrap();
            Some((error.will_retry()?, what))
        }
        _ => None,
    });
    errors.collect()
}

/// Why a turn failed, as its end says: the word, and the HTTP status where there was one.
fn cause(stage: &Stage, turn: &Turn) -> (String, Option<u64>) {
    let end = stage.ear.told_of(turn).find_map(|told| match told {
        Notification::TurnCompleted(completed) => completed.turn()?.error()?.codex_error_info(),
        _ => None,
    });
    let info = end.expect("a failed turn with its cause");
    let status = match &info {
        CodexErrorInfo::HttpConnectionFailed(failed) => failed.http_status_code(),
        CodexErrorInfo::ResponseTooManyFailedAttempts(failed) => failed.http_status_code(),
        CodexErrorInfo::Unknown(raw) => panic!("a cause that the schema does not know: {raw}"),
        _ => None,
    };
    (info.tag().expect("a word").into_owned(), status)
}

#[tokio::test]
async fn each_failure_ends_its_turn_with_its_own_error() {
    let mut stage = Stage::open("failed_turns").await;
    let failures = [
        ("[fail 500]", "internalServerError", None),
        ("[fail overloaded]", "serverOverloaded", None),
        ("[fail 429]", "responseTooManyFailedAttempts", Some(429)),
        ("[fail usage]", "usageLimitExceeded", None),
        ("[fail 401]", "httpConnectionFailed", Some(401)),
        ("[fail 400]", "other", None),
        ("[fail model]", "modelNotFound", None),
        ("[fail context]", "contextWindowExceeded", None),
        ("[fail cut]", "other", None),
    ];
    for (words, word, status) in failures {
        let named = !differences().unnamed_causes.contains(&word);
        let (word, status) = if named { (word, status) } else { ("other", None) };
        let thread = stage.thread().await;
        let (turn, ended) = stage.play(&thread, words).await;
        assert_eq!(ended.status, "failed", "{words}");
        let error = ended.error.unwrap_or_else(|| panic!("{words}: no error"));
        assert_eq!(cause(&stage, &turn), (word.to_owned(), status), "{words}: {error}");
        assert_eq!(
            errors(&stage, &turn),
            [(false, error)],
            "{words}: told once, the same, and not tried again"
        );
    }
    if !differences().unnamed_causes.is_empty() {
        stage.lacks("some causes are called `other`");
    }
    stage.close().await;
}

#[tokio::test]
async fn a_thread_goes_on_after_a_failed_turn() {
    let mut stage = Stage::open("after_a_failure").await;
    let thread = stage.thread().await;
    assert_eq!(stage.play(&thread, "[fail 500]").await.1.status, "failed");
    assert_eq!(stage.play(&thread, "[stream]").await.1.status, "completed");
    stage.close().await;
}

#[tokio::test]
async fn a_stream_that_is_cut_is_tried_again_as_often_as_configured() {
    let settings = CodexSettings { retries: 1, ..settings() };
    let mut stage = Stage::with("failed_after_retry", settings).await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[fail cut]").await;
    assert_eq!(ended.status, "failed");
    let told = errors(&stage, &turn);
    assert_eq!(told.iter().map(|(again, _)| *again).collect::<Vec<_>>(), [true, false]);
    assert_eq!(told[0].1["message"], "Reconnecting... 1/1");
    assert_eq!(stage.model.requests().len(), 2);
    stage.close().await;
}

/// Nothing listens at port 1.
fn unreachable() -> CodexSettings {
    settings().with("model_providers.rehearsal.base_url", "\"http://127.0.0.1:1/v1\"")
}

#[tokio::test]
async fn an_unreachable_provider_fails_the_turn_where_that_is_configured() {
    let mut stage = Stage::with("unreachable_failed", unreachable()).await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[stream]").await;
    assert_eq!(ended.status, "failed");
    let named = !differences().unnamed_causes.contains(&"httpConnectionFailed");
    let word = if named { "httpConnectionFailed" } else { "other" };
    assert_eq!(cause(&stage, &turn), (word.to_owned(), None), "there was no answer");
    stage.close().await;
}

#[tokio::test]
async fn an_unreachable_provider_is_tried_for_ever_by_default_and_the_turn_can_be_interrupted() {
    let settings = unreachable().with("features.unbounded_connection_retries", "true");
    let mut stage = Stage::with("unreachable_default", settings).await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[stream]").await;
    let first = |told: &Notification<'_>| matches!(told, Notification::Error(_)).then_some(());
    stage.ear.until("error", first).await;
    let told = errors(&stage, &turn);
    if differences().unbounded_retries {
        assert!(told[0].0, "it will be tried again: {told:?}");
        stage.interrupt(&turn).await.expect("an interrupt");
        assert_eq!(stage.ended(&turn).await.status, "interrupted");
    } else {
        stage.lacks("the turn fails at once");
        assert!(!told[0].0, "it will not be tried again: {told:?}");
        assert_eq!(stage.ended(&turn).await.status, "failed");
    }
    stage.close().await;
}
