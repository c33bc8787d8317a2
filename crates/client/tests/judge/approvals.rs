//! Approvals: a command accepted, declined, cancelled and for the session; a file change.

use std::fs;

use selvedge_protocol::{
    asks,
    say::{
        AskForApproval, CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse,
        FileChangeApprovalDecision, FileChangeRequestApprovalResponse, ThreadStartParams,
    },
    see::{CommandExecutionStatus, Notification, PatchApplyStatus, ServerRequest, ThreadItem},
};

use crate::{acts::Turn, differences::differences, ear::Ask, stage::Stage};

/// Waits for the question about a command and decides it.
async fn decide_command(stage: &mut Stage, decision: CommandExecutionApprovalDecision) {
    let ask = stage.ear.next_ask().await;
    let ServerRequest::ItemCommandExecutionRequestApproval(_) = ask.request() else { panic!("{ask:?}") };
    let answer = CommandExecutionRequestApprovalResponse::new(decision);
    stage.client.answer_to::<asks::ItemCommandExecutionRequestApproval>(&ask.id, &answer).unwrap();
    resolved(stage, &ask).await;
}

/// Waits for the question about a file and decides it.
async fn decide_file(stage: &mut Stage, decision: FileChangeApprovalDecision) {
    let ask = stage.ear.next_ask().await;
    let ServerRequest::ItemFileChangeRequestApproval(_) = ask.request() else { panic!("{ask:?}") };
    let answer = FileChangeRequestApprovalResponse::new(decision);
    stage.client.answer_to::<asks::ItemFileChangeRequestApproval>(&ask.id, &answer).unwrap();
    resolved(stage, &ask).await;
}

/// Codex says itself that a question is settled, where it says so at all.
async fn resolved(stage: &mut Stage, ask: &Ask) {
    if !differences().says_resolved {
        return;
    }
    let is_it = |told: &Notification<'_>| match told {
        Notification::ServerRequestResolved(resolved) => (resolved.request_id == ask.id).then_some(()),
        _ => None,
    };
    stage.ear.until("word that the request is resolved", is_it).await;
}

/// Status, exit code and output of each command of a turn.
fn commands(stage: &Stage, turn: &Turn) -> Vec<(String, Option<i64>, String)> {
    let commands = stage.ear.items(turn).filter_map(|item| match item {
        ThreadItem::CommandExecution(command) => {
            let output = command.aggregated_output().unwrap_or_default().into_owned();
            let status = command.status().as_ref().map(CommandExecutionStatus::as_str);
            Some((status.expect("a status").into_owned(), command.exit_code(), output))
        }
        _ => None,
    });
    commands.collect()
}

/// The command of a turn, as its item says before it runs.
async fn command_of(stage: &mut Stage, turn: &Turn) -> String {
    let started = |told: &Notification<'_>| match told {
        Notification::ItemStarted(started) if turn.is_of(told) => match started.item()? {
            ThreadItem::CommandExecution(command) => Some(command.command()?.into_owned()),
            _ => None,
        },
        _ => None,
    };
    stage.ear.until("start of a command", started).await
}

#[tokio::test]
async fn an_approved_command_runs() {
    let mut stage = Stage::open("command_approved").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[approve]").await;
    let ask = stage.ear.next_ask().await;
    let written = stage.places.workspace.join("approved.txt");
    {
        let ServerRequest::ItemCommandExecutionRequestApproval(asked) = ask.request() else {
            panic!("{ask:?}")
        };
        assert_eq!((asked.thread_id.as_ref(), asked.turn_id.as_ref()), (thread.as_str(), turn.id.as_str()));
        assert_eq!(asked.reason().as_deref(), Some("May I write approved.txt?"));
        let command = asked.command();
        assert_eq!(command.is_some(), differences().asks_with_command, "{asked:?}");
        assert!(command.is_none_or(|command| command.contains("echo approved > approved.txt")));
        assert!(!written.exists(), "nothing runs before the answer");
    }
    if !differences().asks_with_command {
        stage.lacks("the question does not say which command; its item does");
        assert!(command_of(&mut stage, &turn).await.contains("echo approved > approved.txt"));
    }
    let accept = CommandExecutionRequestApprovalResponse::new(CommandExecutionApprovalDecision::Accept);
    stage.client.answer_to::<asks::ItemCommandExecutionRequestApproval>(&ask.id, &accept).unwrap();
    let ended = stage.ended(&turn).await;
    assert_eq!(
        (ended.status.as_str(), ended.text.as_deref()),
        ("completed", Some("The command was decided."))
    );
    assert_eq!(fs::read_to_string(written).unwrap(), "approved\n");
    assert_eq!(commands(&stage, &turn), [("completed".into(), Some(0), "approved\n".into())]);
    stage.close().await;
}

#[tokio::test]
async fn a_declined_command_does_not_run_and_the_turn_goes_on() {
    let mut stage = Stage::open("command_declined").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[approve]").await;
    decide_command(&mut stage, CommandExecutionApprovalDecision::Decline).await;
    let ended = stage.ended(&turn).await;
    assert_eq!(
        (ended.status.as_str(), ended.text.as_deref()),
        ("completed", Some("The command was decided."))
    );
    assert!(!stage.places.workspace.join("approved.txt").exists());
    assert_eq!(commands(&stage, &turn)[0].0, "declined");
    stage.close().await;
}

#[tokio::test]
async fn a_cancelled_command_does_not_run_and_ends_the_turn() {
    let mut stage = Stage::open("command_cancelled").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[approve]").await;
    decide_command(&mut stage, CommandExecutionApprovalDecision::Cancel).await;
    let ended = stage.ended(&turn).await;
    assert_eq!((ended.status.as_str(), ended.text), ("interrupted", None));
    assert!(!stage.places.workspace.join("approved.txt").exists());
    assert_eq!(stage.model.requests().len(), 1, "the model was not asked again");
    stage.close().await;
}

#[tokio::test]
async fn a_command_accepted_for_the_session_is_asked_once() {
    let mut stage = Stage::open("command_for_session").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[approve twice]").await;
    decide_command(&mut stage, CommandExecutionApprovalDecision::AcceptForSession).await;
    let ended = stage.ended(&turn).await;
    assert_eq!(ended.text.as_deref(), Some("Said twice."));
    let run = ("completed".to_owned(), Some(0), "again\n".to_owned());
    assert_eq!(commands(&stage, &turn), [run.clone(), run]);
    let (_, ended) = stage.play(&thread, "[approve twice]").await;
    assert_eq!(ended.text.as_deref(), Some("Said twice."), "also in a later turn");
    assert_eq!(stage.ear.asks(), 1);
    stage.close().await;
}

#[tokio::test]
async fn a_harmless_command_asks_too() {
    let mut stage = Stage::open("command_harmless").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[approve harmless]").await;
    if differences().asks_about_harmless {
        decide_command(&mut stage, CommandExecutionApprovalDecision::Accept).await;
    } else {
        stage.lacks("it runs, and nobody is asked");
    }
    assert_eq!(stage.ended(&turn).await.text.as_deref(), Some("It was said."));
    assert_eq!(commands(&stage, &turn), [("completed".into(), Some(0), "harmless\n".into())]);
    assert_eq!(stage.ear.asks() > 0, differences().asks_about_harmless);
    stage.close().await;
}

#[tokio::test]
async fn a_file_changes_when_it_was_approved_and_only_then() {
    let mut stage = Stage::open("file_change").await;
    let approval_policy = Some(AskForApproval::Untrusted);
    let thread = stage.start_thread(ThreadStartParams { approval_policy, ..Default::default() }).await;
    let file = stage.places.workspace.join("judged.txt");
    let mut statuses = Vec::new();
    let decided = [
        ("[patch]", FileChangeApprovalDecision::Accept, "first\nsecond\n"),
        ("[patch again]", FileChangeApprovalDecision::Decline, "first\nsecond\n"),
        ("[patch again]", FileChangeApprovalDecision::Accept, "first\nchanged\n"),
    ];
    for (words, decision, content) in decided {
        let turn = stage.turn(&thread, words).await;
        decide_file(&mut stage, decision).await;
        assert_eq!(stage.ended(&turn).await.status, "completed");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        statuses.extend(stage.ear.items(&turn).filter_map(|item| match item {
            ThreadItem::FileChange(change) => change.status().as_ref().map(file_status),
            _ => None,
        }));
    }
    if differences().declined_change.len() > 1 {
        stage.lacks("the item of a declined change is completed twice");
    }
    assert_eq!(statuses, [&["completed"], differences().declined_change, &["completed"]].concat());
    stage.close().await;
}

fn file_status(status: &PatchApplyStatus<'_>) -> String {
    status.as_str().into_owned()
}
