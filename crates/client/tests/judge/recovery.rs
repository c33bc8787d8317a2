//! Recovery: kill -9 in the middle of a turn, resume in a new process, and nothing left behind.

use rustix::process::{Pid, Signal, kill_process};
use selvedge_client::{ClosedBy, Exit, process::sweep};
use selvedge_protocol::{
    calls,
    say::{SandboxMode, ThreadResumeParams, ThreadStartParams, TurnStartParams},
};

use crate::{acts::text, differences::differences, stage::Stage};

const KILLED: Option<Exit> = Some(Exit { code: None, signal: Some(9) });

/// Resumes a thread without its turns: they are asked for page by page.
async fn resume(stage: &Stage, thread: &str) {
    let mut params = ThreadResumeParams::new(thread);
    params.exclude_turns = Some(true);
    let answer = stage.client.call::<calls::ThreadResume>(&params).await.expect("the thread again");
    assert_eq!(answer.read().unwrap().thread().expect("a thread").id, thread);
}

fn say_what_is_lost(stage: &mut Stage) {
    let differences = differences();
    let lost = [
        (differences.cut_turn == "interrupted", "the cut turn is called completed"),
        (differences.keeps_turn_ids, "turns have other ids in the history"),
        (differences.own_message_ids, "our own message ids are not kept"),
    ];
    lost.iter().filter(|(kept, _)| !kept).for_each(|(_, what)| stage.lacks(what));
}

#[tokio::test]
async fn a_thread_killed_in_the_middle_of_a_turn_is_resumed() {
    let mut stage = Stage::open("kill_and_resume").await;
    let thread = stage.thread().await;
    let mut params = TurnStartParams::new(thread.as_str(), text("[slow]"));
    params.client_user_message_id = Some("our-own-id".into());
    let turn = stage.start_turn(&params).await;
    stage.streaming(&turn).await;
    let end = stage.process.kill().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Killed, KILLED));
    stage.start_again().await;
    resume(&stage, &thread).await;
    let kept = stage.stored(&thread).await;
    let [cut] = kept.as_slice() else { panic!("one turn: {kept:?}") };
    assert_eq!(cut.id == turn.id, differences().keeps_turn_ids, "{cut:?}");
    assert_eq!(cut.status, differences().cut_turn);
    let own_id = differences().own_message_ids.then(|| "our-own-id".to_owned());
    assert_eq!(cut.ours, [("[slow]".to_owned(), own_id)], "what we said is kept, and found by our own id");
    assert_eq!(cut.messages, [] as [&str; 0], "and nothing else");
    say_what_is_lost(&mut stage);
    let (_, next) = stage.play(&thread, "[stream]").await;
    assert_eq!(next.status, "completed");
    stage.close().await;
}

#[tokio::test]
async fn a_command_that_ignores_signals_does_not_outlive_the_sweep() {
    let mut stage = Stage::open("kill_and_sweep").await;
    let sandbox = Some(SandboxMode::DangerFullAccess);
    let thread = stage.start_thread(ThreadStartParams { sandbox, ..Default::default() }).await;
    let turn = stage.turn(&thread, "[stubborn]").await;
    stage.running(&turn).await;
    let marker = stage.process.marker();
    assert!(sweep::marked(marker).await.len() >= 2, "Codex and its command carry the marker");
    // Killed from outside, as by the kernel when memory is short.
    let codex = Pid::from_raw(stage.process.id().cast_signed()).unwrap();
    kill_process(codex, Signal::KILL).unwrap();
    let end = stage.process.finished().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Codex, KILLED));
    assert_eq!(sweep::marked(marker).await, [], "nothing with the marker is left");
    stage.start_again().await;
    resume(&stage, &thread).await;
    assert_eq!(stage.play(&thread, "[stream]").await.1.status, "completed");
    stage.close().await;
}
