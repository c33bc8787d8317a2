//! A runtime on a directory of its own, with the stand-in or the real Codex behind it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

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

    /// The same directory, opened again by another program: ours left, and what is behind relays went on.
    pub(crate) async fn after_leaving(self) -> Self {
        self.runtime.leave().await;
        self.opened_again().await
    }

    /// The same, a moment later: `meanwhile` happens while nobody is there.
    pub(crate) async fn after_being_away(self, meanwhile: impl AsyncFnOnce(&Self)) -> Self {
        self.runtime.leave().await;
        meanwhile(&self).await;
        self.opened_again().await
    }

    async fn opened_again(self) -> Self {
        let runtime = Runtime::open_at(self.config.clone(), self.clock.clone()).await.unwrap();
        Self { runtime, ..self }
    }

    /// The session of this id, in the runtime of now.
    pub(crate) async fn found(&self, session: &SessionHandle) -> SessionHandle {
        self.runtime.session(session.id()).await.unwrap()
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
            self.marked().into_iter().filter(|(_, command)| is_app_server(command)).collect();
        assert!(!servers.is_empty(), "no app-server runs");
        for (pid, _) in servers {
            // One that has ended meanwhile needs none.
            let _gone = kill_process(Pid::from_raw(pid).unwrap(), signal);
        }
    }

    /// The app-servers of this stage that run.
    pub(crate) fn app_servers(&self) -> Vec<String> {
        self.processes().into_iter().filter(|process| is_app_server(process)).collect()
    }

    /// Waits until some app-server behind a relay has said this.
    pub(crate) async fn output_has(&self, words: &str) {
        let logs = || fs::read_dir(self.config.data_dir.join("relays")).unwrap().flatten();
        let said = || {
            logs().any(|log| {
                fs::read_to_string(log.path().join("output.jsonl")).is_ok_and(|said| said.contains(words))
            })
        };
        until(said).await;
    }

    /// Lets a turn go on that waits for it, and waits until it has ended.
    pub(crate) async fn let_it_end(&self) {
        fs::write(self.work("go"), "").unwrap();
        self.output_has("turn/completed").await;
    }

    /// Waits until nothing of this stage's runs any more.
    pub(crate) async fn nothing_runs(&self) {
        until(|| self.marked().is_empty()).await;
    }

    /// What runs with this stage's directory in its environment: app-servers and everything they started.
    pub(crate) fn processes(&self) -> Vec<String> {
        self.marked().into_iter().map(|(pid, command)| format!("{pid} {command}")).collect()
    }

    fn marked(&self) -> Vec<(i32, String)> {
        marked(self.directory.path())
    }
}

/// What runs with this directory in its environment.
pub(crate) fn marked(directory: &Path) -> Vec<(i32, String)> {
    let mark = directory.as_os_str().as_encoded_bytes().to_owned();
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

/// What runs with this directory in its command line.
pub(crate) fn named(directory: &Path) -> Vec<String> {
    let directory = directory.to_str().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let words = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let words = words.map(|words| String::from_utf8_lossy(&words).replace('\0', " "));
    words.filter(|words| words.contains(directory)).collect()
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

/// A relay's own command line names the app-server too.
fn is_app_server(command: &str) -> bool {
    command.contains(" app-server") && !command.contains(" relay daemon ")
}

/// Waits until it is so.
pub(crate) async fn until(mut is_so: impl FnMut() -> bool) {
    let look = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, look).await.expect("it comes to that in time");
}
