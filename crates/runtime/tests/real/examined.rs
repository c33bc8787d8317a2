//! What became of a message, after kill -9 at every moment of its life, and while it lives.

use std::path::PathBuf;

use selvedge_protocol::{calls, say::ThreadStartParams};
use selvedge_runtime::{
    examine::{Question, examine, turn_now},
    to_codex::{self, ThreadExtras},
};
use selvedge_session::{MessageId, Status, Verdict};

use crate::stage::{Stage, fresh, said, unsandboxed};

fn question(thread: &str, message: MessageId) -> Question {
    Question { thread_id: thread.to_owned(), message_id: Some(message), ..Question::default() }
}

async fn asked(stage: &Stage, question: &Question) -> Verdict {
    examine(stage.whom(), question).await.expect("an answer")
}

fn ended(verdict: Verdict) -> (Status, Option<String>) {
    match verdict {
        Verdict::Ended(end) => (end.status, end.text),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_message_that_was_never_sent_never_reached_the_model() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    let unsent = question(&thread, fresh());
    assert_eq!(asked(&stage, &Question { alive: true, ..unsent.clone() }).await, Verdict::NeverReached);
    let (turn, _) = stage.play(&thread, "[stream]").await;
    let unsent = Question { last_turn_id: Some(turn), ..unsent };
    assert_eq!(asked(&stage, &Question { alive: true, ..unsent.clone() }).await, Verdict::NeverReached);
    stage.kill_and_start_again().await;
    assert_eq!(asked(&stage, &unsent).await, Verdict::NeverReached);
    // A thread with a past that is gone as a whole says nothing about what it had.
    let gone = Question { thread_id: "019a0000-0000-7000-8000-000000000000".to_owned(), ..unsent };
    assert_eq!(asked(&stage, &gone).await, Verdict::Unknown);
    stage.close().await;
}

/// Killed at once, the message may or may not have been stored; but what is said not to have reached the model has not.
#[tokio::test]
async fn a_message_killed_at_once_is_never_reached_or_cut_and_the_model_agrees() {
    let mut stage = Stage::open().await;
    for _ in 0..4 {
        let before = stage.model.requests().len();
        let (thread, _) = stage.thread(ThreadStartParams::default()).await;
        let message = fresh();
        let turn = stage.turn(&thread, message, "[slow]").await;
        stage.kill_and_start_again().await;
        let asked_about = Question { turn_id: Some(turn), ..question(&thread, message) };
        match asked(&stage, &asked_about).await {
            Verdict::NeverReached => assert_eq!(stage.model.requests().len(), before),
            verdict => assert_eq!(verdict, Verdict::Cut { acted: false }),
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn a_message_killed_in_the_middle_of_its_answer_was_cut_and_had_done_nothing() {
    let mut stage = Stage::open().await;
    let (thread, rollout) = stage.thread(ThreadStartParams::default()).await;
    let message = fresh();
    let turn = stage.turn(&thread, message, "[slow]").await;
    stage.until_method("item/agentMessage/delta").await;
    let goes_on = Verdict::InProgress { turn_id: Some(turn.clone()) };
    assert_eq!(turn_now(stage.whom(), &thread, Some(&turn)).await.unwrap(), goes_on);
    let alive = Question { alive: true, ..question(&thread, message) };
    assert_eq!(asked(&stage, &alive).await, goes_on);
    stage.kill_and_start_again().await;
    let cut = Verdict::Cut { acted: false };
    assert_eq!(asked(&stage, &question(&thread, message)).await, cut);
    let placed = Question { rollout: Some(rollout), ..question(&thread, message) };
    assert_eq!(asked(&stage, &placed).await, cut);
    let elsewhere = Question { rollout: Some(PathBuf::from("/nowhere.jsonl")), ..placed };
    assert_eq!(asked(&stage, &elsewhere).await, Verdict::Cut { acted: true }, "unreadable counts as a deed");
    stage.close().await;
}

#[tokio::test]
async fn a_cut_turn_that_was_dropped_leaves_no_trace_and_its_message_can_be_sent_again() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    stage.play(&thread, "[stream]").await;
    let message = fresh();
    let turn = stage.turn(&thread, message, "[slow] once").await;
    stage.until_method("item/agentMessage/delta").await;
    stage.kill_and_start_again().await;
    let settings = stage.settings();
    let params = to_codex::thread_resume(&thread, &settings, &ThreadExtras::default()).params;
    stage.client.call::<calls::ThreadResume>(&params).await.expect("the thread again");
    stage.client.call::<calls::ThreadRevert>(&to_codex::drop_turn(&thread, &turn)).await.expect("dropped");
    assert_eq!(asked(&stage, &question(&thread, message)).await, Verdict::NeverReached);
    stage.turn(&thread, message, "[stream] again").await;
    stage.until_method("turn/completed").await;
    let found = ended(asked(&stage, &Question { alive: true, ..question(&thread, message) }).await);
    assert_eq!(found.0, Status::Completed);
    let request = stage.last_request();
    assert!(request.contains("[stream] again") && !request.contains("[slow] once"), "{request}");
    stage.close().await;
}

#[tokio::test]
async fn a_message_killed_in_the_middle_of_a_command_had_acted() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(unsandboxed()).await;
    let message = fresh();
    stage.turn(&thread, message, "[long]").await;
    stage.until_method("item/commandExecution/outputDelta").await;
    stage.kill_and_start_again().await;
    assert_eq!(asked(&stage, &question(&thread, message)).await, Verdict::Cut { acted: true });
    stage.close().await;
}

#[tokio::test]
async fn a_message_whose_end_was_missed_is_found_with_its_answer_also_by_another_process() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    let (message, params) = (fresh(), "[stream]");
    stage.turn(&thread, message, params).await;
    stage.until_method("turn/completed").await;
    let whole = "One two three four five six seven eight nine ten.";
    let found = ended(asked(&stage, &Question { alive: true, ..question(&thread, message) }).await);
    assert_eq!(found, (Status::Completed, Some(whole.to_owned())));
    let (turn, _) = stage.play(&thread, "[fail 500]").await;
    let failed = turn_now(stage.whom(), &thread, Some(&turn)).await.unwrap();
    let Verdict::Ended(failed) = failed else { panic!("{failed:?}") };
    assert_eq!(failed.status, Status::Failed);
    assert_eq!(failed.error.expect("a reason").code, "internal_server_error");
    stage.kill_and_start_again().await;
    let found = ended(asked(&stage, &question(&thread, message)).await);
    assert_eq!(found, (Status::Completed, Some(whole.to_owned())));
    stage.close().await;
}

#[tokio::test]
async fn an_interrupted_turn_has_ended_if_its_process_lives() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    let message = fresh();
    let turn = stage.turn(&thread, message, "[slow]").await;
    stage.until_method("item/agentMessage/delta").await;
    let interrupt = to_codex::turn_interrupt(&thread, &turn);
    stage.client.call::<calls::TurnInterrupt>(&interrupt).await.expect("an interrupt");
    stage.until_method("turn/completed").await;
    let found = asked(&stage, &Question { alive: true, ..question(&thread, message) }).await;
    assert_eq!(ended(found).0, Status::Interrupted);
    stage.close().await;
}

#[tokio::test]
async fn of_a_thread_that_is_not_stored_only_its_process_knows_anything() {
    let mut stage = Stage::open().await;
    let ephemeral = ThreadStartParams { ephemeral: Some(true), ..Default::default() };
    let (thread, _) = stage.thread(ephemeral).await;
    let message = fresh();
    let params = said(&thread, message, "[slow]");
    stage.client.call::<calls::TurnStart>(&params).await.expect("a turn");
    stage.until_method("item/agentMessage/delta").await;
    let alive = Question { alive: true, ephemeral: true, ..question(&thread, message) };
    let works = Verdict::InProgress { turn_id: None };
    assert_eq!(asked(&stage, &alive).await, works);
    assert_eq!(turn_now(stage.whom(), &thread, None).await.unwrap(), works);
    stage.kill_and_start_again().await;
    let dead = Question { alive: false, ..alive };
    assert_eq!(asked(&stage, &dead).await, Verdict::Unknown);
    stage.close().await;
}
