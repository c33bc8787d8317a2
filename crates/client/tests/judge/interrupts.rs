//! Interrupts: before the turn has started, while a message streams, while a command runs, and twice.

use std::pin::pin;

use selvedge_client::process::sweep;
use selvedge_protocol::{
    calls,
    say::{
        SandboxMode, ThreadBackgroundTerminalsCleanParams, ThreadBackgroundTerminalsListParams,
        ThreadStartParams, TurnInterruptParams,
    },
    see::{Notification, ThreadItem},
};

use tokio::time::timeout;

use crate::{
    acts::{Ended, Turn},
    differences::{Terminals, differences},
    ear::PATIENCE,
    stage::Stage,
};

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
    stage.interrupt(&turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&turn).await, interrupted());
    let closed = stage.ear.items(&turn).any(|item| matches!(item, ThreadItem::AgentMessage(_)));
    assert!(!closed, "the cut message is never closed");
    let (_, next) = stage.play(&thread, "[stream]").await;
    assert_eq!(next.status, "completed", "the thread goes on");
    stage.close().await;
}

/// Makes an interrupt while nothing runs, and plays a turn; whether it is answered when that one ends, or not even when
/// another one has.
async fn answered_when_the_next_turn_ends(stage: &mut Stage, turn: &Turn) -> bool {
    let client = stage.client.clone();
    let params = TurnInterruptParams::new(turn.thread.as_str(), turn.id.as_str());
    let mut interrupt = pin!(client.request_within("turn/interrupt", &params, PATIENCE));
    let next = async {
        let next = stage.turn(&turn.thread, "[thread patient]").await;
        stage.streaming(&next).await;
        next
    };
    let next = tokio::select! {
        biased;
        answer = &mut interrupt => panic!("answered before the next turn has ended: {answer:?}"),
        next = next => next,
    };
    assert_eq!(stage.ended(&next).await.status, "completed");
    if differences().interrupt_is_of_its_turn {
        return interrupt.await.is_ok();
    }
    tokio::select! {
        biased;
        answer = &mut interrupt => answer.is_ok(),
        (_, ended) = stage.play(&turn.thread, "[stream]") => {
            assert_eq!(ended.status, "completed");
            false
        }
    }
}

#[tokio::test]
async fn an_interrupt_of_a_turn_that_is_not_there_is_refused_and_changes_nothing() {
    let mut stage = Stage::open("interrupt_before_start").await;
    let thread = stage.thread().await;
    let nothing = Turn { thread: thread.clone(), id: thread.clone() };
    if differences().interrupt_is_of_its_turn {
        let error = stage.interrupt(&nothing).await.expect_err("a refusal");
        assert_eq!(error.refusal().expect("a refusal").message, NOT_STARTED);
        let (_, ended) = stage.play(&thread, "[stream]").await;
        assert_eq!(ended.status, "completed");
    } else {
        stage.lacks("it is never answered");
        assert!(!answered_when_the_next_turn_ends(&mut stage, &nothing).await);
    }
    stage.close().await;
}

#[tokio::test]
async fn an_interrupt_that_names_another_turn_is_refused() {
    let mut stage = Stage::open("interrupt_another").await;
    let thread = stage.thread().await;
    let (first, _) = stage.play(&thread, "[stream]").await;
    let turn = stage.turn(&thread, "[slow]").await;
    stage.streaming(&turn).await;
    let answer = stage.interrupt(&first).await;
    if differences().interrupt_is_of_its_turn {
        let error = answer.expect_err("a refusal");
        let message = &error.refusal().expect("a refusal").message;
        assert!(message.starts_with("expected active turn id"), "{message}");
        stage.interrupt(&turn).await.expect("an interrupt");
    } else {
        stage.lacks("it ends whichever turn runs");
        answer.expect("an interrupt");
    }
    assert_eq!(stage.ended(&turn).await, interrupted());
    stage.close().await;
}

/// The answer to `turn/start` comes before the turn has started. An interrupt in between is refused, and the turn runs
/// on. Whether it comes in between is chance, and so is whether the user's message is still heard of: no transcript.
#[tokio::test]
async fn an_interrupt_before_the_turn_has_started_is_made_again() {
    let mut stage = Stage::open("interrupt_too_early").await;
    let of_its_turn = differences().interrupt_is_of_its_turn;
    let mut refused = false;
    for _ in 0..if of_its_turn { 20 } else { 3 } {
        let thread = stage.thread().await;
        let turn = stage.turn(&thread, "[slow]").await;
        if let Err(error) = stage.interrupt(&turn).await {
            assert_eq!(error.refusal().expect("a refusal, not a failure").message, NOT_STARTED);
            stage.streaming(&turn).await;
            stage.interrupt(&turn).await.expect("an interrupt of a running turn");
            refused = true;
        }
        assert_eq!(stage.ended(&turn).await, interrupted());
        if refused {
            break;
        }
    }
    // Where interrupts are of whatever runs, they wait in one queue with what starts.
    assert_eq!(refused, of_its_turn, "whether one came too early");
    stage.close_without_transcript().await;
}

#[tokio::test]
async fn a_second_interrupt_is_answered_only_when_the_next_turn_ends() {
    let mut stage = Stage::open("interrupt_twice").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[slow]").await;
    stage.streaming(&turn).await;
    stage.interrupt(&turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&turn).await, interrupted());
    let answered = answered_when_the_next_turn_ends(&mut stage, &turn).await;
    assert_eq!(answered, differences().interrupt_is_of_its_turn);
    if !answered {
        stage.lacks("it is never answered");
    }
    stage.close().await;
}

/// Until nothing that Codex started is left.
async fn codex_alone(stage: &Stage) {
    while sweep::marked(stage.process.marker()).await.len() > 1 {}
}

#[tokio::test]
async fn an_interrupted_command_lives_on_until_it_is_cleaned() {
    let mut stage = Stage::open("interrupt_during_command").await;
    let sandbox = Some(SandboxMode::DangerFullAccess);
    let thread = stage.start_thread(ThreadStartParams { sandbox, ..Default::default() }).await;
    let turn = stage.turn(&thread, "[long]").await;
    stage.running(&turn).await;
    stage.interrupt(&turn).await.expect("an interrupt");
    assert_eq!(stage.ended(&turn).await, interrupted());
    let terminals = ThreadBackgroundTerminalsListParams::new(thread.as_str());
    let clean = ThreadBackgroundTerminalsCleanParams::new(thread.as_str());
    if differences().terminals == Terminals::EndWithTheTurn {
        stage.lacks("it ends with its turn");
        stage.is_unknown::<calls::ThreadBackgroundTerminalsClean>(&clean).await;
        timeout(PATIENCE, codex_alone(&stage)).await.expect("the command has ended");
        stage.close().await;
        return;
    }
    assert!(sweep::marked(stage.process.marker()).await.len() > 1, "the command was not ended");
    if differences().terminals == Terminals::Listed {
        let left = stage.client.call::<calls::ThreadBackgroundTerminalsList>(&terminals).await.unwrap();
        assert_eq!(left.read().unwrap().data().expect("terminals").len(), 1);
    } else {
        stage.lacks("what lives on is not listed");
        stage.is_unknown::<calls::ThreadBackgroundTerminalsList>(&terminals).await;
    }
    stage.client.call::<calls::ThreadBackgroundTerminalsClean>(&clean).await.unwrap();
    let command = |told: &Notification<'_>| match told {
        Notification::ItemCompleted(completed) if turn.is_of(told) => match completed.item()? {
            ThreadItem::CommandExecution(command) => Some(command.status()?.as_str().into_owned()),
            _ => None,
        },
        _ => None,
    };
    assert_eq!(stage.ear.until("end of the command", command).await, "failed");
    stage.close().await;
}
