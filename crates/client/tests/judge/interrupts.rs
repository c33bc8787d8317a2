//! Interrupts: before the turn has started, while a message streams, while a command runs, and twice.

use std::{pin::pin, time::Duration};

use selvedge_protocol::{
    calls,
    say::{
        SandboxMode, ThreadBackgroundTerminalsCleanParams, ThreadBackgroundTerminalsListParams,
        ThreadStartParams, TurnInterruptParams,
    },
    see::{Notification, ThreadItem},
};

use crate::{acts::Ended, stage::Stage};

/// What Codex says to an interrupt that comes too early, or to nothing.
const NOT_STARTED: &str = "no active turn to interrupt";

fn interrupted() -> Ended {
    Ended { status: "interrupted".into(), error: None, text: None }
}

#[tokio::test]
async fn an_interrupt_during_a_message_ends_the_turn() {
    let mut stage = Stage::open("interrupt_during_message").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[slow]").await;
    stage.streaming(&turn).await;
    stage.interrupt(&thread, &turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&thread, &turn).await, interrupted());
    let closed = stage.ear.items(&turn).any(|item| matches!(item, ThreadItem::AgentMessage(_)));
    assert!(!closed, "the cut message is never closed");
    let (_, next) = stage.play(&thread, "[stream]").await;
    assert_eq!(next.status, "completed", "the thread goes on");
    stage.close().await;
}

#[tokio::test]
async fn an_interrupt_of_a_turn_that_is_not_there_is_refused_and_changes_nothing() {
    let mut stage = Stage::open("interrupt_before_start").await;
    let thread = stage.thread().await;
    let error = stage.interrupt(&thread, &thread).await.expect_err("a refusal");
    assert_eq!(error.refusal().expect("a refusal").message, NOT_STARTED);
    let (_, ended) = stage.play(&thread, "[stream]").await;
    assert_eq!(ended.status, "completed");
    stage.close().await;
}

/// The answer to `turn/start` comes before the turn has started. An interrupt in between is refused, and the turn runs
/// on. Whether it comes in between is chance, and so is whether the user's message is still heard of: no transcript.
#[tokio::test]
async fn an_interrupt_before_the_turn_has_started_is_made_again() {
    let mut stage = Stage::open("interrupt_too_early").await;
    let mut refused = false;
    for _ in 0..20 {
        let thread = stage.thread().await;
        let turn = stage.turn(&thread, "[slow]").await;
        if let Err(error) = stage.interrupt(&thread, &turn).await {
            assert_eq!(error.refusal().expect("a refusal, not a failure").message, NOT_STARTED);
            stage.streaming(&turn).await;
            stage.interrupt(&thread, &turn).await.expect("an interrupt of a running turn");
            refused = true;
        }
        assert_eq!(stage.ended(&thread, &turn).await, interrupted());
        if refused {
            break;
        }
    }
    assert!(refused, "not one of twenty came too early");
    stage.close_without_transcript().await;
}

#[tokio::test]
async fn a_second_interrupt_is_answered_only_when_the_next_turn_ends() {
    let mut stage = Stage::open("interrupt_twice").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[slow]").await;
    stage.streaming(&turn).await;
    stage.interrupt(&thread, &turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&thread, &turn).await, interrupted());
    let client = stage.client.clone();
    let params = TurnInterruptParams::new(thread.as_str(), turn.as_str());
    let mut again = pin!(client.request_within("turn/interrupt", &params, Duration::from_secs(60)));
    let next = async {
        let next = stage.turn(&thread, "[thread patient]").await;
        stage.streaming(&next).await;
        next
    };
    let next = tokio::select! {
        biased;
        answer = &mut again => panic!("answered before the next turn has ended: {answer:?}"),
        next = next => next,
    };
    assert_eq!(stage.ended(&thread, &next).await.status, "completed");
    again.await.expect("an answer at last");
    stage.close().await;
}

#[tokio::test]
async fn an_interrupted_command_lives_on_until_it_is_cleaned() {
    let mut stage = Stage::open("interrupt_during_command").await;
    let sandbox = Some(SandboxMode::DangerFullAccess);
    let thread = stage.start_thread(ThreadStartParams { sandbox, ..Default::default() }).await;
    let turn = stage.turn(&thread, "[long]").await;
    stage.running(&turn).await;
    stage.interrupt(&thread, &turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&thread, &turn).await, interrupted());
    let params = ThreadBackgroundTerminalsListParams::new(thread.as_str());
    let left = stage.client.call::<calls::ThreadBackgroundTerminalsList>(&params).await.unwrap();
    assert_eq!(left.read().unwrap().data().expect("terminals").len(), 1, "the command was not ended");
    let params = ThreadBackgroundTerminalsCleanParams::new(thread.as_str());
    stage.client.call::<calls::ThreadBackgroundTerminalsClean>(&params).await.unwrap();
    let command = |told: &Notification<'_>| match told {
        Notification::ItemCompleted(completed) if completed.turn_id == turn => match completed.item()? {
            ThreadItem::CommandExecution(command) => Some(command.status()?.as_str().into_owned()),
            _ => None,
        },
        _ => None,
    };
    assert_eq!(stage.ear.until("end of the command", command).await, "failed");
    stage.close().await;
}
