//! Approvals: what Codex asks reaches people, the first answer wins, and nothing runs without one.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use selvedge_runtime::{
    Answer, Clock, Message, MessageState, SessionHandle,
    session::{
        ApprovalPolicy, Code, PermissionMode, Timestamp, Unattended, What,
        data::{ApprovalKind, ApprovalRequested, ApprovalResolved, Decision},
    },
};
use serde_json::json;

use crate::{
    differences::lacks,
    setup::{Setup, on_both, on_the_real},
    stage::say,
    watch::{Watch, history, value},
};

on_both!(
    an_accepted_command_runs_and_not_before,
    a_declined_command_does_not_run_and_the_turn_goes_on,
    a_cancelled_command_ends_the_turn,
    a_command_for_the_session_is_asked_once,
    an_approval_nobody_answers_is_declined_in_time,
    an_unattended_session_declines,
    never_accepts_by_policy,
    a_file_changes_when_it_was_approved_and_only_then,
    edits_are_accepted_by_their_mode,
    the_first_answer_wins,
    open_approvals_are_listed_across_sessions,
    an_open_approval_ends_with_its_turn,
);

on_the_real!(
    what_is_said_with_a_decline_reaches_the_agent,
    a_question_is_answered_by_a_person,
    a_decision_that_is_not_offered_is_refused,
    an_accepted_rule_is_written_where_codex_keeps_them,
    a_machine_without_a_sandbox_is_told_once,
);

/// Sends words, and waits until Codex asks about them.
async fn asked(
    session: &SessionHandle,
    words: &str,
) -> (Watch, selvedge_runtime::Receipt, ApprovalRequested) {
    let mut watch = Watch::of(session).await;
    let sent = session.send(Message::text(words)).await.unwrap();
    let approval = watch.approval().await;
    (watch, sent, approval)
}

fn resolutions(watch: &Watch) -> Vec<ApprovalResolved> {
    let resolved = watch.seen.iter().filter_map(|event| match &event.what {
        What::ApprovalResolved(it) => Some(it.clone()),
        _ => None,
    });
    resolved.collect()
}

async fn an_accepted_command_runs_and_not_before(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    assert_eq!(approval.kind, ApprovalKind::Command);
    let request = value(&approval.request);
    assert_eq!(request["reason"], "May I write approved.txt?");
    assert!(request["command"].as_str().unwrap().contains("echo approved > approved.txt"));
    assert_eq!(session.message(sent.message_id).await.unwrap().state, MessageState::Waiting);
    assert!(!stage.work("approved.txt").exists(), "nothing runs before the answer");
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann/cli")).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.text.as_str(), end.error), ("The command was decided.", None));
    assert_eq!(fs::read_to_string(stage.work("approved.txt")).unwrap(), "approved\n");
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.decision, resolved.by.as_str()), (Decision::Accept, "ann/cli"));
    stage.close().await;
}

async fn a_declined_command_does_not_run_and_the_turn_goes_on(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    session.answer(approval.approval_id, Answer::new(Decision::Decline, "ann")).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.text.as_str(), end.error), ("The command was decided.", None));
    assert_eq!(watch.items("commandExecution")[0]["status"], "declined");
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

async fn a_cancelled_command_ends_the_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    session.answer(approval.approval_id, Answer::new(Decision::Cancel, "ann")).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    assert!(!stage.work("approved.txt").exists());
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed, "the session goes on");
    stage.close().await;
}

async fn a_command_for_the_session_is_asked_once(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve twice]").await;
    session.answer(approval.approval_id, Answer::new(Decision::AcceptForSession, "ann")).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Said twice.");
    let again = session.send(Message::text("[approve twice]")).await.unwrap();
    assert_eq!(watch.finished(again.message_id).await.text, "Said twice.");
    assert_eq!(watch.items("commandExecution").len(), 4);
    assert_eq!(resolutions(&watch).len(), 1, "asked once, also in a later turn");
    stage.close().await;
}

async fn an_approval_nobody_answers_is_declined_in_time(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session_with(|settings| settings.approval_timeout_seconds = Some(300)).await;
    let (mut watch, sent, _) = asked(&session, "[approve]").await;
    clock.turn(Duration::from_secs(299));
    assert_eq!(stage.runtime.approvals().await.unwrap().len(), 1, "it still waits");
    clock.turn(Duration::from_secs(1));
    assert_eq!(watch.finished(sent.message_id).await.text, "The command was decided.");
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.decision, resolved.by.as_str()), (Decision::Decline, "timeout"));
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

async fn an_unattended_session_declines(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.unattended = Unattended::Decline).await;
    let (mut watch, sent, _) = asked(&session, "[approve]").await;
    assert_eq!(watch.finished(sent.message_id).await.text, "The command was decided.");
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.decision, resolved.by.as_str()), (Decision::Decline, "policy"));
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

async fn never_accepts_by_policy(setup: Setup) {
    let stage = setup.open().await;
    let never = |settings: &mut selvedge_runtime::session::Settings| {
        settings.approval_policy = Some(ApprovalPolicy::Never);
        settings.sandbox = Some(selvedge_runtime::session::Sandbox::DangerFullAccess);
    };
    let session = stage.session_with(never).await;
    let view = say(&session, "[approve]").await;
    assert_eq!(view.state, MessageState::Completed, "{view:?}");
    let mut watch = Watch::of(&session).await;
    watch.finished(view.message_id).await;
    assert!(resolutions(&watch).iter().all(|it| it.decision == Decision::Accept && it.by == "policy"));
    assert_eq!(say(&session, "[patch]").await.state, MessageState::Completed);
    assert!(stage.work("judged.txt").exists(), "a file changes without a question");
    stage.close().await;
}

async fn a_file_changes_when_it_was_approved_and_only_then(setup: Setup) {
    let stage = setup.open().await;
    let session =
        stage.session_with(|settings| settings.approval_policy = Some(ApprovalPolicy::Untrusted)).await;
    let decided = [
        ("[patch]", Decision::Decline, None),
        ("[patch]", Decision::Accept, Some("first\nsecond\n")),
        ("[patch again]", Decision::Decline, Some("first\nsecond\n")),
        ("[patch again]", Decision::AcceptForSession, Some("first\nchanged\n")),
    ];
    let mut watch = Watch::of(&session).await;
    for (words, decision, content) in decided {
        let sent = session.send(Message::text(words)).await.unwrap();
        let approval = watch.approval().await;
        assert_eq!(approval.kind, ApprovalKind::FileChange);
        stage.runtime.answer(approval.approval_id, Answer::new(decision, "ann")).await.unwrap();
        watch.finished(sent.message_id).await;
        assert_eq!(fs::read_to_string(stage.work("judged.txt")).ok().as_deref(), content);
    }
    stage.close().await;
}

async fn the_first_answer_wins(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    let answer = |by| session.answer(approval.approval_id, Answer::new(Decision::Decline, by));
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann/cli")).await.unwrap();
    let late = answer("bob/web").await.unwrap_err();
    assert_eq!(late.code, Code::AlreadyAnswered);
    assert!(late.message.contains("ann/cli"), "{late}");
    watch.finished(sent.message_id).await;
    let later = answer("bob/web").await.unwrap_err();
    assert_eq!(later.code, Code::AlreadyAnswered, "also when the turn is over");
    let by_runtime = stage.runtime.answer(approval.approval_id, Answer::new(Decision::Accept, "eve")).await;
    assert_eq!(by_runtime.unwrap_err().code, Code::AlreadyAnswered);
    assert!(stage.work("approved.txt").exists());
    assert_eq!(resolutions(&watch).len(), 1);
    stage.close().await;
}

async fn open_approvals_are_listed_across_sessions(setup: Setup) {
    let stage = setup.open().await;
    let (one, two) = (stage.session().await, stage.session().await);
    let (mut first, sent, approval) = asked(&one, "[approve]").await;
    let (mut second, other_sent, other) = asked(&two, "[approve twice]").await;
    let listed = stage.runtime.approvals().await.unwrap();
    let ids: Vec<_> = listed.iter().map(|it| (it.session_id, it.approval_id)).collect();
    assert_eq!(ids, [(one.id(), approval.approval_id), (two.id(), other.approval_id)]);
    assert_eq!(listed[0].request, approval.request);
    stage.runtime.answer(approval.approval_id, Answer::new(Decision::Decline, "ann")).await.unwrap();
    let listed = stage.runtime.approvals().await.unwrap();
    assert_eq!(listed.iter().map(|it| it.session_id).collect::<Vec<_>>(), [two.id()]);
    stage.runtime.answer(other.approval_id, Answer::new(Decision::Cancel, "ann")).await.unwrap();
    assert_eq!(stage.runtime.approvals().await.unwrap(), []);
    first.finished(sent.message_id).await;
    second.finished(other_sent.message_id).await;
    stage.close().await;
}

async fn an_open_approval_ends_with_its_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    session.interrupt(false).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.decision, resolved.by.as_str()), (Decision::Cancel, "codex"));
    assert_eq!(stage.runtime.approvals().await.unwrap(), []);
    let late = session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await;
    assert_eq!(late.unwrap_err().code, Code::AlreadyAnswered);
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

async fn a_question_is_answered_by_a_person(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.permission_mode = Some(PermissionMode::Plan)).await;
    let (mut watch, sent, approval) = asked(&session, "[ask]").await;
    assert_eq!(approval.kind, ApprovalKind::UserInput);
    let content = json!({"answers": {"colour": "Blue, and dark"}});
    let answer = Answer { content: Some(content.into()), ..Answer::new(Decision::Accept, "ann") };
    session.answer(approval.approval_id, answer).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Asked.");
    assert!(stage.last_asked().contains("Blue, and dark"));
    stage.close().await;
}

async fn edits_are_accepted_by_their_mode(setup: Setup) {
    let stage = setup.open().await;
    let mode = Some(PermissionMode::AcceptEdits);
    let session = stage.session_with(|settings| settings.permission_mode = mode).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[patch]")).await.unwrap();
    watch.finished(sent.message_id).await;
    assert!(stage.work("judged.txt").exists(), "a file changes without a person");
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.decision, resolved.by.as_str()), (Decision::Accept, "policy"));
    let sent = session.send(Message::text("[approve]")).await.unwrap();
    let approval = watch.approval().await;
    assert_eq!(approval.kind, ApprovalKind::Command, "a command is asked about");
    session.answer(approval.approval_id, Answer::new(Decision::Decline, "ann")).await.unwrap();
    watch.finished(sent.message_id).await;
    stage.close().await;
}

async fn what_is_said_with_a_decline_reaches_the_agent(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    let words = "[steered] never write that file";
    let answer = Answer { message: Some(words.into()), ..Answer::new(Decision::Decline, "ann") };
    session.answer(approval.approval_id, answer).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    if lacks("a_steer_joins_the_running_turn_and_ends_with_it").is_none() {
        assert_eq!(end.text, "Steered.", "the model goes on from the words");
        assert_eq!(stage.asked().len(), 2, "and is not asked without them");
    }
    // A turn that cannot hear it leaves it to the next message: either way it is said once.
    say(&session, "[stream]").await;
    assert_eq!(stage.last_asked().matches(words).count(), 1);
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

async fn a_decision_that_is_not_offered_is_refused(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.permission_mode = Some(PermissionMode::Plan)).await;
    let (mut watch, sent, approval) = asked(&session, "[ask]").await;
    let for_ever = Answer::new(Decision::AcceptForSession, "ann");
    let refused = session.answer(approval.approval_id, for_ever).await.unwrap_err();
    assert_eq!(refused.code, Code::DecisionNotOffered);
    assert_eq!(stage.runtime.approvals().await.unwrap().len(), 1, "it is still open");
    session.answer(approval.approval_id, Answer::new(Decision::Decline, "ann")).await.unwrap();
    watch.finished(sent.message_id).await;
    stage.close().await;
}

async fn an_accepted_rule_is_written_where_codex_keeps_them(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let (mut watch, sent, approval) = asked(&session, "[approve]").await;
    let content = Some(json!({"amendment": ["echo", "approved"]}).into());
    let answer = Answer { content, ..Answer::new(Decision::Accept, "ann") };
    session.answer(approval.approval_id, answer).await.unwrap();
    watch.finished(sent.message_id).await;
    assert!(stage.work("approved.txt").exists(), "the command ran");
    let rules = fs::read_dir(stage.directory.path().join("home/rules")).unwrap().flatten();
    let rules: String = rules.filter_map(|rule| fs::read_to_string(rule.path()).ok()).collect();
    assert!(rules.contains(r#"["echo", "approved"]"#), "{rules}");
    stage.close().await;
}

/// Runs Codex where no user namespace can be made: in one of its own in which their number is limited to none. Where even
/// that one cannot be made, there are none anyway.
const NO_NAMESPACE: &str = r#"#!/bin/sh
unshare --user --map-current-user true || exec CODEX "$@"
exec unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec CODEX "$@"' sh "$@"
"#;

async fn a_machine_without_a_sandbox_is_told_once(setup: Setup) {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("codex");
    let setup = setup.config(|config| {
        let codex = config.codex.replace(script.clone()).unwrap();
        fs::write(&script, NO_NAMESPACE.replace("CODEX", codex.to_str().unwrap())).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    });
    let stage = setup.open().await;
    let session = stage.session().await;
    for _ in 0..2 {
        assert_eq!(say(&session, "[run]").await.text, "The command has ended.");
    }
    let warned = history(&session).await.into_iter().filter_map(|event| match event.what {
        What::SessionWarning(it) => Some((it.code, it.hint.is_some())),
        _ => None,
    });
    let expected = (Code::SandboxUnavailable.as_str().to_owned(), true);
    assert_eq!(warned.collect::<Vec<_>>(), [expected], "once, with what to do");
    stage.close().await;
}
