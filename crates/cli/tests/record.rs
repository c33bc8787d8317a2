//! `--record`: what is kept, what is not, and what is said again from it.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use std::{env, fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::Arc};

use rustix::process::Signal;
use selvedge_recording::{Direction, Recording};
use selvedge_rehearsal::{model::ModelServer, scenario::Scenario};
use serde_json::{Value, json};
use stage::{Ran, Running, Stage, gateway::Gateway, told::Told};

/// The only recording of a stage.
fn recorded(stage: &Stage) -> PathBuf {
    let found: Vec<_> =
        fs::read_dir(stage.path("data/recordings")).unwrap().map(|it| it.unwrap().path()).collect();
    let [only] = &found[..] else { panic!("{found:?}") };
    only.clone()
}

fn replayed(stage: &Stage) -> Ran {
    let file = recorded(stage).display().to_string();
    stage.run(&["replay", &file, "--at-once", "--json"])
}

#[test]
fn what_was_recorded_is_told_again_as_it_was() {
    for prompt in ["hello", "build it", "fail as server_error", "spend"] {
        let stage = Stage::new();
        let ran = stage.run(&["run", prompt, "--json", "--record", "--max-tokens", "50000"]);
        let again = replayed(&stage);
        assert_eq!(again.code, Some(0), "{prompt}: {again:?}");
        assert!(again.stderr.starts_with("recording: what was said is said again, no Codex and no model\n"));
        if prompt == "spend" {
            // The budget was the caller's, and is not on the wire: what it led to, an interrupt, is.
            let ended = again.lines().into_iter().find(|event| event["type"] == "message.finished").unwrap();
            assert_eq!(ended["data"]["status"], "interrupted");
        } else {
            assert_eq!(Told::by(&again.lines()), Told::by(&ran.lines()), "{prompt}");
        }
    }
}

#[test]
fn what_the_real_codex_said_is_told_again_as_it_was() {
    let codex = env::var("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is");
    let stage = Stage::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml");
    let scenario = Arc::new(Scenario::load(scenario).unwrap());
    let model = runtime.block_on(ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap())).unwrap();
    fs::write(stage.path("home/config.toml"), model.codex_config()).unwrap();
    let mut command = stage.command(&["run", "[think]", "--json", "--record", "--codex", &codex]);
    let ran = Ran::from(command.env("HOME", stage.path("home")).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let header = Recording::open(&recorded(&stage)).unwrap().header.unwrap();
    assert_eq!((header.codex.as_deref(), header.backend.as_str()), (Some("0.166.0"), "codex"));
    let again = replayed(&stage);
    assert_eq!((again.code, Told::by(&again.lines())), (Some(0), Told::by(&ran.lines())));
    runtime.block_on(model.stop()).unwrap();
}

#[test]
fn nothing_is_recorded_unless_it_is_asked_for_and_then_for_its_user_alone() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    assert!(!stage.path("data/recordings").exists());
    fs::write(stage.path("data/selvedge.toml"), "record = true\n").unwrap();
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    let file = recorded(&stage);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(file.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(stage.run(&["run", "hello", "--record-keep-files", "1"]).code, Some(0));
    assert_ne!(recorded(&stage), file, "the older one had to go");
}

#[test]
fn after_kill_9_what_was_written_is_there_and_can_be_played() {
    let stage = Stage::new();
    let mut run = Running::start(stage.command(&["run", "hold", "--json", "--record"]));
    run.until(|event| event["type"] == "item.delta" && event["data"]["kind"] == "output");
    let file = loop {
        // It is flushed within a second; until then there is only the first line.
        let found = fs::read_dir(stage.path("data/recordings")).unwrap().next().map(|it| it.unwrap().path());
        let held =
            |path: &PathBuf| Recording::open(path).unwrap().entries.iter().any(|it| it.text.contains("held"));
        if let Some(file) = found.filter(held) {
            break file;
        }
        std::thread::yield_now();
    };
    run.child.kill().unwrap();
    run.wait();
    let again = stage.run(&["replay", &file.display().to_string(), "--at-once", "--json"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stderr.contains("the end of the recording is missing"), "{again:?}");
    assert!(again.stderr.contains("in the middle of a turn; it is stopped"), "{again:?}");
    let ended = again.lines().into_iter().rfind(|event| event["type"] == "message.finished").unwrap();
    assert_eq!(ended["data"]["status"], "interrupted");
}

#[test]
fn a_recording_that_cannot_be_written_is_a_warning_and_the_turn_goes_on() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    fs::write(stage.path("data/recordings"), "in the way").unwrap();
    let ran = stage.run(&["run", "hello", "--record"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Hello, you.\n"), "{ran:?}");
    assert!(ran.stderr.contains("warning: the recording could not be written\nhint: "), "{ran:?}");
}

#[test]
fn a_gateway_records_counts_and_is_not_told_to_by_others() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &["--record"]);
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    let metrics = gateway.text("/metrics");
    assert!(metrics.contains("selvedge_recordings_failed_total 0"), "{metrics}");
    let refused = stage.run(&["run", "hello", "--record"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("`--record` cannot be said to a gateway")
            && refused.stderr.contains("\nhint: ")
    );
    gateway.signal(Signal::TERM);
    assert_eq!(gateway.ended().0, Some(0));
    let recording = Recording::open(&recorded(&stage)).unwrap();
    assert!(!recording.cut);
    let said = |direction| {
        let of = recording.entries.iter().filter(|entry| entry.direction == direction);
        of.map(|entry| serde_json::from_str::<Value>(&entry.text).unwrap()).collect::<Vec<_>>()
    };
    assert!(said(Direction::Sent).iter().any(|message| message["method"] == "turn/start"));
    assert!(said(Direction::Received).iter().any(|message| message["method"] == "turn/completed"));
}

#[test]
fn secrets_of_sessions_are_cut_out_by_their_value() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &["--record"]);
    let server = json!({"command": "true", "env": {"TOKEN": "hush-hush-token"}});
    let new =
        json!({"cwd": stage.path("work"), "env": {"KEY": "hush-hush-key"}, "mcp_servers": {"demo": server}});
    let id = gateway.post("/v1/sessions", &new)["id"].as_str().unwrap().to_owned();
    let said = json!({"text": "hello, and never say hush-hush-key"});
    let message = gateway.post(&format!("/v1/sessions/{id}/messages"), &said)["message_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let ended = gateway.json(&format!("/v1/sessions/{id}/messages/{message}?wait=30"));
    assert_eq!(ended["state"], "completed", "{ended}");
    gateway.stopped();
    let recording = Recording::open(&recorded(&stage)).unwrap();
    let all: Vec<_> = recording.entries.iter().map(|entry| entry.text.as_str()).collect();
    assert!(!all.iter().any(|line| line.contains("hush-hush")), "{all:?}");
    let opened = all.iter().find(|line| line.contains("\"thread/start\"") && line.contains("TOKEN")).unwrap();
    assert!(opened.contains("[redacted]"), "{opened}");
    assert!(all.iter().any(|line| line.contains("never say [redacted]")));
}

#[test]
fn what_a_later_gateway_takes_over_is_recorded_there() {
    for ends_before_it_comes in [false, true] {
        taken_over(ends_before_it_comes);
    }
}

fn taken_over(ends_before_it_comes: bool) {
    let stage = Stage::new();
    let first = Gateway::start(&stage, &["--record"]);
    let new = json!({
        "cwd": stage.path("work"),
        "env": {"KEY": "hush-hush-key"},
        "approval_policy": "never",
        "sandbox": "danger-full-access",
    });
    let id = first.post("/v1/sessions", &new)["id"].as_str().unwrap().to_owned();
    first.post(&format!("/v1/sessions/{id}/messages"), &json!({"text": "tick hush-hush-key"}));
    while !stage.path("work/ran.txt").exists() {}
    first.killed();
    let let_it_end = || fs::write(stage.path("work/go.txt"), "").unwrap();
    if ends_before_it_comes {
        let_it_end();
        while !said_to_a_relay(&stage, "turn/completed") {}
    }
    let second = Gateway::start(&stage, &["--record"]);
    let_it_end();
    let messages = second.json(&format!("/v1/sessions/{id}/messages"));
    let message = messages["items"][0]["message_id"].as_str().unwrap();
    let ended = second.json(&format!("/v1/sessions/{id}/messages/{message}?wait=30"));
    assert_eq!(ended["state"], "completed", "{ended}");
    second.stopped();
    let files = fs::read_dir(stage.path("data/recordings")).unwrap().map(|it| it.unwrap().path());
    let recordings: Vec<_> = files.map(|file| Recording::open(&file).unwrap()).collect();
    let ticked = |recording: &&Recording| {
        recording.entries.iter().any(|entry| entry.text.contains("\"turn/completed\""))
    };
    let [taken_over] = recordings.iter().filter(ticked).collect::<Vec<_>>()[..] else {
        panic!("one of {} has the end, ends before: {ends_before_it_comes}", recordings.len())
    };
    let header = taken_over.header.as_ref().unwrap();
    assert_eq!((header.codex.as_deref(), header.backend.as_str()), (Some("0.166.0"), "rehearsal"));
    assert!(taken_over.entries.iter().any(|entry| entry.text.contains("\"thread/loaded/list\"")));
    let all = recordings.iter().flat_map(|recording| &recording.entries);
    assert!(!all.into_iter().any(|entry| entry.text.contains("hush-hush")));
}

/// Whether Codex has said this where its relay keeps it.
fn said_to_a_relay(stage: &Stage, what: &str) -> bool {
    let relays = fs::read_dir(stage.path("data/relays")).unwrap().map(|it| it.unwrap().path());
    let mut said = relays.filter_map(|relay| fs::read(relay.join("output.jsonl")).ok());
    said.any(|said| String::from_utf8_lossy(&said).contains(what))
}
