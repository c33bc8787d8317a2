//! Names and archives that were recorded and not done: whoever comes next does them.

use std::fs;

use selvedge_runtime::{
    Patch, SessionHandle,
    session::{SessionId, What},
};
use serde_json::json;

use crate::{
    host::Host,
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::{Watch, warnings},
};

on_both!(
    an_archive_that_a_killed_program_left_undone_is_done_at_the_next_start,
    an_archive_that_was_done_and_not_answered_is_no_trouble_at_the_next_start,
    an_archive_survives_its_app_server,
    an_archive_that_was_left_to_a_dead_relay_is_done_at_the_next_start,
);
on_the_real!(
    a_name_that_a_killed_program_left_untold_is_told_at_the_next_start,
    a_name_that_was_left_to_a_dead_relay_is_told_at_the_next_start,
    a_thread_that_rests_is_renamed,
);

/// Whether Codex has put a session's thread away.
async fn is_put_away(stage: &Stage, session: &SessionHandle) -> bool {
    let thread = session.summary().await.unwrap().thread_id.unwrap();
    let home = stage.directory.path().join("home");
    if stage.is_real() {
        let files = fs::read_dir(home.join("archived_sessions")).into_iter().flatten().flatten();
        return files.into_iter().any(|file| file.file_name().to_str().unwrap().contains(&thread));
    }
    let kept = fs::read_to_string(home.join(format!("rehearsal/threads/{thread}.jsonl"))).unwrap();
    kept.lines().rfind(|line| line.contains("archived")).is_some_and(|line| line.contains("true"))
}

/// The names of threads that Codex was told, oldest first.
fn names(stage: &Stage) -> Vec<String> {
    let index = stage.directory.path().join("home/session_index.jsonl");
    let lines = fs::read_to_string(index).unwrap_or_default();
    let name = |line: &str| Some(line.split_once(r#""thread_name":""#)?.1.split_once('"')?.0.to_owned());
    lines.lines().filter_map(name).collect()
}

/// A session of another program's, with a thread that has a past.
async fn theirs(stage: &Stage, host: &mut Host) -> SessionHandle {
    let settings = json!({"cwd": stage.work("")});
    let created = host.ask(json!({"op": "create", "settings": settings, "env": {}})).await;
    let id = SessionId(created["session"].as_str().unwrap().parse().unwrap());
    let session = stage.runtime.session(id).await.unwrap();
    let mut watch = Watch::of(&session).await;
    host.ask(json!({"op": "send", "session": id, "text": "[think]"})).await;
    watch.named("message.finished").await;
    session
}

/// The program dies after its frozen app-servers, which it does not see. Were it first, the kernel would let those that are
/// stopped go on, as a group without a parent; under `nohup` they would live to read what was written to them.
async fn die_unheard(stage: &Stage, host: Host) {
    host.freeze();
    stage.kill_app_servers();
    host.kill().await;
}

/// Somebody comes, does what was left, and goes.
async fn next_start(stage: Stage, id: SessionId) -> (Stage, SessionHandle) {
    let stage = stage.after_a_crash().await.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    (stage, session)
}

async fn an_archive_that_a_killed_program_left_undone_is_done_at_the_next_start(setup: Setup) {
    let stage = setup.open().await;
    let mut host = Host::beside(&stage);
    let session = theirs(&stage, &mut host).await;
    stage.freeze_app_servers();
    host.ask(json!({"op": "archive", "session": session.id()})).await;
    die_unheard(&stage, host).await;
    assert!(!is_put_away(&stage, &session).await, "Codex never heard of it");
    let (stage, session) = next_start(stage, session.id()).await;
    assert!(is_put_away(&stage, &session).await);
    session.unarchive().await.unwrap();
    assert!(say(&session, "[think]").await.error.is_none());
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn an_archive_that_was_done_and_not_answered_is_no_trouble_at_the_next_start(setup: Setup) {
    let stage = setup.open().await;
    let mut host = Host::behind(&stage, "drop@answer:thread/archive=#1");
    let session = theirs(&stage, &mut host).await;
    let mut watch = Watch::of(&session).await;
    host.ask(json!({"op": "archive", "session": session.id()})).await;
    watch
        .until(|event| match &event.what {
            What::CodexNotice(it) if it.method == "thread/archived" => Some(()),
            _ => None,
        })
        .await;
    host.kill().await;
    let (stage, session) = next_start(stage, session.id()).await;
    assert!(is_put_away(&stage, &session).await);
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn an_archive_survives_its_app_server(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    stage.freeze_app_servers();
    session.archive().await.unwrap();
    stage.kill_app_servers();
    Watch::of(&session).await.named("codex.exited").await;
    let id = session.id();
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    assert!(is_put_away(&stage, &session).await);
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn a_name_that_a_killed_program_left_untold_is_told_at_the_next_start(setup: Setup) {
    let stage = setup.open().await;
    let mut host = Host::beside(&stage);
    let session = theirs(&stage, &mut host).await;
    stage.freeze_app_servers();
    for name in ["first", "second"] {
        host.ask(json!({"op": "rename", "session": session.id(), "name": name})).await;
    }
    die_unheard(&stage, host).await;
    assert_eq!(names(&stage), Vec::<String>::new(), "Codex never heard of it");
    let (stage, _) = next_start(stage, session.id()).await;
    assert_eq!(names(&stage), ["second"]);
    let (stage, session) = next_start(stage, session.id()).await;
    assert_eq!(names(&stage), ["second"], "told once");
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

/// The next program finds the relay, and that nobody answers there.
async fn an_archive_that_was_left_to_a_dead_relay_is_done_at_the_next_start(setup: Setup) {
    an_archive_that_a_killed_program_left_undone_is_done_at_the_next_start(setup.behind_relays()).await;
}

async fn a_name_that_was_left_to_a_dead_relay_is_told_at_the_next_start(setup: Setup) {
    a_name_that_a_killed_program_left_untold_is_told_at_the_next_start(setup.behind_relays()).await;
}

async fn a_thread_that_rests_is_renamed(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let (stage, session) = next_start(stage, session.id()).await;
    session.update(Patch { name: Some("late".into()), ..Patch::default() }).await.unwrap();
    let stage = stage.again().await;
    assert_eq!(names(&stage), ["late"]);
    stage.close().await;
}
