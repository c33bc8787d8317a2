//! A runtime on a directory of its own, with the stand-in or the real Codex behind it.

use std::{fs, path::PathBuf, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use selvedge_rehearsal::model::ModelServer;
use selvedge_runtime::{
    Clock, Config, Message, MessageView, NewSession, Runtime, SessionHandle,
    session::{ApprovalPolicy, MessageId, Sandbox, Settings, What},
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::timeout;

/// How long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(40);

/// A runtime, and everything it stands on.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    pub(crate) directory: TempDir,
    pub(crate) model: Option<ModelServer>,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
}

impl Stage {
    pub(crate) async fn session(&self) -> SessionHandle {
        self.session_with(|_| {}).await
    }

    /// A session with settings of its own.
    pub(crate) async fn session_with(&self, change: impl FnOnce(&mut Settings)) -> SessionHandle {
        let mut new = self.new_session();
        change(&mut new.settings);
        self.runtime.create(new).await.unwrap()
    }

    /// A session whose commands run as they are: not every machine can make a sandbox.
    pub(crate) async fn unsandboxed(&self) -> SessionHandle {
        let unsandboxed = |settings: &mut Settings| {
            settings.sandbox = Some(Sandbox::DangerFullAccess);
            settings.approval_policy = Some(ApprovalPolicy::Never);
        };
        self.session_with(unsandboxed).await
    }

    pub(crate) fn new_session(&self) -> NewSession {
        NewSession::in_directory(self.work("").to_str().unwrap())
    }

    /// A file in the directory where sessions work.
    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// Whether the model can be asked what it saw.
    pub(crate) fn is_real(&self) -> bool {
        self.model.is_some()
    }

    /// What the model was asked, oldest first; nothing on the stand-in, which has no model.
    pub(crate) fn asked(&self) -> Vec<Value> {
        let requests = self.model.iter().flat_map(ModelServer::requests);
        requests.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// The last request to the model, as text.
    pub(crate) fn last_asked(&self) -> String {
        self.asked().last().expect("the model was asked").to_string()
    }

    /// The same directory, opened again after somebody else's crash: what that left is ended at the start.
    pub(crate) async fn after_a_crash(self) -> Self {
        self.runtime.shut_down().await;
        let runtime = Runtime::open_at(self.config.clone(), self.clock.clone()).await.unwrap();
        Self { runtime, ..self }
    }

    /// The same directory, opened again after everything rested.
    pub(crate) async fn again(self) -> Self {
        self.runtime.shut_down().await;
        self.nothing_lives();
        let runtime = Runtime::open_at(self.config.clone(), self.clock.clone()).await.unwrap();
        Self { runtime, ..self }
    }

    /// Lets everything rest; nothing that was started is left.
    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
        self.nothing_lives();
        if let Some(model) = self.model {
            model.stop().await.unwrap();
        }
    }

    fn nothing_lives(&self) {
        assert_eq!(self.processes(), Vec::<String>::new(), "left running");
    }

    /// What the runtime was told, for another program.
    pub(crate) fn config_as_json(config: &Config) -> Value {
        serde_json::json!({
            "data_dir": config.data_dir,
            "codex": config.codex,
            "codex_home": config.codex_home,
            "keep_warm": config.keep_warm,
            "rehearsal": {"program": config.rehearsal.program, "scenario": config.rehearsal.scenario},
        })
    }

    /// SIGKILL for every app-server of this stage; the one that waits for its first use too.
    pub(crate) fn kill_app_servers(&self) {
        self.signal_app_servers(Signal::KILL);
    }

    /// SIGSTOP for every app-server of this stage: what is written to it is not read.
    pub(crate) fn freeze_app_servers(&self) {
        self.signal_app_servers(Signal::STOP);
    }

    fn signal_app_servers(&self, signal: Signal) {
        let servers: Vec<_> =
            self.found().into_iter().filter(|(_, command)| command.contains(" app-server")).collect();
        assert!(!servers.is_empty(), "no app-server runs");
        for (pid, _) in servers {
            // One that has ended meanwhile needs none.
            let _gone = kill_process(Pid::from_raw(pid).unwrap(), signal);
        }
    }

    /// What runs with this stage's directory in its environment: app-servers and everything they started.
    pub(crate) fn processes(&self) -> Vec<String> {
        self.found().into_iter().map(|(pid, command)| format!("{pid} {command}")).collect()
    }

    fn found(&self) -> Vec<(i32, String)> {
        let mark = self.directory.path().as_os_str().as_encoded_bytes().to_owned();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let ours = processes.filter_map(|process| {
            let pid = process.file_name().to_str()?.parse().ok()?;
            let environment = fs::read(process.path().join("environ")).ok()?;
            let words = fs::read(process.path().join("cmdline")).ok()?;
            let marked = environment.windows(mark.len()).any(|part| part == mark);
            marked.then(|| (pid, String::from_utf8_lossy(&words).replace('\0', " ")))
        });
        ours.collect()
    }
}

/// Sends words and waits for their end.
pub(crate) async fn say(session: &SessionHandle, text: &str) -> MessageView {
    let sent = session.send(Message::text(text)).await.unwrap();
    end(session, sent.message_id).await
}

/// A message's end.
pub(crate) async fn end(session: &SessionHandle, id: MessageId) -> MessageView {
    match timeout(PATIENCE, session.finished(id)).await {
        Ok(view) => view.unwrap(),
        Err(_elapsed) => panic!("it did not end; what was told: {:#?}", told(session).await),
    }
}

/// Everything that was told so far.
pub(crate) async fn told(session: &SessionHandle) -> Vec<What> {
    let mut events = session.events(0).await.unwrap();
    let written = events.there(1000).await.unwrap();
    written.iter().map(|written| written.read().unwrap().what).collect()
}
