//! Where a run takes place: directories, homes of Codex, the host's configuration, and the scripted model.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::plan::Plan;
use super::processes::RUN;
use super::programs::Programs;
use crate::failure::Failure;

/// Everything outside the driver.
#[derive(Debug)]
pub(super) struct World {
    root: TempDir,
    pub(super) programs: Programs,
    /// By which every process of this run is found, whoever started it.
    pub(super) run: String,
    model: Option<Model>,
}

/// The scripted model of a real Codex; it ends with us.
#[derive(Debug)]
struct Model(Child);

impl Drop for Model {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing more to do about either.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

impl World {
    /// Makes the directories of a plan. Not under `/tmp`: Codex refuses to work with a home there.
    pub(super) fn make(plan: &Plan, programs: Programs) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::new(format!("no place for a run: {error}"));
        let root =
            tempfile::Builder::new().prefix("selvedge-chaos-").tempdir_in("/var/tmp").map_err(failed)?;
        let run = root.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut world = Self { root, programs, run, model: None };
        world.furnish(plan).map_err(failed)?;
        Ok(world)
    }

    fn furnish(&mut self, plan: &Plan) -> io::Result<()> {
        let config = match self.programs.codex {
            None => None,
            Some(_) => Some(self.start_model()?),
        };
        for environment in 0..plan.environments.len() {
            fs::create_dir_all(self.home(environment))?;
            if let Some(config) = &config {
                fs::write(self.home(environment).join("config.toml"), config)?;
            }
        }
        for session in 0..plan.sessions.len() {
            fs::create_dir_all(self.work(session))?;
        }
        fs::write(self.host_config(), self.configuration(plan).to_string())
    }

    /// Starts the model and takes the configuration for Codex from what it says.
    #[expect(clippy::disallowed_methods, reason = "it is killed and reaped when the world is dropped")]
    fn start_model(&mut self) -> io::Result<String> {
        let mut child = Command::new(&self.programs.selvedge)
            .args(["rehearse", "model", "--listen", "127.0.0.1:0", "--scenario"])
            .arg(&self.programs.scenario)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take();
        self.model = Some(Model(child));
        let lines =
            BufReader::new(stdout.ok_or_else(|| io::Error::other("the model has no stdout"))?).lines();
        let mut config = String::new();
        for line in
            lines.skip_while(|line| !line.as_ref().is_ok_and(|line| line.starts_with("# config.toml")))
        {
            let line = line?;
            if line.starts_with("# or the same") {
                return Ok(config);
            }
            config.push_str(&line);
            config.push('\n');
        }
        Err(io::Error::other("the model did not say how it is reached"))
    }

    fn configuration(&self, plan: &Plan) -> Value {
        let environments: Vec<Value> = plan
            .environments
            .iter()
            .enumerate()
            .map(|(number, faults)| {
                let command = self.app_server(number, faults.as_deref());
                json!({ "command": command, "codex_home": self.home(number) })
            })
            .collect();
        json!({ "data": self.root.path().join("data"), "environments": environments })
    }

    /// The command line of an environment's app-servers.
    fn app_server(&self, environment: usize, faults: Option<&str>) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let selvedge = text(&self.programs.selvedge);
        let mut line = Vec::new();
        if let Some(faults) = faults {
            let starts = self.root.path().join(format!("starts-{environment}"));
            let faults = format!("{faults},starts={}", text(&starts));
            let log = text(&self.proxy_log());
            line.extend(
                [&selvedge, "rehearse", "proxy", "--faults", &faults, "--log", &log, "--"].map(str::to_owned),
            );
        }
        match &self.programs.codex {
            Some(codex) => line.extend([text(codex), "app-server".to_owned()]),
            None => {
                let scenario = text(&self.programs.scenario);
                line.extend(
                    [&selvedge, "rehearse", "app-server", "--scenario", &scenario].map(str::to_owned),
                );
            }
        }
        line
    }

    fn home(&self, environment: usize) -> PathBuf {
        self.root.path().join(format!("home-{environment}"))
    }

    /// Where a session works.
    pub(super) fn work(&self, session: usize) -> PathBuf {
        self.root.path().join(format!("work-{session:03}"))
    }

    pub(super) fn host_config(&self) -> PathBuf {
        self.root.path().join("host.json")
    }

    pub(super) fn host_log(&self) -> PathBuf {
        self.root.path().join("host.log")
    }

    pub(super) fn proxy_log(&self) -> PathBuf {
        self.root.path().join("proxy.log")
    }

    /// The variable that every process of this run has.
    pub(super) fn mark(&self) -> (&'static str, &str) {
        (RUN, &self.run)
    }

    /// Everything the commands wrote: one trace a line.
    pub(super) fn traces(&self, plan: &Plan) -> Vec<String> {
        let files = (0..plan.sessions.len()).map(|session| self.work(session).join("ran.txt"));
        let texts = files.filter_map(|file| fs::read_to_string(file).ok());
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// Removes everything; it went well.
    pub(super) fn remove(self) -> Result<(), Failure> {
        let Self { root, model, .. } = self;
        drop(model);
        root.close().map_err(|error| Failure::new(format!("the run's directory stays: {error}")))
    }

    /// Keeps everything, and says where.
    pub(super) fn keep(self) -> PathBuf {
        let Self { root, model, .. } = self;
        drop(model);
        root.keep()
    }
}
