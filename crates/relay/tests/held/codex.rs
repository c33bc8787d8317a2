//! The real `codex app-server` behind a relay.

use std::{env, fs};

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use crate::stage::{Peer, Stage, gone, until};

fn codex(stage: &Stage) {
    let program = env::var("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is");
    let home = stage.folder.path().join("codex home");
    fs::create_dir(&home).unwrap();
    let home = format!("CODEX_HOME={}", home.display());
    stage.leave(&["--no-log-stdin"], &["env", &home, &program, "app-server"]);
}

/// A client that counts what it has read.
struct Reader {
    peer: Peer,
    half: String,
    offset: u64,
}

impl Reader {
    fn at(stage: &Stage, offset: u64) -> Self {
        Self { peer: stage.connect(offset), half: String::new(), offset }
    }

    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.peer.say(format!("{}\n", json!({"id": id, "method": method, "params": params})).as_bytes());
        loop {
            let line = self.line();
            if line["id"] == id && line.get("method").is_none() {
                return line;
            }
        }
    }

    fn line(&mut self) -> Value {
        while !self.half.contains('\n') {
            self.half.push_str(&self.peer.hear("\n"));
        }
        let (line, rest) = self.half.split_once('\n').unwrap();
        let message = serde_json::from_str(line).unwrap();
        self.offset += line.len() as u64 + 1;
        self.half = rest.to_owned();
        message
    }
}

fn start_thread(reader: &mut Reader, stage: &Stage) {
    let client = json!({"name": "relay-test", "title": "t", "version": "1"});
    let capabilities = json!({"experimentalApi": true});
    let initialized =
        reader.ask(0, "initialize", &json!({"clientInfo": client, "capabilities": capabilities}));
    assert!(initialized["result"]["userAgent"].is_string(), "{initialized}");
    reader.peer.say(b"{\"method\":\"initialized\"}\n");
    let started = reader.ask(1, "thread/start", &json!({"cwd": stage.folder.path()}));
    assert!(started["result"]["thread"]["id"].is_string(), "{started}");
}

#[test]
fn codex_outlives_its_clients_and_goes_on_where_they_were() {
    let stage = Stage::new();
    codex(&stage);
    let mut first = Reader::at(&stage, 0);
    start_thread(&mut first, &stage);
    // Half a request, cut inside of a character: alone it would end Codex.
    let half = "{\"id\":2,\"method\":\"thread/loaded/list\",\"params\":{\"x\":\"ä";
    first.peer.say(half.as_bytes().split_last().unwrap().1);
    let offset = first.offset;
    drop(first);
    let mut second = Reader::at(&stage, offset);
    let listed = second.ask(3, "thread/loaded/list", &json!({}));
    assert_eq!(listed["result"]["data"].as_array().map(Vec::len), Some(1), "{listed}");
    // The whole conversation lies in the log, each answer once.
    let log = stage.file("output.jsonl");
    for id in [0, 1, 3] {
        let answers = log.lines().filter(|line| serde_json::from_str::<Value>(line).unwrap()["id"] == id);
        assert_eq!(answers.count(), 1, "answers to {id}");
    }
    second.peer.say(b"\0");
    second.peer.hear_all();
    assert_eq!(stage.ended(), "code 0\n");
}

#[test]
fn codex_ends_when_its_relay_is_killed() {
    let stage = Stage::new();
    codex(&stage);
    let mut reader = Reader::at(&stage, 0);
    start_thread(&mut reader, &stage);
    let child = stage.child();
    kill_process(stage.daemon(), Signal::KILL).unwrap();
    reader.peer.hear_all();
    until("Codex has ended", || gone(child));
}
