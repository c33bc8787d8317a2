//! The stage of one case: a scripted model, a real Codex with a home of its own, and the conversation with it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_client::{
    AppServer, Client, ClosedBy, Exit, Introduction, Launch, ServerInfo, Tap, process::Process,
};
use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    differences::differences,
    ear::Ear,
    promises, report, snapshot,
    transcript::Transcript,
    version::{codex, variable, version},
};

/// One case: everything it needs, and everything that was said.
pub(crate) struct Stage {
    case: &'static str,
    pub(crate) model: ModelServer,
    pub(crate) places: Places,
    launch: Launch,
    pub(crate) client: Client,
    pub(crate) process: Process,
    pub(crate) ear: Ear,
    /// What the app-server said of itself.
    pub(crate) info: ServerInfo,
    tap: Tap,
    processes: usize,
    lacking: Vec<&'static str>,
}

/// Where Codex lives and works.
pub(crate) struct Places {
    root: TempDir,
    pub(crate) home: PathBuf,
    pub(crate) workspace: PathBuf,
}

impl Places {
    /// Not under /tmp: Codex refuses to put its helpers there, and says so on stderr.
    fn new() -> Self {
        let root = tempfile::Builder::new().prefix("judge-").tempdir_in("/var/tmp").unwrap();
        let path = root.path().canonicalize().unwrap();
        let [home, workspace] = ["home", "workspace"].map(|name| path.join(name));
        fs::create_dir(&home).unwrap();
        fs::create_dir(&workspace).unwrap();
        Self { root, home, workspace }
    }

    fn tap(&self, process: usize) -> PathBuf {
        self.root.path().join(format!("tap-{process}.jsonl"))
    }
}

impl Stage {
    /// With the usual settings: a classic model, `on-request`, `workspace-write`.
    pub(crate) async fn open(case: &'static str) -> Self {
        Self::with(case, settings()).await
    }

    /// With settings of its own.
    pub(crate) async fn with(case: &'static str, settings: CodexSettings) -> Self {
        Self::launched(case, settings, |launch| launch).await
    }

    /// With a launch of its own.
    pub(crate) async fn launched(
        case: &'static str,
        settings: CodexSettings,
        change: impl FnOnce(Launch) -> Launch,
    ) -> Self {
        report::begun(case);
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/judge.toml");
        let scenario = Arc::new(Scenario::load(scenario).expect("the judge's scenario"));
        let model = ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let places = Places::new();
        fs::write(places.home.join("config.toml"), model.codex_config_with(&settings)).unwrap();
        let launch = Launch::find(Some(&codex())).expect("the Codex that is judged");
        let launch = launch.codex_home(&places.home).env("HOME", &places.home).directory(&places.workspace);
        let launch = change(launch);
        let (server, tap) = start(&launch, &places.tap(1));
        let AppServer { client, inbox, process } = server;
        let info = introduce(&client).await;
        let (ear, processes, lacking) = (Ear::new(inbox), 1, Vec::new());
        Self { case, model, places, launch, client, process, ear, info, tap, processes, lacking }
    }

    /// A new process in the place of one that has ended, in the same home.
    pub(crate) async fn start_again(&mut self) {
        self.ear.hear_the_rest().await;
        self.tap.flush().unwrap();
        self.processes += 1;
        self.launch.marker = Uuid::now_v7();
        let (server, tap) = start(&self.launch, &self.places.tap(self.processes));
        let AppServer { client, inbox, process } = server;
        (self.client, self.process, self.tap) = (client, process, tap);
        self.ear.listen_to(inbox);
        self.info = introduce(&self.client).await;
    }

    /// The judged version cannot do what the case is about, or not all of it. The case asserts what it does instead.
    pub(crate) fn lacks(&mut self, what: &'static str) {
        self.lacking.push(what);
    }

    /// Ends Codex and holds everything it said against the promises and the snapshot; what the tap recorded.
    pub(crate) async fn close(mut self) -> String {
        self.end().await;
        let mut transcript = Transcript::new(&[
            (self.places.workspace.display().to_string(), "<workspace>"),
            (self.places.home.display().to_string(), "<codex-home>"),
            (self.model.addr().to_string(), "<model>"),
        ]);
        let taps = (1..=self.processes).map(|process| fs::read_to_string(self.places.tap(process)).unwrap());
        let taps: Vec<String> = taps.collect();
        taps.iter().for_each(|tap| transcript.read(tap));
        self.model.stop().await.expect("the scripted model ends");
        snapshot::compare(self.case, &transcript.lines());
        report::ended(self.case, &self.lacking);
        taps.concat()
    }

    /// The same for a case that is about chance: only the promises are held.
    pub(crate) async fn close_without_transcript(mut self) {
        self.end().await;
        self.model.stop().await.expect("the scripted model ends");
        report::ended(self.case, &self.lacking);
    }

    async fn end(&mut self) {
        let end = self.process.shut_down().await;
        let clean = Some(Exit { code: Some(0), signal: None });
        assert_eq!((&end.closed_by, end.exit), (&ClosedBy::Us, clean), "{end}: {}", end.stderr_tail);
        self.ear.hear_the_rest().await;
        self.tap.flush().unwrap();
        assert_eq!(self.tap.error(), None);
        promises::hold(&self.ear);
    }
}

/// The usual settings, with a model that the judged version knows.
pub(crate) fn settings() -> CodexSettings {
    CodexSettings { model: differences().model.into(), ..CodexSettings::default() }
}

async fn introduce(client: &Client) -> ServerInfo {
    let info = client.initialize(&Introduction::new("judge", "1.0.0")).await.expect("a handshake");
    assert_eq!(info.version(), Some(version()), "{} names another version", variable());
    info
}

fn start(launch: &Launch, tap: &Path) -> (AppServer, Tap) {
    let mut launch = launch.clone();
    let tap = Tap::create(tap, launch.options.redactions.clone()).unwrap();
    launch.options.tap = Some(Arc::new(tap.clone()));
    (AppServer::spawn(launch).expect("an app-server"), tap)
}
