//! Workspaces on Codex: it works in them, its tools' files come and go with their calls, and what it may do is what it was told.

use std::fs;
use std::path::Path;

use selvedge_agent::testing::Rehearsal;
use selvedge_agent::{
    Codex, CodexThread, HostMount, Prompt, Sandbox, Section, Session, Tool, ToolContext, ToolError, Workspace,
};
use selvedge_runtime::{
    Runtime,
    session::{SessionId, Settings},
};
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    stage::{Setup, Stage, on_both, on_the_real},
    support::{Lookup, invoked, says},
};

on_both!(
    codex_works_in_the_workspace_of_its_prompt,
    a_directory_that_is_given_is_where_codex_works,
    tool_failure_rolls_back_filesystem,
    evaluations_side_by_side_have_workspaces_of_their_own,
    another_workspace_needs_another_thread,
    the_sandbox_reaches_codex,
    without_a_workspace_tools_work_where_codex_does,
);

on_the_real!(a_read_only_workspace_stays_as_it_is);

const RULES: &str = r#"
[[rule]]
contains = "[copies]"
step = [
  { do = [ { run = { command = "cat repo/main.rs > copied.txt" } } ] },
  { do = [ { say = { text = "Copied.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[notes]"
step = [
  { do = [ { tool = { name = "note", arguments = { id = "one" } } } ] },
  { do = [ { tool = { name = "note", arguments = { id = "fail" } } } ] },
  { do = [ { tool = { name = "note", arguments = { id = "three" } } } ] },
  { do = [ { say = { text = "Noted.", phase = "final_answer" } } ] },
]
"#;

/// A workspace with one file that holds this.
async fn workspace(stage: &Stage, contents: &str) -> Workspace {
    let repository = stage.work("repo");
    fs::create_dir_all(&repository).unwrap();
    fs::write(repository.join("main.rs"), contents).unwrap();
    Workspace::builder().mount(HostMount::new(repository)).allowed_root(stage.work("")).build().await.unwrap()
}

fn about(workspace: &Workspace, task: Section) -> Prompt {
    Prompt::text("tests", "workspace").section(workspace.section()).section(task).build().unwrap()
}

fn task(text: &str) -> Section {
    Section::markdown("Task", "task", text)
}

/// A Codex that was told of no directory.
async fn anywhere(stage: &Stage) -> Codex {
    Codex::builder().runtime(stage.config()).sandbox(Sandbox::DangerFullAccess).build().await.unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

/// Notes something in a file, then fails if that is what it is to note.
fn note() -> Tool {
    Tool::new("note", "Note something.", async |params: Lookup, context: ToolContext| {
        let files = context.files()?;
        let before = if files.exists("notes") { files.read_to_string("notes")? } else { String::new() };
        files.write("notes", format!("{before}{} ", params.id))?;
        files.write(&format!("made/{}", params.id), "x")?;
        if params.id == "fail" { Err(ToolError::new("not that")) } else { Ok("noted") }
    })
}

async fn codex_works_in_the_workspace_of_its_prompt(setup: Setup) {
    let stage = setup.play(RULES).await;
    let codex = anywhere(&stage).await;
    let workspace = workspace(&stage, "fn main() {}\n").await;
    let path = workspace.path().to_owned();
    let prompt = about(&workspace, task("[copies]"));
    let reply = codex.evaluate(&prompt, &Session::new()).await.unwrap();
    assert_eq!(
        (reply.text.as_str(), read(path.join("copied.txt"))),
        ("Copied.", "fn main() {}\n".to_owned())
    );
    assert!(!stage.work("copied.txt").exists() && !stage.work("repo/copied.txt").exists());
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("**repo** (directory):\\n  - main.rs\\n  - Total: 13 bytes"), "{asked}");
        assert!(asked.contains(path.to_str().unwrap()), "the model is told where it works");
    }
    drop(prompt);
    workspace.close().await.unwrap();
    assert!(!path.exists(), "it goes while Codex is still there");
    stage.close(codex).await;
}

async fn a_directory_that_is_given_is_where_codex_works(setup: Setup) {
    let stage = setup.play(RULES).await;
    let codex = stage.codex().await;
    let workspace = workspace(&stage, "fn main() {}\n").await;
    codex.evaluate(&about(&workspace, task("[copies]")), &Session::new()).await.unwrap();
    assert!(stage.work("copied.txt").exists() && !workspace.path().join("copied.txt").exists());
    codex.evaluate(&about(&workspace, task("[notes]").tool(note())), &Session::new()).await.unwrap();
    assert_eq!(read(workspace.path().join("notes")), "one three ", "its tools work in the workspace");
    assert!(!stage.work("notes").exists());
    drop(workspace);
    assert!(
        stage.work("copied.txt").exists() && stage.work("repo/main.rs").exists(),
        "what is given is not cleaned"
    );
    stage.close(codex).await;
}

async fn tool_failure_rolls_back_filesystem(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (anywhere(&stage).await, Session::new());
    let workspace = workspace(&stage, "x").await;
    fs::write(workspace.path().join(".env"), "SECRET=1").unwrap();
    let reply = codex.evaluate(&about(&workspace, task("[notes]").tool(note())), &session).await.unwrap();
    assert_eq!(reply.text, "Noted.");
    assert_eq!(
        invoked(&session).into_iter().map(|(_, success)| success).collect::<Vec<_>>(),
        [true, false, true]
    );
    assert_eq!(read(workspace.path().join("notes")), "one three ");
    let made = |id: &str| workspace.path().join("made").join(id).exists();
    assert!(made("one") && !made("fail") && made("three") && workspace.path().join(".env").exists());
    stage.close(codex).await;
}

async fn evaluations_side_by_side_have_workspaces_of_their_own(setup: Setup) {
    let stage = setup.play(RULES).await;
    let codex = anywhere(&stage).await;
    let mut evaluations = JoinSet::new();
    for number in 0..4 {
        let (codex, workspace) = (codex.clone(), workspace(&stage, &number.to_string()).await);
        evaluations.spawn(async move {
            let prompt = about(&workspace, task("[copies]"));
            codex.evaluate(&prompt, &Session::new()).await.unwrap();
            assert_eq!(read(workspace.path().join("copied.txt")), number.to_string());
        });
    }
    evaluations.join_all().await;
    stage.close(codex).await;
}

async fn another_workspace_needs_another_thread(setup: Setup) {
    let stage = setup.play(RULES).await;
    let codex = stage.builder().reuse_thread().build().await.unwrap();
    let session = Session::new();
    let one = workspace(&stage, "x").await;
    let first = codex.evaluate(&about(&one, task("[stream]")), &session).await.unwrap();
    let again = codex.evaluate(&about(&one, task("[think]")), &session).await.unwrap();
    assert_eq!((&again.thread_id, again.resumed), (&first.thread_id, true));
    // Codex works in the same directory, but what the prompt is about is something else.
    let mount = HostMount::new(stage.work("repo")).exclude("*.md");
    let other = Workspace::builder().mount(mount).build().await.unwrap();
    let second = codex.evaluate(&about(&other, task("[think]")), &session).await.unwrap();
    assert_ne!(second.thread_id, first.thread_id);
    let none = codex.evaluate(&says("[think]"), &session).await.unwrap();
    assert!(none.thread_id != first.thread_id && none.thread_id != second.thread_id);
    let known: Vec<_> =
        session.all::<CodexThread>().iter().map(|it| it.workspace_fingerprint.clone()).collect();
    assert_eq!(known, [Some(one.fingerprint().to_owned()), Some(other.fingerprint().to_owned()), None]);
    stage.close(codex).await;
}

async fn the_sandbox_reaches_codex(setup: Setup) {
    let stage = setup.play("").await;
    let workspace = workspace(&stage, "x").await;
    for (sandbox, word) in [(Sandbox::ReadOnly, "read-only"), (Sandbox::WorkspaceWrite, "workspace-write")] {
        let codex = Codex::builder().runtime(stage.config()).sandbox(sandbox).build().await.unwrap();
        let reply = codex.evaluate(&about(&workspace, task("[stream]")), &Session::new()).await.unwrap();
        if let Some(asked) = stage.last_asked() {
            assert!(asked.contains(&format!("`sandbox_mode` is `{word}`")), "{asked}");
        }
        codex.close().await;
        let settings = made_with(&stage, reply.session_id).await;
        assert_eq!(
            (settings.sandbox, settings.cwd.as_str()),
            (Some(sandbox), workspace.path().to_str().unwrap())
        );
    }
    let codex = stage.codex().await;
    stage.close(codex).await;
}

/// What a session was made with.
async fn made_with(stage: &Stage, session: Uuid) -> Settings {
    let runtime = Runtime::open_quietly(stage.config()).await.unwrap();
    let settings = runtime.session(SessionId(session)).await.unwrap().settings().await.unwrap();
    runtime.shut_down().await;
    settings
}

#[tokio::test]
async fn where_it_works_and_what_it_may_do_is_said_when_a_thread_begins() {
    let rehearsal = Rehearsal::saying("Hello.");
    let workspace = Workspace::builder().build().await.unwrap();
    for (sandbox, word) in [
        (Sandbox::ReadOnly, "read-only"),
        (Sandbox::WorkspaceWrite, "workspace-write"),
        (Sandbox::DangerFullAccess, "danger-full-access"),
    ] {
        let codex = rehearsal.codex().sandbox(sandbox).build().await.unwrap();
        codex.evaluate(&about(&workspace, task("Hello?")), &Session::new()).await.unwrap();
        let begun = rehearsal.heard("thread/start").pop().unwrap();
        assert_eq!((&begun["sandbox"], &begun["cwd"]), (&json!(word), &json!(workspace.path())));
        codex.close().await;
    }
}

async fn a_read_only_workspace_stays_as_it_is(setup: Setup) {
    let stage = setup.play(RULES).await;
    let workspace = workspace(&stage, "x").await;
    let codex = Codex::builder().runtime(stage.config()).sandbox(Sandbox::ReadOnly).build().await.unwrap();
    let session = Session::new();
    codex.evaluate(&about(&workspace, task("[copies]")), &session).await.unwrap();
    // Older ones refuse the command before it is one.
    assert!(invoked(&session).iter().all(|(_, success)| !success), "{:?}", invoked(&session));
    assert!(!workspace.path().join("copied.txt").exists());
    stage.close(codex).await;
}

async fn without_a_workspace_tools_work_where_codex_does(setup: Setup) {
    let stage = setup.play(RULES).await;
    let codex = stage.codex().await;
    fs::write(stage.work("mine"), "mine").unwrap();
    let prompt = Prompt::text("tests", "plain").section(task("[notes]").tool(note())).build().unwrap();
    codex.evaluate(&prompt, &Session::new()).await.unwrap();
    assert_eq!((read(stage.work("notes")), read(stage.work("mine"))), ("one three ".into(), "mine".into()));
    assert!(!stage.work("made/fail").exists());
    stage.close(codex).await;
}
