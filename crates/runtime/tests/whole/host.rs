//! Another program with a runtime on the same data directory: to be talked to, and to be killed.

use std::{env, fs, process::Stdio};

use rustix::process::{Pid, Signal, kill_process};
use selvedge_runtime::Config;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::{setup::stand_between, stage::Stage};

pub(crate) struct Host {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
    stdin: ChildStdin,
    asked: u64,
}

impl Host {
    /// On the stage's data directory, with the same Codex.
    pub(crate) fn beside(stage: &Stage) -> Self {
        Self::with(stage, &stage.config)
    }

    /// The same with faults between it and its app-servers.
    pub(crate) fn behind(stage: &Stage, faults: &str) -> Self {
        let mut config = stage.config.clone();
        stand_between(&mut config, faults, &stage.directory.path().join("codex of the host"));
        Self::with(stage, &config)
    }

    fn with(stage: &Stage, config: &Config) -> Self {
        let file = stage.directory.path().join("host.json");
        fs::write(&file, Stage::config_as_json(config).to_string()).unwrap();
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
    pub(crate) async fn ask(&mut self, mut command: Value) -> Value {
        self.asked += 1;
        command["id"] = json!(self.asked);
        self.stdin.write_all(format!("{command}\n").as_bytes()).await.unwrap();
        loop {
            let line = self.said.next_line().await.unwrap().expect("the host lives");
            let said: Value = serde_json::from_str(&line).unwrap();
            if said["id"] == self.asked {
                assert!(said.get("error").is_none(), "{said}");
                return said["ok"].clone();
            }
        }
    }

    /// SIGSTOP: it does nothing any more, and nobody hears that it does not.
    pub(crate) fn freeze(&self) {
        let pid = Pid::from_raw(self.child.id().unwrap().cast_signed()).unwrap();
        kill_process(pid, Signal::STOP).unwrap();
    }

    /// SIGKILL, reaped.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// The end of its input, and then its own.
    pub(crate) async fn close(self) {
        let Self { mut child, stdin, said, .. } = self;
        drop((stdin, said));
        assert!(child.wait().await.unwrap().success());
    }
}
