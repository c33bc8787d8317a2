//! The two policies that come with the SDK.

use schemars::JsonSchema;
use selvedge_agent::{
    Content, Directory, PolicyState, Prompt, ReadBeforeWrite, Section, SequentialDependency, Session, Tool,
    ToolCall, ToolContext, ToolError, Toolbox,
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Params {
    path: Option<String>,
    file_path: Option<String>,
    #[serde(default)]
    fail: bool,
}

fn tool(name: &str) -> Tool {
    Tool::new(name, "Do it.", async |params: Params, _: ToolContext| {
        let _ = (params.path, params.file_path);
        if params.fail { Err(ToolError::new("failed")) } else { Ok(()) }
    })
}

fn toolbox(session: &Session, policy: impl selvedge_agent::Policy, names: &[&str]) -> Toolbox {
    let section = names.iter().map(|name| tool(name)).fold(Section::markdown("T", "t", "x"), Section::tool);
    let prompt = Prompt::text("a", "b").section(section.policy(policy)).build().unwrap();
    prompt.render(session).unwrap().toolbox(session)
}

async fn call(tools: &Toolbox, name: &str, arguments: serde_json::Value) -> Result<(), String> {
    let answer = tools.call(ToolCall::new(name, arguments)).await;
    let [Content::Text { text }] = answer.content.as_slice() else { panic!("{answer:?}") };
    if answer.success { Ok(()) } else { Err(text.clone()) }
}

#[tokio::test]
async fn a_tool_waits_for_those_it_depends_on() {
    let session = Session::new();
    let policy = SequentialDependency::new().requires("deploy", ["test", "build"]);
    let tools = toolbox(&session, policy, &["deploy", "test", "build", "other"]);
    assert_eq!(
        call(&tools, "deploy", json!({})).await,
        Err("Tool 'deploy' requires: build, test".to_owned())
    );
    assert_eq!(call(&tools, "other", json!({})).await, Ok(()));
    assert_eq!(call(&tools, "build", json!({"fail": true})).await, Err("failed".to_owned()));
    assert_eq!(call(&tools, "test", json!({})).await, Ok(()));
    // A build that failed did not happen.
    assert_eq!(call(&tools, "deploy", json!({})).await, Err("Tool 'deploy' requires: build".to_owned()));
    assert_eq!(call(&tools, "build", json!({})).await, Ok(()));
    assert_eq!(call(&tools, "deploy", json!({})).await, Ok(()));
    let state: PolicyState = session.latest().unwrap();
    assert!(state.invoked_tools.iter().eq(["build", "deploy", "other", "test"]), "{state:?}");
}

const FILES: [&str; 3] = ["read_file", "write_file", "edit_file"];

/// On a directory with `old.txt` and `dir/old.txt`, which goes when the first of them is dropped.
fn on_files(session: &Session, policy: ReadBeforeWrite) -> (tempfile::TempDir, Toolbox) {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("dir")).unwrap();
    for file in ["old.txt", "dir/old.txt"] {
        std::fs::write(home.path().join(file), "old").unwrap();
    }
    let directory = Directory::open(home.path()).unwrap();
    (home, toolbox(session, policy, &FILES).files(&directory))
}

#[tokio::test]
async fn denies_overwrite_without_read_and_allows_it_after() {
    let session = Session::new();
    let (_home, tools) = on_files(&session, ReadBeforeWrite::default());
    let denied = |path: &str| Err(format!("File '{path}' must be read before overwriting."));
    assert_eq!(call(&tools, "write_file", json!({"path": "/old.txt"})).await, denied("/old.txt"));
    assert_eq!(call(&tools, "edit_file", json!({"file_path": "old.txt"})).await, denied("old.txt"));
    // Another way to write the same path, and one that is not read by reading another.
    assert_eq!(call(&tools, "write_file", json!({"path": "dir/../old.txt"})).await, denied("dir/../old.txt"));
    assert_eq!(call(&tools, "read_file", json!({"path": "dir/old.txt"})).await, Ok(()));
    assert_eq!(call(&tools, "write_file", json!({"path": "old.txt"})).await, denied("old.txt"));
    assert_eq!(
        call(&tools, "read_file", json!({"path": "old.txt", "fail": true})).await,
        Err("failed".to_owned())
    );
    assert_eq!(call(&tools, "write_file", json!({"path": "old.txt"})).await, denied("old.txt"));
    assert_eq!(call(&tools, "read_file", json!({})).await, Ok(()));
    assert_eq!(call(&tools, "read_file", json!({"path": "./old.txt"})).await, Ok(()));
    assert_eq!(call(&tools, "write_file", json!({"path": "/old.txt"})).await, Ok(()));
    let state: PolicyState = session.latest().unwrap();
    let read = |path: &str| ("read_file".to_owned(), path.to_owned());
    assert!(state.invoked_keys.iter().eq([&read("dir/old.txt"), &read("old.txt")]), "{state:?}");
}

#[tokio::test]
async fn new_files_calls_without_a_path_and_places_without_files_are_allowed() {
    let session = Session::new();
    let (_home, tools) = on_files(&session, ReadBeforeWrite::default());
    assert_eq!(call(&tools, "write_file", json!({"path": "new.txt"})).await, Ok(()));
    assert_eq!(call(&tools, "write_file", json!({})).await, Ok(()));
    let blind = toolbox(&session, ReadBeforeWrite::default(), &FILES);
    assert_eq!(call(&blind, "write_file", json!({"path": "old.txt"})).await, Ok(()));
}

#[tokio::test]
async fn custom_read_write_tools_and_a_mount_point() {
    let session = Session::new();
    let policy = ReadBeforeWrite::new(["edit_file"], ["read_file"]).mount_point("/workspace");
    let (_home, tools) = on_files(&session, policy);
    let denied = Err("File '/workspace/old.txt' must be read before overwriting.".to_owned());
    assert_eq!(call(&tools, "read_file", json!({"path": "/workspace/old.txt"})).await, denied);
    assert_eq!(call(&tools, "edit_file", json!({"path": "old.txt"})).await, Ok(()));
    assert_eq!(call(&tools, "read_file", json!({"path": "/workspace/old.txt"})).await, Ok(()));
    assert_eq!(call(&tools, "write_file", json!({"path": "dir/old.txt"})).await, Ok(()));
}

#[tokio::test]
async fn policies_share_their_state_and_keep_each_other_s_part() {
    let session = Session::new();
    let section = FILES.iter().map(|name| tool(name)).fold(Section::markdown("T", "t", "x"), Section::tool);
    let prompt = Prompt::text("a", "b")
        .section(section.policy(ReadBeforeWrite::default()))
        .policy(SequentialDependency::new().requires("edit_file", ["read_file"]))
        .build()
        .unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session);
    assert_eq!(call(&tools, "read_file", json!({"path": "a"})).await, Ok(()));
    let state: PolicyState = session.latest().unwrap();
    assert_eq!((state.invoked_tools.len(), state.invoked_keys.len()), (1, 1));
    assert_eq!(session.all::<PolicyState>().len(), 1);
}
