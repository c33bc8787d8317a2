//! An app-server that is outdated while several sessions sit there: each goes on elsewhere with its thread, and a turn that
//! runs ends where it began.

use selvedge_runtime::{
    Answer, Message, MessageState, SessionHandle,
    session::{
        MessageId, Settings, ToolsVia,
        data::{ApprovalRequested, Decision, DeltaKind},
    },
};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    installed::{Installed, noticed_nothing_else, taken_over},
    setup::{Setup, UNTIL_GO, on_both},
    stage::{Stage, end, say, until},
    tools::lookup,
    watch::{Watch, never_in_doubt},
};

on_both!(
    who_is_idle_leaves_at_once_and_who_works_ends_its_turn_there,
    many_go_on_at_the_same_time_while_one_works,
    a_thread_that_stayed_put_away_is_taken_out,
    who_has_tools_elsewhere_now_waits_for_nobody_who_works,
    after_a_turn_that_failed_the_next_message_is_begun_elsewhere,
    what_waited_while_nobody_was_there_is_begun_elsewhere,
);

/// How many threads are open on an app-server, if it runs.
fn open_threads(stage: &Stage, process: Uuid) -> Option<usize> {
    let processes = stage.runtime.processes();
    processes.iter().find(|one| one.id == process).map(|one| one.open_threads)
}

/// The one app-server there is.
fn only(stage: &Stage) -> Uuid {
    let processes = stage.runtime.processes();
    assert_eq!(processes.len(), 1, "{processes:#?}");
    processes[0].id
}

/// A session in the middle of a turn, which waits for a person.
async fn at_work(stage: &Stage) -> (SessionHandle, MessageId, ApprovalRequested) {
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[approve]")).await.unwrap();
    let approval = watch.approval().await;
    (session, running.message_id, approval)
}

async fn completes(session: &SessionHandle) {
    assert_eq!(say(session, "[stream]").await.state, MessageState::Completed);
}

/// It has moved, once, and its readers saw nothing else of it.
async fn moved_once(session: &SessionHandle) {
    assert_eq!(taken_over(session).await.len(), 1);
    noticed_nothing_else(session).await;
}

async fn who_is_idle_leaves_at_once_and_who_works_ends_its_turn_there(setup: Setup) {
    let (installed, setup) = Installed::within(setup);
    let stage = setup.open().await;
    let (speaking, silent) = (stage.session().await, stage.session().await);
    for session in [&speaking, &silent] {
        completes(session).await;
    }
    let (working, running, approval) = at_work(&stage).await;
    let old = only(&stage);
    assert_eq!(open_threads(&stage, old), Some(3));
    installed.replace();
    completes(&speaking).await;
    moved_once(&speaking).await;
    // Nobody has spoken to the other one.
    until(|| open_threads(&stage, old) == Some(1)).await;
    completes(&silent).await;
    moved_once(&silent).await;
    assert_eq!(open_threads(&stage, old), Some(1), "who works there was not disturbed");
    working.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    assert_eq!(end(&working, running).await.state, MessageState::Completed);
    assert_eq!(taken_over(&working).await, Vec::<String>::new(), "it ended where it began");
    until(|| open_threads(&stage, old).is_none()).await;
    completes(&working).await;
    moved_once(&working).await;
    if stage.is_real() {
        assert!(stage.last_asked().contains("[approve]"), "the model knows what was said before");
    }
    stage.close().await;
}

async fn many_go_on_at_the_same_time_while_one_works(setup: Setup) {
    let (installed, setup) = Installed::within(setup);
    let stage = setup.open().await;
    let mut sessions = Vec::new();
    for _ in 0..5 {
        let session = stage.session().await;
        completes(&session).await;
        sessions.push(session);
    }
    let (working, running, approval) = at_work(&stage).await;
    let old = only(&stage);
    installed.replace();
    let saying: JoinSet<_> =
        sessions.clone().into_iter().map(async |session| completes(&session).await).collect();
    saying.join_all().await;
    assert_eq!(open_threads(&stage, old), Some(1));
    for session in &sessions {
        moved_once(session).await;
    }
    working.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    assert_eq!(end(&working, running).await.state, MessageState::Completed);
    until(|| open_threads(&stage, old).is_none()).await;
    assert_eq!(open_threads(&stage, only(&stage)), Some(5), "all of them share one again");
    stage.close().await;
}

/// As it is left by who was killed while a thread was let go of: between being put away and being taken out.
async fn a_thread_that_stayed_put_away_is_taken_out(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    completes(&session).await;
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    let thread_id = session.summary().await.unwrap().thread_id;
    let other = stage.session_with(|settings| settings.thread_id = thread_id).await;
    completes(&other).await;
    other.archive().await.unwrap();
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    completes(&session).await;
    noticed_nothing_else(&session).await;
    if stage.is_real() {
        assert_eq!(stage.last_asked().matches("[stream]").count(), 3, "it is the same thread");
    }
    stage.close().await;
}

/// Behind relays the app-servers go on, and the next gateway may be at another address.
async fn who_has_tools_elsewhere_now_waits_for_nobody_who_works(setup: Setup) {
    let mut stage = setup.behind_relays().config(|config| config.tools_at = at("one")).open().await;
    let tooled = stage.session_with(with_tool_over_mcp).await;
    completes(&tooled).await;
    let (working, running, approval) = at_work(&stage).await;
    let old = only(&stage);
    stage.config.tools_at = at("other");
    let stage = stage.after_leaving().await;
    let (tooled, working) = (stage.found(&tooled).await, stage.found(&working).await);
    completes(&tooled).await;
    assert_eq!(open_threads(&stage, old), Some(1), "the turn there goes on");
    working.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    assert_eq!(end(&working, running).await.state, MessageState::Completed);
    until(|| open_threads(&stage, old).is_none()).await;
    completes(&working).await;
    stage.close().await;
}

/// Where nobody listens: a thread that cannot reach its tools does without.
fn at(place: &str) -> Option<String> {
    Some(format!("http://127.0.0.1:9/{place}/"))
}

fn with_tool_over_mcp(settings: &mut Settings) {
    lookup(settings, None);
    settings.tools_via = Some(ToolsVia::Mcp);
}

/// A turn that waits for a person, and then fails.
const ASKS_AND_FAILS: &str = r#"
[[rule]]
contains = "[ask and fail]"
step = [
  { do = [ { run = { command = "echo asked > asked.txt", escalate = true, justification = "May I?" } } ] },
  { do = [ { fail = { as = "bad_request" } } ] },
]
"#;

/// As after a login: what the old one could not do is not tried there again.
async fn after_a_turn_that_failed_the_next_message_is_begun_elsewhere(setup: Setup) {
    let (installed, setup) = Installed::within(setup.rules(ASKS_AND_FAILS));
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let failing = session.send(Message::text("[ask and fail]")).await.unwrap();
    let approval = watch.approval().await;
    let next = session.send(Message::text("[stream]")).await.unwrap();
    let old = only(&stage);
    installed.replace();
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    assert_eq!(end(&session, failing.message_id).await.state, MessageState::Failed);
    assert_eq!(end(&session, next.message_id).await.state, MessageState::Completed);
    assert_eq!(taken_over(&session).await.len(), 1);
    until(|| open_threads(&stage, old).is_none()).await;
    stage.close().await;
}

async fn what_waited_while_nobody_was_there_is_begun_elsewhere(setup: Setup) {
    let (installed, setup) = Installed::within(setup.behind_relays().rules(UNTIL_GO));
    let stage = setup.open().await;
    let session = stage.unsandboxed().await;
    let running = session.send(Message::text("[until go]")).await.unwrap();
    Watch::of(&session).await.piece(DeltaKind::Output).await;
    let next = session.send(Message::text("[think]")).await.unwrap();
    let old = only(&stage);
    let stage = stage
        .after_being_away(async |stage| {
            stage.let_it_end().await;
            installed.replace();
        })
        .await;
    let session = stage.found(&session).await;
    for message in [running, next] {
        assert_eq!(end(&session, message.message_id).await.state, MessageState::Completed);
    }
    moved_once(&session).await;
    never_in_doubt(&session).await;
    until(|| open_threads(&stage, old).is_none()).await;
    stage.close().await;
}
