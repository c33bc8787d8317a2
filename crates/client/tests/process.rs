//! How a child is started, owned, ended and swept. The children are shells, so that each misbehaves on purpose.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{path::PathBuf, time::Duration};

use selvedge_client::{
    AppServer, CallError, ClosedBy, Exit, Hint, Launch, Line,
    process::{Ladder, MARKER, sweep},
};
use selvedge_protocol::frame::{Frame, Malformed, RequestId};
use serde_json::json;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(30);

fn shell(script: &str) -> Launch {
    let mut launch = Launch::program(PathBuf::from("/bin/sh"));
    launch.arguments = vec!["-c".into(), script.into()];
    launch.ladder = Ladder { after_eof: LONG, after_term: LONG, drain: LONG };
    launch
}

fn text(line: Option<Line>) -> String {
    line.expect("a line").text().expect("UTF-8").to_owned()
}

async fn left_of(server: &AppServer) -> Vec<sweep::Marked> {
    sweep::marked(server.process.marker()).await
}

#[tokio::test]
async fn closing_stdin_is_enough_for_a_good_child() {
    let server = AppServer::spawn(shell("cat >/dev/null; exit 0")).unwrap();
    let end = server.process.shut_down().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Us, Some(Exit { code: Some(0), signal: None })));
}

#[tokio::test]
async fn dropping_the_client_lets_the_child_end() {
    let AppServer { client, process, .. } = AppServer::spawn(shell("cat >/dev/null")).unwrap();
    drop(client);
    assert_eq!(process.finished().await.closed_by, ClosedBy::Us);
}

#[tokio::test]
async fn dropping_the_process_handle_ends_nothing() {
    let script = "read first; echo \"$first\"; cat >/dev/null";
    let AppServer { client, mut inbox, .. } = AppServer::spawn(shell(script)).unwrap();
    client.answer(&RequestId::Int(7), &json!("still here")).unwrap();
    assert_eq!(text(inbox.next().await), r#"{"id":7,"result":"still here"}"#);
    client.close();
    assert_eq!(client.ended().await.closed_by, ClosedBy::Us);
}

#[tokio::test]
async fn a_child_that_ignores_eof_is_terminated() {
    let mut launch = shell("echo ready; exec sleep 1000");
    launch.ladder.after_eof = SHORT;
    let mut server = AppServer::spawn(launch).unwrap();
    text(server.inbox.next().await);
    let end = server.process.shut_down().await;
    assert_eq!(
        (&end.closed_by, end.exit),
        (&ClosedBy::Terminated, Some(Exit { code: None, signal: Some(15) }))
    );
}

#[tokio::test]
async fn a_child_that_ignores_the_end_of_its_client_is_terminated_too() {
    let mut launch = shell("echo ready; exec sleep 1000");
    launch.ladder.after_eof = SHORT;
    let AppServer { client, mut inbox, process } = AppServer::spawn(launch).unwrap();
    text(inbox.next().await);
    drop(client);
    assert_eq!(process.finished().await.closed_by, ClosedBy::Terminated);
}

#[tokio::test]
async fn a_child_that_ignores_sigterm_is_killed() {
    let mut launch = shell("trap '' TERM; echo ready; while :; do sleep 1000; done");
    launch.ladder = Ladder { after_eof: SHORT, after_term: SHORT, drain: LONG };
    let mut server = AppServer::spawn(launch).unwrap();
    text(server.inbox.next().await);
    let end = server.process.shut_down().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Killed, Some(Exit { code: None, signal: Some(9) })));
    assert_eq!(left_of(&server).await, []);
}

#[tokio::test]
async fn an_order_to_kill_does_not_wait_for_the_ladder() {
    let mut server =
        AppServer::spawn(shell("trap '' TERM; echo ready; while :; do sleep 1000; done")).unwrap();
    text(server.inbox.next().await);
    let (first, second) = tokio::join!(server.process.shut_down(), server.process.kill());
    assert_eq!((&first.closed_by, &second.closed_by), (&ClosedBy::Killed, &ClosedBy::Killed));
}

#[tokio::test]
async fn commands_that_left_the_group_and_ignore_signals_are_swept() {
    let script = "setsid sh -c 'trap \"\" TERM INT HUP; echo ready; while :; do sleep 1000; done' & wait";
    let mut launch = shell(script);
    launch.ladder.drain = SHORT;
    let mut server = AppServer::spawn(launch).unwrap();
    text(server.inbox.next().await);
    assert!(left_of(&server).await.len() >= 2, "the shell and its command carry the marker");
    let mut other = AppServer::spawn(shell("echo other; exec cat")).unwrap();
    text(other.inbox.next().await);
    server.process.kill().await;
    assert_eq!(left_of(&server).await, []);
    assert_eq!(left_of(&other).await.len(), 1, "another app-server is not touched");
    other.process.shut_down().await;
}

#[tokio::test]
async fn what_a_child_leaves_running_is_swept_also_after_a_clean_exit() {
    let script = "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo ready; cat >/dev/null; exit 0";
    let mut server = AppServer::spawn(shell(script)).unwrap();
    text(server.inbox.next().await);
    let end = server.process.shut_down().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Us, Some(Exit { code: Some(0), signal: None })));
    assert_eq!(left_of(&server).await, []);
}

#[tokio::test]
async fn a_crash_is_read_to_its_end_and_swept() {
    let script = "setsid sleep 1000 >/dev/null 2>&1 & echo '{\"method\":\"last/words\"}'; echo \"it \u{1b}[31mbroke\u{1b}[0m\" >&2; exit 3";
    let mut server = AppServer::spawn(shell(script)).unwrap();
    let end = server.process.finished().await;
    assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Codex, Some(Exit { code: Some(3), signal: None })));
    assert_eq!(end.stderr_tail, "it broke");
    assert_eq!(text(server.inbox.next().await), r#"{"method":"last/words"}"#);
    assert!(server.inbox.next().await.is_none());
    assert_eq!(left_of(&server).await, []);
    let error = server.client.request("model/list", &json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no answer to `model/list`: the app-server ended by itself (exit code 3) (it was never sent)"
    );
    assert_eq!(error.hint().unwrap(), "the end of its stderr:\nit broke");
}

#[tokio::test]
async fn a_caller_that_waits_when_it_dies_is_told_how() {
    let server = AppServer::spawn(shell("read request; kill -9 $$")).unwrap();
    let error = server.client.request("model/list", &json!({})).await.unwrap_err();
    let CallError::Ended { end, sent, .. } = error else { panic!("{error}") };
    assert_eq!((end.exit, sent), (Some(Exit { code: None, signal: Some(9) }), true));
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_is_not_waited_for() {
    let mut launch = shell("setsid sleep 1000 & echo bye; exit 0");
    launch.ladder.drain = SHORT;
    let mut server = AppServer::spawn(launch).unwrap();
    assert_eq!(text(server.inbox.next().await), "bye");
    server.process.finished().await;
    assert_eq!(left_of(&server).await, []);
}

#[tokio::test]
async fn a_line_of_forty_megabytes_is_whole_and_one_past_the_limit_is_a_value() {
    let line = |bytes: usize| format!("head -c {bytes} /dev/zero | tr '\\0' x; echo; ");
    let script = format!("{}{}echo after; cat >/dev/null", line(40_000_000), line(70_000_000));
    let mut server = AppServer::spawn(shell(&script)).unwrap();
    assert_eq!(server.inbox.next().await.expect("a line").bytes().len(), 40_000_000);
    let overlong = server.inbox.next().await.expect("a line");
    assert!(
        matches!(overlong.frame(), Frame::Malformed(Malformed::TooLong { bytes: 70_000_000 })),
        "{overlong:?}"
    );
    assert_eq!(text(server.inbox.next().await), "after");
    server.process.shut_down().await;
}

#[tokio::test]
async fn a_flood_on_stderr_blocks_nobody() {
    let script =
        "head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; echo end >&2; echo done; cat >/dev/null";
    let mut server = AppServer::spawn(shell(script)).unwrap();
    assert_eq!(text(server.inbox.next().await), "done");
    assert_eq!(server.process.shut_down().await.stderr_tail, "end");
}

#[tokio::test]
async fn directory_environment_and_marker_reach_the_child() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().canonicalize().unwrap();
    let mut launch =
        shell(&format!("pwd; echo $COLOUR; echo ${{HOME-none}}; echo ${MARKER}; cat >/dev/null"));
    launch = launch.directory(&path).env("COLOUR", "green");
    launch.environment.push(("HOME".into(), None));
    let marker = launch.marker.to_string();
    let mut server = AppServer::spawn(launch).unwrap();
    for expected in [path.to_str().unwrap(), "green", "none", &marker] {
        assert_eq!(text(server.inbox.next().await), expected);
    }
    server.process.shut_down().await;
}

#[tokio::test]
async fn what_cannot_be_started_is_said_with_what_to_do() {
    let error = AppServer::spawn(Launch::program(PathBuf::from("/nowhere/codex"))).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/codex could not be started: "), "{error}");
    assert_eq!(
        error.hint().unwrap(),
        "install Codex with `npm install -g @openai/codex`, or name it with --codex PATH"
    );
    let error = AppServer::spawn(shell("true").directory("/nowhere")).unwrap_err();
    assert_eq!(error.hint().unwrap(), "/nowhere is not a directory: create it, or choose another");
}
