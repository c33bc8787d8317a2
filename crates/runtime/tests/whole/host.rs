//! Another program with a runtime on the same data directory: to be talked to, and to be killed.

use std::{env, fs, path::Path, process::Stdio};

use rustix::process::{Pid, Signal, kill_process};
use selvedge_runtime::Config;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::{setup::stand_between, stage::Stage};

#[derive(Deserialize)]
struct Answer<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
}

pub(crate) struct Host {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
    stdin: ChildStdin,
    asked: u64,
}

impl Host {
    /// On the stage's data directory, with the same Codex.
    pub(crate) fn beside(stage: &Stage) -> Self {
        Self::on(stage.directory.path(), &stage.config)
    }

    /// The same with faults between it and its app-servers.
    pub(crate) fn behind(stage: &Stage, faults: &str) -> Self {
        let mut config = stage.config.clone();
        stand_between(&mut config, faults, &stage.directory.path().join("codex of the host"));
        Self::on(stage.directory.path(), &config)
    }

    /// With this configuration, which is kept in that directory.
    pub(crate) fn on(directory: &Path, config: &Config) -> Self {
        let file = directory.join("host.json");
        fs::write(&file, as_json(config).to_string()).unwrap();
        let test = env::current_exe().unwrap();
        let program = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/host");
        #[expect(clippy::disallowed_methods, reason = "this test is its owner, and kills it")]
        let mut command = Command::new(program);
        command.arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("`cargo test` builds the example");
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        let stdin = child.stdin.take().unwrap();
        Self { child, said, stdin, asked: 0 }
    }

    /// Has something done there.
    pub(crate) async fn ask(&mut self, command: Value) -> Value {
        serde_json::from_str(&self.ask_raw(command).await).unwrap()
    }

    /// The same, with the answer as it was said.
    pub(crate) async fn ask_raw(&mut self, command: Value) -> String {
        let id = self.say(command).await;
        loop {
            let line = self.hear().await.expect("the host lives");
            let said: Answer<'_> = serde_json::from_str(&line).unwrap();
            if said.id == Some(id) {
                return said.ok.map(RawValue::get).unwrap_or_else(|| panic!("{line}")).to_owned();
            }
        }
    }

    /// Gives a command, and says under which number it is answered.
    pub(crate) async fn say(&mut self, mut command: Value) -> u64 {
        self.asked += 1;
        command["id"] = json!(self.asked);
        self.stdin.write_all(format!("{command}\n").as_bytes()).await.unwrap();
        self.asked
    }

    /// The next line it says; none when it has ended.
    pub(crate) async fn hear(&mut self) -> Option<String> {
        self.said.next_line().await.unwrap()
    }

    /// SIGSTOP: it does nothing any more, and nobody hears that it does not.
    pub(crate) fn freeze(&self) {
        let pid = Pid::from_raw(self.child.id().unwrap().cast_signed()).unwrap();
        kill_process(pid, Signal::STOP).unwrap();
    }

    /// SIGKILL, reaped.
    pub(crate) async fn kill(self) {
        self.killed().await;
    }

    /// The same, and what it had said.
    pub(crate) async fn killed(mut self) -> Vec<String> {
        self.child.start_kill().unwrap();
        let mut last_words = Vec::new();
        while let Some(line) = self.hear().await {
            last_words.push(line);
        }
        self.child.wait().await.unwrap();
        last_words
    }

    /// It goes, and what is behind relays stays.
    pub(crate) async fn leave(mut self) {
        self.say(json!({"op": "leave"})).await;
        while self.hear().await.is_some() {}
        assert!(self.child.wait().await.unwrap().success());
    }

    /// The end of its input, and then its own.
    pub(crate) async fn close(self) {
        let Self { mut child, stdin, said, .. } = self;
        drop((stdin, said));
        assert!(child.wait().await.unwrap().success());
    }
}

/// What a runtime is told, for another program.
fn as_json(config: &Config) -> Value {
    let mut told = json!({
        "data_dir": config.data_dir,
        "codex": config.codex,
        "codex_home": config.codex_home,
        "keep_warm": config.keep_warm,
        "rehearsal": {"program": config.rehearsal.program, "scenario": config.rehearsal.scenario},
    });
    if let Some(relay) = &config.relay {
        let idle_seconds = relay.idle.map(|idle| idle.as_secs());
        told["relay"] = json!({"program": relay.program, "idle_seconds": idle_seconds});
    }
    told
}
