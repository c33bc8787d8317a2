//! Files and calls: what a call writes is there for all when it has succeeded, and nowhere when it has not.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use selvedge_agent::{
    Directory, FileError, Files, HostMount, Prompt, ReadBeforeWrite, Section, Session, Tool, ToolCall,
    ToolContext, ToolError, ToolFailure, Toolbox,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::calling::{failed, text, toolbox};
use crate::workspace::{built, files_below, host};

#[derive(Deserialize, JsonSchema)]
struct Edit {
    path: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    fail: bool,
}

/// Writes a file, and others beside it, then fails if it is told to.
fn write_file() -> Tool {
    Tool::new("write_file", "Write a file.", async |params: Edit, context: ToolContext| {
        let files = context.files()?;
        files.write(&params.path, &params.text)?;
        files.write("made/by/the/way", "x")?;
        if files.exists("old.txt") && params.path != "old.txt" {
            files.remove("old.txt")?;
        }
        assert_eq!(files.read_to_string(&params.path)?, params.text, "it sees what it wrote");
        if params.fail { Err(ToolError::new("after all")) } else { Ok("written") }
    })
}

fn read_file() -> Tool {
    Tool::new("read_file", "Read a file.", async |params: Edit, context: ToolContext| {
        Ok(context.files()?.read_to_string(&params.path)?)
    })
}

fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall::new(tool, arguments)
}

fn on(directory: &Path, session: &Session, tools: impl IntoIterator<Item = Tool>) -> Toolbox {
    toolbox(session, tools).files(&Directory::open(directory).unwrap())
}

#[tokio::test]
async fn tool_failure_rolls_back_filesystem() {
    let host = host([
        ("old.txt", "old"),
        (".env", "SECRET=1"),
        (".gitignore", ".env\n"),
        ("nested/.git/HEAD", "ref"),
    ]);
    let session = Session::new();
    let tools = on(host.path(), &session, [write_file()]);
    let before = files_below(host.path());
    let answer =
        tools.call(call("write_file", json!({"path": "new.txt", "text": "new", "fail": true}))).await;
    assert_eq!(failed(&answer, &session), ("after all".to_owned(), ToolFailure::Failed));
    assert_eq!(files_below(host.path()), before, "nothing came, and nothing of the user's went");
    assert!(!host.path().join("made").exists());
    let answer = tools.call(call("write_file", json!({"path": "new.txt", "text": "new"}))).await;
    assert!(answer.success);
    let after = [".env", ".gitignore", "made/by/the/way", "nested/.git/HEAD", "new.txt"];
    assert_eq!(files_below(host.path()), after);
}

#[tokio::test]
async fn sequential_operations_isolation() {
    let host = host([]);
    let tools = on(host.path(), &Session::new(), [write_file()]);
    for (path, fail) in [("one", false), ("two", true), ("three", false)] {
        tools.call(call("write_file", json!({"path": path, "text": path, "fail": fail}))).await;
    }
    assert_eq!(files_below(host.path()), ["made/by/the/way", "one", "three"]);
}

#[tokio::test]
async fn a_call_that_panics_or_is_left_writes_nothing() {
    let host = host([("old.txt", "old")]);
    let session = Session::new();
    let kept: Arc<Mutex<Option<Files>>> = Arc::default();
    let keeping = kept.clone();
    let wait = Tool::new("wait", "Write, then wait.", move |(): (), context: ToolContext| {
        let keeping = keeping.clone();
        async move {
            context.files()?.write("old.txt", "new")?;
            *keeping.lock().unwrap() = Some(context.files()?.clone());
            std::future::pending::<Result<(), ToolError>>().await
        }
    });
    let panic = Tool::new("panic", "Write, then panic.", async |(): (), context: ToolContext| {
        context.files()?.write("old.txt", "new")?;
        if context.files()?.exists("old.txt") {
            panic!("a handler's mistake");
        }
        Ok(())
    });
    let tools = on(host.path(), &session, [wait, panic]);
    assert!(!tools.call(call("panic", json!({}))).await.success);
    {
        let mut left = Box::pin(tools.call(call("wait", json!({}))));
        let waker = std::task::Waker::noop();
        assert!(left.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    }
    assert_eq!(fs::read_to_string(host.path().join("old.txt")).unwrap(), "old");
    let late = kept.lock().unwrap().take().unwrap();
    assert!(matches!(late.write("old.txt", "late"), Err(FileError::Ended)));
    assert_eq!(late.read_to_string("old.txt").unwrap(), "old");
}

#[tokio::test]
async fn calls_side_by_side_see_only_their_own_and_undo_only_their_own() {
    let host = host([("shared.txt", "before")]);
    let together = Arc::new(Barrier::new(6));
    let tool = Tool::new("work", "Write, and fail if told.", move |params: Edit, context: ToolContext| {
        let together = together.clone();
        async move {
            let files = context.files()?;
            files.write(&params.path, &params.text)?;
            files.write("shared.txt", &params.text)?;
            // All have written before any of them ends.
            together.wait().await;
            assert_eq!(files.read_to_string("shared.txt")?, params.text);
            let seen = files.list("")?.into_iter().filter(|it| it.name.starts_with('n')).count();
            assert_eq!(seen, 1, "only its own");
            together.wait().await;
            if params.fail { Err(ToolError::new("no")) } else { Ok(()) }
        }
    });
    let tools = Arc::new(on(host.path(), &Session::new(), [tool]));
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..6 {
        let tools = tools.clone();
        let arguments =
            json!({"path": format!("n{number}"), "text": number.to_string(), "fail": number % 2 == 1});
        calls.spawn(async move { tools.call(call("work", arguments)).await.success });
    }
    let successes = calls.join_all().await.into_iter().filter(|success| *success).count();
    assert_eq!(successes, 3);
    assert_eq!(files_below(host.path()), ["n0", "n2", "n4", "shared.txt"]);
    let shared = fs::read_to_string(host.path().join("shared.txt")).unwrap();
    assert!(["0", "2", "4"].contains(&shared.as_str()), "whole, and of one that succeeded: {shared}");
}

#[tokio::test]
async fn what_somebody_else_changed_since_it_was_read_is_not_lost() {
    let host = host([("shared.txt", "before")]);
    let path = host.path().join("shared.txt");
    let other = path.clone();
    let append = Tool::new("append", "Append to a file.", move |params: Edit, context: ToolContext| {
        let other = other.clone();
        async move {
            let files = context.files()?;
            let before = files.read_to_string("shared.txt").unwrap_or_default();
            if !params.text.is_empty() {
                fs::write(&other, &params.text)?;
            }
            files.write("shared.txt", format!("{before}+"))?;
            files.write("beside.txt", "x")?;
            Ok(())
        }
    });
    let session = Session::new();
    let tools = on(host.path(), &session, [append]);
    let answer = tools.call(call("append", json!({"path": "", "text": "by somebody else"}))).await;
    let (said, why) = failed(&answer, &session);
    assert!(
        said.starts_with(
            "Error: `shared.txt` was changed by somebody else meanwhile; nothing was written\nhint: "
        ),
        "{said}"
    );
    assert_eq!((why, fs::read_to_string(&path).unwrap().as_str()), (ToolFailure::Failed, "by somebody else"));
    assert!(!host.path().join("beside.txt").exists(), "not even what could be");
    assert!(tools.call(call("append", json!({"path": ""}))).await.success);
    assert_eq!(fs::read_to_string(&path).unwrap(), "by somebody else+");
}

#[tokio::test]
async fn read_before_write_holds_on_a_workspace() {
    let host = host([("repo/old.txt", "old")]);
    let workspace = built([HostMount::new(host.path().join("repo"))]).await.unwrap();
    let session = Session::new();
    let section = workspace.section().tool(write_file()).tool(read_file()).policy(ReadBeforeWrite::default());
    let prompt = Prompt::text("a", "b").section(section).build().unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session);
    let over = call("write_file", json!({"path": "repo/old.txt", "text": "new"}));
    let denied = tools.call(over.clone()).await;
    assert_eq!(text(&denied), "File 'repo/old.txt' must be read before overwriting.");
    assert!(tools.call(call("write_file", json!({"path": "repo/new.txt", "text": "new"}))).await.success);
    assert!(tools.call(call("read_file", json!({"path": "./repo/old.txt"}))).await.success);
    assert!(tools.call(over).await.success);
    assert_eq!(fs::read_to_string(workspace.path().join("repo/old.txt")).unwrap(), "new");
    assert_eq!(fs::read_to_string(host.path().join("repo/old.txt")).unwrap(), "old");
}

#[tokio::test]
async fn a_file_that_came_after_the_policy_had_looked_is_not_written_over() {
    let host = host([]);
    let path = host.path().join("new.txt");
    let other = path.clone();
    let write = Tool::new("write_file", "Write a file.", move |params: Edit, context: ToolContext| {
        fs::write(&other, "theirs").unwrap();
        async move { Ok(context.files()?.write(&params.path, "ours")?) }
    });
    let section = Section::markdown("T", "t", "x").tool(write).policy(ReadBeforeWrite::default());
    let session = Session::new();
    let tools =
        Prompt::text("a", "b").section(section).build().unwrap().render(&session).unwrap().toolbox(&session);
    let tools = tools.files(&Directory::open(host.path()).unwrap());
    assert!(!tools.call(call("write_file", json!({"path": "new.txt"}))).await.success);
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
}
