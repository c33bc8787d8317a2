//! What a user of the simulated app-server relies on, over a pair of pipes.

mod app_server_support;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use app_server_support::{Client, text};
use selvedge_rehearsal::{
    app_server::{End, Options, serve},
    scenario::Scenario,
};
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, net::unix::pipe, task::JoinHandle, time::timeout};

const SCENARIO: &str = r##"
name = "tests"
[[rule]]
contains = "hello"
step = [{ do = [
  { think = { text = "Let me see" } },
  { say = { text = "Hello there", deltas = 2 } },
  { usage = { input = 100, cached = 40, output = 20, reasoning = 5 } },
] }]
[[rule]]
contains = "run"
step = [
  { do = [{ run = { command = "echo ran > ran.txt; echo done", escalate = true, justification = "May I?" } }] },
  { do = [{ say = { text = "after" } }] },
]
[[rule]]
contains = "sleep"
step = [{ do = [{ run = { command = "echo begun; sleep 1000" } }] }, { do = [{ say = { text = "slept" } }] }]
[[rule]]
contains = "hold"
step = [{ do = [{ run = { command = "exec 3>fifo; echo begun; sleep 1000" } }] }]
[[rule]]
contains = "short"
step = [{ do = [{ run = { command = "cat fifo" } }] }, { do = [{ say = { text = "rested" } }] }]
[[rule]]
contains = "patch"
step = [
  { do = [{ patch = { patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch" } }] },
  { do = [{ say = { text = "patched" } }] },
]
[[rule]]
contains = "tool"
step = [
  { do = [{ tool = { name = "lookup", arguments = { id = "A" } } }] },
  { do = [{ say = { text = "looked up" } }] },
]
[[rule]]
contains = "plan"
step = [
  { do = [{ plan = { steps = [{ step = "one", status = "in_progress" }] } }] },
  { do = [{ say = { text = "planned" } }] },
]
[[rule]]
contains = "ask"
step = [
  { do = [{ ask = { questions = [{ id = "q", header = "H", question = "Which?", options = ["a", "b"] }] } }] },
  { do = [{ say = { text = "asked" } }] },
]
[[rule]]
contains = "answer"
step = [{ do = [{ answer = {} }] }]
[[rule]]
contains = "fail"
step = [{ do = [{ fail = { as = "server_error" } }] }]
[[rule]]
contains = "hang"
step = [{ do = [{ hang = {} }] }]
[[rule]]
contains = "crash"
step = [{ do = [{ say = { text = "last words" } }, { crash = { code = 3 } }] }]
[[rule]]
contains = "garbage"
step = [{ do = [{ garbage = {} }, { say = { text = "fine again" } }] }]
[[rule]]
contains = "half"
step = [{ do = [{ half_line = {} }, { say = { text = "fine again" } }] }]
[[rule]]
contains = "huge"
step = [{ do = [{ huge_line = { bytes = 3000000 } }, { say = { text = "fine again" } }] }]
[[rule]]
contains = "flood"
step = [{ do = [{ flood = { deltas = 5000 } }] }]
[[rule]]
regex = "^echo (.*)$"
step = [{ do = [{ say = { text = "$1" } }] }]
"##;

struct Served {
    client: Client,
    server: JoinHandle<std::io::Result<End>>,
    dir: PathBuf,
}

/// A client of a fresh server; its threads are kept in `home`, its commands run in `home/work`.
async fn served(home: &Path, faults: &str) -> Served {
    let mut served = silent(home, faults);
    served.client.initialize().await;
    served.client.until("remoteControl/status/changed").await;
    served.client.forget();
    served
}

fn silent(home: &Path, faults: &str) -> Served {
    let dir = home.join("work");
    std::fs::create_dir_all(&dir).unwrap();
    let scenario: Scenario = toml::from_str(SCENARIO).unwrap();
    let options = Options { scenario, faults: faults.parse().unwrap(), home: Some(home.to_owned()) };
    let (to_server, server_in) = tokio::io::duplex(64 * 1024);
    let (server_out, from_server) = tokio::io::duplex(64 * 1024);
    #[expect(clippy::disallowed_methods, reason = "the handle is kept, and the test awaits it")]
    let server = tokio::spawn(serve(options, server_in, server_out));
    Served { client: Client::new(to_server, from_server), server, dir }
}

impl Served {
    async fn thread(&mut self, more: Value) -> String {
        let mut params = json!({ "cwd": self.dir });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let thread = self.client.start_thread(params).await;
        self.client.until("thread/started").await;
        self.client.forget();
        thread
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn items_of<'a>(client: &'a Client, method: &str, kind: &str) -> Vec<&'a Value> {
    let of_method = client.heard.iter().filter(|message| message["method"] == method);
    of_method.map(|message| &message["params"]["item"]).filter(|item| item["type"] == kind).collect()
}

#[tokio::test]
async fn it_says_that_it_is_a_rehearsal_and_of_which_version() {
    let home = home();
    let mut served = silent(home.path(), "");
    let result = served.client.initialize().await;
    let agent = text(&result["userAgent"]);
    assert!(agent.starts_with("selvedge-rehearsal/0.166.0 (rehearsal"), "{agent}");
    assert_eq!(result["codexHome"], json!(home.path()));
    let warning = served.client.until("configWarning").await;
    assert!(text(&warning["params"]["summary"]).contains("not Codex"));
}

#[tokio::test]
async fn a_turn_is_told_in_codex_s_order() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let params = json!({
        "threadId": thread, "input": [{ "type": "text", "text": "hello" }], "clientUserMessageId": "mine",
        "effort": "high",
    });
    served.client.call("turn/start", params).await;
    let turn = served.client.until("turn/completed").await["params"]["turn"].clone();
    assert_eq!(
        served.client.methods(),
        [
            "thread/settings/updated",
            "thread/status/changed",
            "turn/started",
            "item/started",
            "item/completed",
            "item/started",
            "item/reasoning/summaryPartAdded",
            "item/reasoning/summaryTextDelta",
            "item/reasoning/summaryTextDelta",
            "item/reasoning/summaryTextDelta",
            "item/completed",
            "item/started",
            "item/agentMessage/delta",
            "item/agentMessage/delta",
            "item/completed",
            "thread/tokenUsage/updated",
            "account/rateLimits/updated",
            "thread/readState/changed",
            "thread/status/changed",
            "turn/completed",
        ]
    );
    assert_eq!((&turn["status"], &turn["items"][0]["text"]), (&json!("completed"), &json!("Hello there")));
    let user = items_of(&served.client, "item/completed", "userMessage")[0];
    assert_eq!((&user["clientId"], &user["content"][0]["text"]), (&json!("mine"), &json!("hello")));
    assert!(served.client.heard.iter().all(|m| m.get("method").is_none() || m["emittedAtMs"].is_i64()));
}

#[tokio::test]
async fn usage_is_counted_per_response_and_in_total() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    served.client.play(&thread, "hello").await;
    served.client.forget();
    served.client.play(&thread, "hello again").await;
    let usage = served.client.heard.iter().find(|m| m["method"] == "thread/tokenUsage/updated").unwrap();
    let usage = &usage["params"]["tokenUsage"];
    assert_eq!((&usage["total"]["totalTokens"], &usage["last"]["totalTokens"]), (&json!(240), &json!(120)));
}

#[tokio::test]
async fn a_command_runs_only_when_accepted() {
    for (decision, status, ran) in [
        (json!("accept"), "completed", true),
        (json!("acceptForSession"), "completed", true),
        (json!({ "acceptWithExecpolicyAmendment": { "execpolicy_amendment": ["echo"] } }), "completed", true),
        (json!("decline"), "declined", false),
        (json!("cancel"), "declined", false),
        (json!("bogus"), "failed", false),
    ] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({})).await;
        served.client.answer_always("item/commandExecution/requestApproval", json!({ "decision": decision }));
        let turn = served.client.play(&thread, "run it").await;
        let item = items_of(&served.client, "item/completed", "commandExecution")[0];
        assert_eq!(item["status"], status, "{decision}");
        assert_eq!(served.dir.join("ran.txt").exists(), ran, "{decision}");
        let ended = if decision == "cancel" { "interrupted" } else { "completed" };
        assert_eq!(turn["status"], ended, "{decision}");
        assert!(served.client.methods().contains(&"serverRequest/resolved".to_owned()));
        if ran {
            assert_eq!((&item["aggregatedOutput"], &item["exitCode"]), (&json!("done\n"), &json!(0)));
        }
    }
}

#[tokio::test]
async fn the_policy_says_who_is_asked() {
    let asked = "item/commandExecution/requestApproval".to_owned();
    for (policy, words, asks) in [
        ("never", "run it", false),
        ("on-request", "run it", true),
        ("untrusted", "run it", true),
        ("on-request", "plan it", false),
    ] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({ "approvalPolicy": policy })).await;
        served.client.answer_always("item/commandExecution/requestApproval", json!({ "decision": "accept" }));
        served.client.play(&thread, words).await;
        assert_eq!(served.client.methods().contains(&asked), asks, "{policy} {words}");
    }
}

#[tokio::test]
async fn what_was_accepted_for_the_session_is_not_asked_again() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let decision = json!({ "decision": "acceptForSession" });
    served.client.answer_always("item/commandExecution/requestApproval", decision);
    served.client.play(&thread, "run it").await;
    served.client.forget();
    served.client.play(&thread, "run it").await;
    assert!(!served.client.methods().contains(&"item/commandExecution/requestApproval".to_owned()));
}

#[tokio::test]
async fn an_open_approval_blocks_only_its_turn_and_is_repeated_on_resume() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let waiting = served.thread(json!({})).await;
    let other = served.thread(json!({})).await;
    served.client.start_turn(&waiting, "run it").await;
    let asked = served.client.until("item/commandExecution/requestApproval").await;
    assert_eq!(asked["id"], 0);
    assert_eq!(served.client.play(&other, "hello").await["status"], "completed");
    served.client.call("thread/resume", json!({ "threadId": waiting, "excludeTurns": true })).await;
    let again = served.client.until("item/commandExecution/requestApproval").await;
    assert_eq!(asked, again);
    served.client.reply(&json!(0), json!({ "decision": "accept" })).await;
    served.client.reply(&json!(0), json!({ "decision": "cancel" })).await;
    let turn = served.client.until("turn/completed").await;
    assert_eq!(turn["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn files_are_changed_only_when_accepted() {
    for (decision, status, made) in [("accept", "completed", true), ("decline", "declined", false)] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({ "approvalPolicy": "untrusted" })).await;
        served.client.answer_always("item/fileChange/requestApproval", json!({ "decision": decision }));
        served.client.play(&thread, "patch it").await;
        let item = items_of(&served.client, "item/completed", "fileChange")[0];
        assert_eq!(item["status"], status);
        assert_eq!(item["changes"][0]["kind"]["type"], "add");
        assert_eq!(served.dir.join("new.txt").exists(), made);
        assert_eq!(served.client.methods().contains(&"turn/diff/updated".to_owned()), made);
    }
}

#[tokio::test]
async fn tools_plans_questions_and_answers_are_played() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "dynamicTools": [] })).await;
    let content = json!([{ "type": "inputText", "text": "open" }]);
    served.client.answer_always("item/tool/call", json!({ "contentItems": content, "success": true }));
    served.client.answer_always("item/tool/requestUserInput", json!({ "answers": {} }));
    assert_eq!(served.client.play(&thread, "tool").await["items"][0]["text"], "looked up");
    let item = items_of(&served.client, "item/completed", "dynamicToolCall")[0];
    assert_eq!((&item["status"], &item["contentItems"]), (&json!("completed"), &content));
    assert!(!served.client.methods().contains(&"serverRequest/resolved".to_owned()));
    served.client.play(&thread, "plan").await;
    let plan = served.client.heard.iter().find(|m| m["method"] == "turn/plan/updated").unwrap();
    assert_eq!(plan["params"]["plan"], json!([{ "step": "one", "status": "inProgress" }]));
    assert_eq!(served.client.play(&thread, "ask").await["items"][0]["text"], "asked");
    let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } } });
    let input = json!([{ "type": "text", "text": "answer" }]);
    let params = json!({ "threadId": thread, "input": input, "outputSchema": schema });
    served.client.call("turn/start", params).await;
    let turn = served.client.until("turn/completed").await;
    assert_eq!(turn["params"]["turn"]["items"][0]["text"], r#"{"ok":false}"#);
    assert_eq!(
        served.client.play(&thread, "echo what was found").await["items"][0]["text"],
        "what was found"
    );
}

#[tokio::test]
async fn a_failure_is_an_error_and_a_failed_turn() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.play(&thread, "fail").await;
    assert_eq!(
        (&turn["status"], &turn["error"]["codexErrorInfo"]),
        (&json!("failed"), &json!("internalServerError"))
    );
    let tail = served.client.methods().split_off(4);
    assert_eq!(tail, ["thread/status/changed", "error", "thread/readState/changed", "turn/completed"]);
    let read = served.client.call("thread/read", json!({ "threadId": thread })).await;
    assert_eq!(read["thread"]["status"]["type"], "systemError");
}

#[tokio::test]
async fn an_interrupt_has_codex_s_traps() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let interrupt = |turn: &str| json!({ "threadId": thread, "turnId": turn });
    let none = (-32600, "no active turn to interrupt".to_owned());
    assert_eq!(served.client.refused("turn/interrupt", interrupt("x")).await, none);
    assert_eq!(served.client.call("turn/interrupt", interrupt("")).await, json!({}));
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("item/completed").await;
    let wrong = served.client.refused("turn/interrupt", interrupt("x")).await;
    assert_eq!(wrong.1, format!("expected active turn id x but found {turn}"));
    assert_eq!(served.client.call("turn/interrupt", interrupt(&turn)).await, json!({}));
    let ended = served.client.until("turn/completed").await;
    assert_eq!(
        (&ended["params"]["turn"]["status"], &ended["params"]["turn"]["items"]),
        (&json!("interrupted"), &json!([]))
    );
    // The second one waits for the end of the next turn.
    let second = served.client.send_request("turn/interrupt", interrupt(&turn)).await;
    served.client.forget();
    served.client.start_turn(&thread, "hello").await;
    served.client.answer_to(second).await;
    assert_eq!(served.client.next().await.unwrap()["params"]["status"]["type"], "idle");
    assert_eq!(served.client.next().await.unwrap()["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn an_interrupt_before_the_turn_has_started_finds_nothing() {
    let home = home();
    let mut served = served(home.path(), "slow-turn-start=300").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "hello").await;
    let early = served.client.refused("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    assert_eq!(early.1, "no active turn to interrupt");
    let ended = served.client.until("turn/completed").await;
    assert_eq!(ended["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn an_interrupted_approval_is_resolved_after_the_turn() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "run it").await;
    served.client.until("item/commandExecution/requestApproval").await;
    served.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    served.client.until("turn/completed").await;
    let resolved = served.client.next().await.unwrap();
    assert_eq!(
        (&resolved["method"], &resolved["params"]["requestId"]),
        (&json!("serverRequest/resolved"), &json!(0))
    );
    assert!(!served.dir.join("ran.txt").exists());
}

#[tokio::test]
async fn a_steer_cuts_the_stream_and_the_turn_goes_on() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let input = json!([{ "type": "text", "text": "hello instead" }]);
    let steer = |turn: &str| json!({ "threadId": thread, "expectedTurnId": turn, "input": input });
    let refused = served.client.refused("turn/steer", steer("x")).await;
    assert_eq!(refused.1, "no active turn to steer");
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("item/completed").await;
    let refused = served.client.refused("turn/steer", steer("x")).await;
    assert_eq!(refused.1, format!("expected active turn id `x` but found `{turn}`"));
    let steered = served.client.call("turn/steer", steer(&turn)).await;
    assert_eq!(steered["turnId"], json!(turn));
    let ended = served.client.until("turn/completed").await["params"]["turn"].clone();
    assert_eq!((&ended["id"], &ended["items"][0]["text"]), (&json!(turn), &json!("Hello there")));
    assert_eq!(items_of(&served.client, "item/completed", "userMessage").len(), 2);
}

#[tokio::test]
async fn a_start_on_a_busy_thread_steers() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("turn/started").await;
    assert_eq!(served.client.start_turn(&thread, "hello").await, turn);
    assert_eq!(served.client.until("turn/completed").await["params"]["turn"]["id"], json!(turn));
}

#[tokio::test]
async fn a_steer_lets_a_command_finish() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let fifo = fifo(&served.dir);
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let turn = served.client.start_turn(&thread, "short").await;
    served
        .client
        .find(|m| m["method"] == "item/started" && m["params"]["item"]["type"] == "commandExecution")
        .await;
    let input = json!([{ "type": "text", "text": "hello" }]);
    let params = json!({ "threadId": thread, "expectedTurnId": turn, "input": input });
    served.client.call("turn/steer", params).await;
    tokio::task::spawn_blocking(move || std::fs::write(fifo, "read\n")).await.unwrap().unwrap();
    let ended = served.client.until("turn/completed").await;
    assert_eq!(ended["params"]["turn"]["items"][0]["text"], "Hello there");
    let item = items_of(&served.client, "item/completed", "commandExecution")[0];
    assert_eq!((&item["status"], &item["aggregatedOutput"]), (&json!("completed"), &json!("read\n")));
}

#[tokio::test]
async fn an_interrupted_command_lives_on_until_it_is_cleaned() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let turn = served.client.start_turn(&thread, "sleep").await;
    served.client.until("item/commandExecution/outputDelta").await;
    served.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    served.client.until("turn/completed").await;
    let of_thread = json!({ "threadId": thread });
    let listed = served.client.call("thread/backgroundTerminals/list", of_thread.clone()).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    served.client.call("thread/backgroundTerminals/clean", of_thread.clone()).await;
    let ended = served.client.until("item/completed").await;
    assert_eq!(
        (&ended["params"]["item"]["status"], &ended["params"]["item"]["exitCode"]),
        (&json!("failed"), &json!(-1))
    );
    let listed = served.client.call("thread/backgroundTerminals/list", of_thread).await;
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn the_end_of_input_ends_it_and_its_commands() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let mut held = pipe::OpenOptions::new().open_receiver(fifo(&served.dir)).unwrap();
    served.client.start_turn(&thread, "hold").await;
    served.client.until("item/commandExecution/outputDelta").await;
    served.client.hang_up().await;
    assert_eq!(served.server.await.unwrap().unwrap(), End::Eof);
    assert!(!served.client.methods().contains(&"turn/completed".to_owned()));
    // The command and its child hold the pipe open as long as they live.
    let ended = timeout(Duration::from_secs(10), held.read(&mut [0; 1])).await;
    assert_eq!(ended.expect("the command is dead").unwrap(), 0);
}

fn fifo(dir: &Path) -> PathBuf {
    let fifo = dir.join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    fifo
}

#[tokio::test]
async fn a_cut_turn_is_interrupted_in_the_next_process() {
    let home = home();
    let mut first = served(home.path(), "").await;
    let thread = first.thread(json!({ "dynamicTools": [{ "type": "function", "name": "lookup" }] })).await;
    first.client.play(&thread, "hello").await;
    let input = json!([{ "type": "text", "text": "hang" }]);
    let params = json!({ "threadId": thread, "input": input, "clientUserMessageId": "mine" });
    first.client.call("turn/start", params).await;
    first.client.find(|m| m["params"]["item"]["clientId"] == "mine" && m["method"] == "item/completed").await;

    let mut second = served(home.path(), "").await;
    let busy = second.client.refused("thread/resume", json!({ "threadId": thread })).await;
    assert_eq!(busy.1, format!("thread {thread} already has an active writer"));
    first.server.abort();
    assert!(first.server.await.unwrap_err().is_cancelled());

    second.client.forget();
    let resumed = second.client.call("thread/resume", json!({ "threadId": thread })).await;
    let turns = resumed["thread"]["turns"].as_array().unwrap();
    assert_eq!(turns.iter().map(|turn| &turn["status"]).collect::<Vec<_>>(), ["completed", "interrupted"]);
    let items = turns[1]["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["clientId"]), (1, &json!("mine")));
    let usage = second.client.until("thread/tokenUsage/updated").await;
    assert_eq!(usage["params"]["tokenUsage"]["total"]["totalTokens"], 120);
    assert_eq!(second.client.play(&thread, "hello").await["status"], "completed");
}

#[tokio::test]
async fn histories_are_read_forked_reverted_archived_and_deleted() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let of_thread = json!({ "threadId": thread });
    let early =
        served.client.refused("thread/read", json!({ "threadId": thread, "includeTurns": true })).await;
    assert_eq!(early, (-32601, "list_turns is not supported yet".to_owned()));
    for words in ["hello 1", "hello 2", "hello 3"] {
        served.client.play(&thread, words).await;
    }
    let page = json!({ "threadId": thread, "limit": 2 });
    let turns = served.client.call("thread/turns/list", page).await;
    assert_eq!(turns["data"][0]["items"][0]["content"][0]["text"], "hello 3");
    assert_eq!(turns["data"][0]["items"].as_array().unwrap().len(), 2);
    let rest = json!({ "threadId": thread, "cursor": turns["nextCursor"], "itemsView": "full" });
    let rest = served.client.call("thread/turns/list", rest).await;
    assert_eq!(rest["data"][0]["items"].as_array().unwrap().len(), 3);
    let first_turn = &rest["data"][0]["id"];
    let items =
        served.client.call("thread/items/list", json!({ "threadId": thread, "turnId": first_turn })).await;
    assert_eq!(items["data"][0]["item"]["type"], "userMessage");

    let fork = json!({ "threadId": thread, "lastTurnId": first_turn });
    let fork = served.client.call("thread/fork", fork).await["thread"].clone();
    assert_eq!((&fork["forkedFromId"], fork["turns"].as_array().unwrap().len()), (&json!(thread), 1));
    let revert = json!({ "threadId": thread, "beforeTurnId": turns["data"][0]["id"] });
    served.client.call("thread/revert", revert.clone()).await;
    served.client.until("thread/reverted").await;
    assert!(served.client.refused("thread/revert", revert).await.1.starts_with("turn not found: "));
    served.client.call("thread/name/set", json!({ "threadId": thread, "name": "Mine" })).await;

    served.client.call("thread/archive", of_thread.clone()).await;
    assert!(served.client.refused("thread/resume", of_thread.clone()).await.1.contains("is archived"));
    let archived = served.client.call("thread/list", json!({ "archived": true })).await;
    assert_eq!((&archived["data"][0]["id"], &archived["data"][0]["name"]), (&json!(thread), &json!("Mine")));
    served.client.call("thread/unarchive", of_thread.clone()).await;
    let resumed = served.client.call("thread/resume", of_thread.clone()).await;
    assert_eq!(resumed["thread"]["turns"].as_array().unwrap().len(), 2);
    served.client.call("thread/delete", of_thread.clone()).await;
    assert!(served.client.refused("thread/resume", of_thread).await.1.starts_with("no rollout found"));
    let left = served.client.call("thread/list", json!({})).await;
    assert_eq!(left["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn errors_come_in_codex_s_words() {
    let home = home();
    let mut served = silent(home.path(), "");
    let thread = "01a1dddc-07b0-70d2-8edc-fcab2a02d72d";
    assert_eq!(served.client.refused("thread/list", json!({})).await, (-32600, "Not initialized".to_owned()));
    served.client.initialize_with(json!({})).await;
    let client_info = json!({ "name": "x", "version": "1" });
    let again = served.client.refused("initialize", json!({ "clientInfo": client_info })).await;
    assert_eq!(again.1, "Already initialized");
    for (method, params, words) in [
        ("no/such", json!({}), "Invalid request: unknown variant `no/such`, expected one of `initialize`, "),
        (
            "turn/start",
            json!({ "threadId": 5 }),
            "Invalid request: invalid type: integer `5`, expected a string",
        ),
        ("turn/start", json!({ "threadId": thread, "input": [] }), "thread not found: 01a1"),
        ("turn/start", json!({ "threadId": "nope", "input": [] }), "invalid thread id: invalid character"),
        (
            "thread/start",
            json!({ "approvalPolicy": "on-failure" }),
            "Invalid request: unknown variant `on-failure`, expected one of `untrusted`, `on-request`, `granular`, `never`",
        ),
        (
            "thread/start",
            json!({ "sandbox": "workspaceWrite" }),
            "Invalid request: unknown variant `workspaceWrite`, expected one of `read-only`, `workspace-write`, `danger-full-access`",
        ),
        (
            "thread/start",
            json!({ "dynamicTools": [] }),
            "thread/start.dynamicTools requires experimentalApi capability",
        ),
        (
            "thread/backgroundTerminals/list",
            json!({ "threadId": thread }),
            "thread/backgroundTerminals/list requires experimentalApi",
        ),
        (
            "turn/start",
            json!({ "threadId": thread, "input": [{ "type": "hologram" }] }),
            "Invalid request: unknown variant `hologram`, expected one of `text`, `image`",
        ),
        ("thread/resume", json!({ "threadId": thread }), "no rollout found for thread id 01a1"),
        ("thread/read", json!({ "threadId": thread }), "thread not loaded: 01a1"),
    ] {
        let (code, message) = served.client.refused(method, params).await;
        assert_eq!(code, -32600, "{message}");
        assert!(message.starts_with(words), "{method}: {message}");
    }
    served.client.send(&json!({ "id": 900, "method": "thread/read" })).await;
    let missing = served.client.answer_to(900).await;
    assert_eq!(missing["error"]["message"], "Invalid request: missing field `params`");
    let id = served.client.start_thread(json!({ "dynamicTools": null })).await;
    let input = json!([{ "type": "text", "text": "x".repeat(1_048_577) }]);
    let answer = served.client.try_call("turn/start", json!({ "threadId": id, "input": input })).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["actual_chars"]),
        (&json!(-32602), &json!(1_048_577))
    );
}

#[tokio::test]
async fn nothing_is_said_that_was_not_asked_for() {
    let home = home();
    let mut served = silent(home.path(), "");
    let unwanted = ["item/agentMessage/delta", "account/rateLimits/updated"];
    served.client.initialize_with(json!({ "optOutNotificationMethods": unwanted })).await;
    let thread = served.thread(json!({})).await;
    served.client.play(&thread, "hello").await;
    for method in unwanted.iter().chain(&["thread/readState/changed"]) {
        assert!(!served.client.methods().contains(&(*method).to_owned()), "{method}");
    }
    let of_thread = json!({ "threadId": thread });
    let status = served.client.call("thread/unsubscribe", of_thread.clone()).await;
    assert_eq!(status["status"], "unsubscribed");
    served.client.forget();
    served.client.start_turn(&thread, "hello").await;
    served.client.find(|message| message["params"]["status"]["type"] == "idle").await;
    assert_eq!(served.client.methods(), ["thread/status/changed", "thread/status/changed"]);
}

#[tokio::test]
async fn a_flood_arrives_whole_and_in_order() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "flood").await;
    served.client.until("turn/completed").await;
    let deltas = served.client.heard.iter().filter(|m| m["method"] == "item/agentMessage/delta");
    let mut count = 0;
    for (at, delta) in deltas.enumerate() {
        assert_eq!(delta["params"]["turnId"], json!(turn));
        assert!(text(&delta["params"]["delta"]).starts_with(&format!("{at:09}")), "{delta}");
        count = at + 1;
    }
    assert_eq!(count, 5000);
}

#[tokio::test]
async fn broken_lines_are_broken_and_the_next_are_whole() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    for (words, broken) in [("garbage", 1), ("half", 1), ("huge", 0)] {
        served.client.forget();
        assert_eq!(served.client.play(&thread, words).await["items"][0]["text"], "fine again");
        let garbage = served.client.heard.iter().filter(|message| message.get("garbage").is_some()).count();
        assert_eq!(garbage, broken, "{words}");
    }
    assert!(served.client.heard.iter().any(|message| message.to_string().len() > 2_900_000));
}

#[tokio::test]
async fn a_crash_ends_the_stream_with_its_code() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    served.client.start_turn(&thread, "crash").await;
    while served.client.next().await.is_some() {}
    assert_eq!(served.server.await.unwrap().unwrap(), End::Crashed(3));
    let last = items_of(&served.client, "item/completed", "agentMessage");
    assert_eq!(last[0]["text"], "last words");
}

#[tokio::test]
async fn faults_of_the_process_are_played() {
    let home = home();
    let mut overloaded = served(home.path(), "overload-first=1,no-turn-completed,ignore-interrupt").await;
    assert_eq!(overloaded.client.refused("thread/list", json!({})).await.0, -32001);
    let thread = overloaded.thread(json!({})).await;
    let turn = overloaded.client.start_turn(&thread, "hello").await;
    overloaded.client.find(|message| message["params"]["status"]["type"] == "idle").await;
    let turns = overloaded.client.call("thread/turns/list", json!({ "threadId": thread })).await;
    assert_eq!((&turns["data"][0]["id"], &turns["data"][0]["status"]), (&json!(turn), &json!("completed")));
    assert!(!overloaded.client.methods().contains(&"turn/completed".to_owned()));

    let mut crashing = silent(home.path(), "crash-after=2");
    let client_info = json!({ "name": "x", "version": "1" });
    crashing.client.send_request("initialize", json!({ "clientInfo": client_info })).await;
    while crashing.client.next().await.is_some() {}
    assert_eq!(crashing.client.heard.len(), 2);
    assert_eq!(crashing.server.await.unwrap().unwrap(), End::Crashed(101));

    let mut mute = silent(home.path(), "silent");
    mute.client.send_request("initialize", json!({})).await;
    mute.client.hang_up().await;
    assert!(mute.client.heard.is_empty());
}
