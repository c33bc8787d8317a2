//! The scripted model and the real Codex 0.166.0: a message, an approved command and a file change, end to end.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::{path::Path, process::Stdio, sync::Arc, time::Duration};

use selvedge_rehearsal::{model::ModelServer, scenario::Scenario};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

const CODEX: &str = "SELVEDGE_CODEX_0_166_0";
const PATIENCE: Duration = Duration::from_secs(60);

/// The smallest client that can drive a turn; the real one is another crate, which must not be needed here.
struct Driver {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    next_id: u64,
}

impl Driver {
    #[expect(clippy::disallowed_methods, reason = "the owner is this test; the child ends with it")]
    async fn start(home: &Path) -> Self {
        let codex = std::env::var_os(CODEX).unwrap_or_else(|| {
            panic!(
                "{CODEX} is not set to the native Codex 0.166.0 binary: run `cargo xtask setup`, it prints it"
            )
        });
        let mut child = Command::new(codex)
            .arg("app-server")
            .current_dir(home)
            .env("CODEX_HOME", home)
            // Codex runs commands in a login shell: whatever a user starts in theirs is not part of this.
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut driver = Self { child, stdin, lines, next_id: 1 };
        let client = json!({"name": "rehearsal-test", "title": "Test", "version": "0"});
        driver
            .call("initialize", json!({"clientInfo": client, "capabilities": {"experimentalApi": true}}))
            .await;
        driver.send(json!({"method": "initialized"})).await;
        driver
    }

    async fn send(&mut self, message: Value) {
        self.stdin.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await.expect("Codex says nothing").unwrap();
        serde_json::from_str(&line.expect("Codex has ended")).unwrap()
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.send(json!({"id": id, "method": method, "params": params})).await;
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    /// Runs a turn to its end, accepts what is asked, and gives every notification and request of it.
    async fn turn(&mut self, thread: &Value, text: &str) -> Vec<Value> {
        let input = json!([{"type": "text", "text": text, "text_elements": []}]);
        self.call("turn/start", json!({"threadId": thread, "input": input})).await;
        let mut seen = Vec::new();
        loop {
            let message = self.next().await;
            if message.get("id").is_some() {
                self.send(json!({"id": message["id"], "result": {"decision": "accept"}})).await;
            }
            let ended = message["method"] == "turn/completed";
            seen.push(message);
            if ended {
                return seen;
            }
        }
    }

    async fn end(mut self) {
        drop(self.stdin);
        timeout(PATIENCE, self.child.wait()).await.expect("Codex ends when its stdin is closed").unwrap();
    }
}

fn completed<'m>(messages: &'m [Value], kind: &str) -> Vec<&'m Value> {
    let items = messages.iter().filter(|message| message["method"] == "item/completed");
    items.map(|message| &message["params"]["item"]).filter(|item| item["type"] == kind).collect()
}

fn count(messages: &[Value], method: &str) -> usize {
    messages.iter().filter(|message| message["method"] == method).count()
}

#[tokio::test]
async fn codex_plays_a_message_a_command_and_a_file_change() {
    let scenario =
        Scenario::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml")).unwrap();
    let server = ModelServer::start(Arc::new(scenario), "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.toml"), server.codex_config()).unwrap();
    let workspace = home.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();

    let mut codex = Driver::start(home.path()).await;
    // 0.166 takes `untrusted` for a thread, but does not start with it in its configuration.
    let started = codex.call("thread/start", json!({"cwd": workspace, "approvalPolicy": "untrusted"})).await;
    let thread = started["thread"]["id"].clone();

    let said = codex.turn(&thread, "[stream]").await;
    assert_eq!(count(&said, "item/agentMessage/delta"), 10);
    let message = completed(&said, "agentMessage")[0];
    assert_eq!(message["text"], "One two three four five six seven eight nine ten.");
    assert_eq!(message["phase"], "final_answer");

    let ran = codex.turn(&thread, "[approve]").await;
    assert_eq!(count(&ran, "item/commandExecution/requestApproval"), 1);
    assert_eq!(completed(&ran, "commandExecution")[0]["exitCode"], 0);
    assert_eq!(std::fs::read_to_string(workspace.join("approved.txt")).unwrap(), "approved\n");
    assert_eq!(completed(&ran, "agentMessage")[0]["text"], "The command was decided.");

    let patched = codex.turn(&thread, "[patch]").await;
    assert_eq!(count(&patched, "item/fileChange/requestApproval"), 1);
    assert_eq!(completed(&patched, "fileChange")[0]["status"], "completed");
    assert_eq!(std::fs::read_to_string(workspace.join("judged.txt")).unwrap(), "first\nsecond\n");

    let places: Vec<_> =
        server.requests().iter().map(|request| (request.user_text.clone(), request.step)).collect();
    let expected = [("[stream]", 1), ("[approve]", 1), ("[approve]", 2), ("[patch]", 1), ("[patch]", 2)];
    assert_eq!(places, expected.map(|(text, step)| (text.to_owned(), Some(step))));
    codex.end().await;
    server.stop().await.unwrap();
}
