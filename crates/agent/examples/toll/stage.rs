//! Where evaluations run: the simulated app-server, or a real Codex with a scripted model.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use selvedge_agent::{Codex, CodexBuilder, RuntimeConfig, Sandbox};
use selvedge_client::Launch;
use selvedge_rehearsal::model::{CodexSettings, ModelServer};
use selvedge_rehearsal::scenario::Scenario;
use tempfile::TempDir;

use crate::Failure;

const SCENARIO: &str = r#"
[[rule]]
contains = "Meet."
step = [ { do = [ { tool = { name = "meet" } } ] }, { do = [ { say = { text = "Met.", phase = "final_answer" } } ] } ]

[[rule]]
step = [ { do = [ { say = { text = "Yes.", phase = "final_answer" } } ] } ]
"#;

/// Who plays the app-server.
pub(crate) enum Backend {
    /// The simulated one of this program.
    Rehearsal(PathBuf),
    /// A real one.
    Codex(PathBuf),
}

pub(crate) struct Stage {
    backend: Backend,
    directory: TempDir,
    model: Option<ModelServer>,
}

impl Stage {
    pub(crate) async fn set(backend: Backend) -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        fs::create_dir(directory.path().join("home"))?;
        fs::create_dir(directory.path().join("work"))?;
        fs::write(directory.path().join("scenario.toml"), SCENARIO)?;
        let model = match &backend {
            Backend::Rehearsal(_) => None,
            Backend::Codex(_) => {
                let scenario = Arc::new(Scenario::parse(SCENARIO)?);
                let home = directory.path().join("home");
                Some(ModelServer::in_home(scenario, &home, &CodexSettings::default()).await?)
            }
        };
        Ok(Self { backend, directory, model })
    }

    pub(crate) async fn strike(self) -> Result<(), Failure> {
        if let Some(model) = self.model {
            model.stop().await?;
        }
        Ok(())
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.place("work")
    }

    fn place(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A Codex of one's own, with a journal of its own.
    pub(crate) fn builder(&self) -> CodexBuilder {
        let mut config = RuntimeConfig { keep_warm: false, ..RuntimeConfig::default() };
        config.codex_home = Some(self.place("home"));
        match &self.backend {
            Backend::Rehearsal(selvedge) => {
                config.codex = Some("rehearsal".into());
                config.rehearsal.program = Some(selvedge.clone());
                config.rehearsal.scenario = Some(self.place("scenario.toml"));
            }
            Backend::Codex(codex) => config.codex = Some(codex.clone()),
        }
        let builder = Codex::builder().runtime(config).cwd(self.work()).sandbox(Sandbox::DangerFullAccess);
        // A hundred that start at once take their time.
        builder.startup_timeout(Duration::from_secs(300))
    }

    /// The same app-server, for whoever talks to it without us.
    pub(crate) fn launch(&self) -> Launch {
        let home = self.place("home");
        match &self.backend {
            Backend::Codex(codex) => Launch::program(codex.clone()).codex_home(home),
            Backend::Rehearsal(selvedge) => {
                let mut launch = Launch::program(selvedge.clone()).codex_home(home);
                let scenario: &Path = &self.place("scenario.toml");
                launch.arguments =
                    vec!["rehearse".into(), "app-server".into(), "--scenario".into(), scenario.into()];
                launch
            }
        }
    }
}
