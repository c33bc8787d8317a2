//! What was measured on the real Codex and much stands on: asked again of every version that is judged.

use std::{fs, path::Path, process::Stdio, time::Duration};

use selvedge_client::Client;
use selvedge_protocol::say::{AskForApproval, ThreadStartParams};
use selvedge_runtime::examine::turn_now;
use selvedge_session::Verdict;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::stage::{Stage, fresh, unsandboxed};

const PATIENCE: Duration = Duration::from_secs(60);

/// An app-server to which anything can be written.
struct Raw {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Raw {
    async fn start(stage: &Stage) -> Self {
        let codex = std::env::var_os("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where it is");
        #[expect(clippy::disallowed_methods, reason = "this test writes what no client would, and kills it")]
        let mut command = Command::new(codex);
        command.arg("app-server").env("CODEX_HOME", &stage.home).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut raw = Self { child, input, output };
        raw.ask("initialize", 1, &json!({"clientInfo": {"name": "measured", "version": "1"}})).await;
        assert_eq!(raw.next_answer().await, 1);
        raw.write(b"{\"method\":\"initialized\"}\n").await;
        raw
    }

    async fn write(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).await.unwrap();
        self.input.flush().await.unwrap();
    }

    async fn ask(&mut self, method: &str, id: u64, params: &Value) {
        let line = json!({"method": method, "id": id, "params": params});
        self.write(format!("{line}\n").as_bytes()).await;
    }

    /// The id of the next answer.
    async fn next_answer(&mut self) -> u64 {
        loop {
            let line = timeout(PATIENCE, self.output.next_line()).await.unwrap().unwrap().expect("it lives");
            let said: Value = serde_json::from_str(&line).unwrap();
            if let (Some(id), None) = (said["id"].as_u64(), said.get("method")) {
                return id;
            }
        }
    }
}

#[tokio::test]
async fn half_a_line_swallows_the_next_request_and_half_a_character_ends_the_app_server() {
    let stage = Stage::open().await;
    let mut raw = Raw::start(&stage).await;
    raw.write(b"{\"method\":\"thread/loaded/li").await;
    raw.ask("thread/loaded/list", 2, &json!({})).await;
    raw.ask("thread/loaded/list", 3, &json!({})).await;
    assert_eq!(raw.next_answer().await, 3, "the second was swallowed");
    raw.write(b"{\"method\":\"\xc3\n").await;
    timeout(PATIENCE, raw.child.wait()).await.expect("it ends although its input is open").unwrap();
    stage.close().await;
}

#[tokio::test]
async fn a_thread_loaded_again_repeats_what_it_asks_under_the_same_id_and_takes_the_first_answer() {
    let mut stage = Stage::open().await;
    let asks = ThreadStartParams {
        approval_policy: Some(AskForApproval::OnRequest),
        ..ThreadStartParams::default()
    };
    let (thread, _) = stage.thread(asks).await;
    let turn = stage.turn(&thread, fresh(), "[approve]").await;
    let (id, asked) = stage.next_ask().await;
    // While it waits, both questions are answered at once: the one after the turn, and the one after the process.
    let goes_on = Verdict::InProgress { turn_id: Some(turn.clone()) };
    assert_eq!(turn_now(stage.whom(), &thread, Some(&turn)).await.unwrap(), goes_on);
    let loaded = stage.client.request("thread/loaded/list", &json!({})).await.unwrap();
    assert!(loaded.result().get().contains(&thread), "{}", loaded.result());
    stage.client.request("thread/resume", &json!({"threadId": thread})).await.unwrap();
    let (again, repeated) = stage.next_ask().await;
    assert_eq!((again, &repeated["itemId"]), (id.clone(), &asked["itemId"]));
    stage.client.answer(&id, &json!({"decision": "decline"})).unwrap();
    stage.client.answer(&id, &json!({"decision": "accept"})).unwrap();
    stage.until_method("turn/completed").await;
    assert!(!stage.workspace.join("approved.txt").exists(), "the second answer changes nothing");
    stage.close().await;
}

#[tokio::test]
async fn a_thread_nobody_listens_to_stays_with_its_process_until_it_is_put_away_and_taken_out() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    stage.play(&thread, "[stream]").await;
    let this = json!({"threadId": thread});
    stage.client.request("thread/unsubscribe", &this).await.unwrap();
    let other = stage.another().await;
    let refused = other.client.request("thread/resume", &this).await.unwrap_err();
    assert!(refused.to_string().contains("active writer"), "{refused}");
    stage.client.request("thread/archive", &this).await.unwrap();
    stage.client.request("thread/unarchive", &this).await.unwrap();
    other.client.request("thread/resume", &this).await.expect("its writer is gone");
    other.process.shut_down().await;
    stage.close().await;
}

/// So a session whose turn hears no interrupt goes on at once.
#[tokio::test]
async fn a_thread_that_another_process_works_on_can_be_forked() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(ThreadStartParams::default()).await;
    stage.turn(&thread, fresh(), "[slow]").await;
    stage.until_method("item/agentMessage/delta").await;
    let other = stage.another().await;
    let fork = other.client.request("thread/fork", &json!({"threadId": thread})).await.expect("a copy");
    let fork: Value = serde_json::from_str(fork.result().get()).unwrap();
    assert_ne!(fork["thread"]["id"], thread.as_str());
    assert_eq!(fork["thread"]["turns"][0]["status"], "interrupted", "with the turn as far as it is stored");
    other.process.shut_down().await;
    stage.close().await;
}

/// So whoever has a thread let go of does not lose its sub-agents.
#[tokio::test]
async fn what_is_put_away_and_taken_out_has_its_sub_agents_with_it() {
    let mut stage = Stage::open().await;
    let (thread, _) = stage.thread(unsandboxed()).await;
    stage.play(&thread, "[spawn]").await;
    assert_eq!((loaded(&stage.client).await, rollouts(&stage, "archived_sessions")), (2, 0));
    let this = json!({"threadId": thread});
    stage.client.request("thread/archive", &this).await.unwrap();
    assert_eq!((loaded(&stage.client).await, rollouts(&stage, "archived_sessions")), (0, 2));
    stage.client.request("thread/unarchive", &this).await.unwrap();
    assert_eq!((rollouts(&stage, "sessions"), rollouts(&stage, "archived_sessions")), (2, 0));
    stage.close().await;
}

async fn loaded(client: &Client) -> usize {
    let answer = client.request("thread/loaded/list", &json!({})).await.unwrap();
    let answer: Value = serde_json::from_str(answer.result().get()).unwrap();
    answer["data"].as_array().unwrap().len()
}

/// How many threads are stored there.
fn rollouts(stage: &Stage, folder: &str) -> usize {
    fn count(directory: &Path) -> usize {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&stage.home.join(folder))
}
