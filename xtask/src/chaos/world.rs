//! Where a run takes place: directories, homes of Codex, the host's configuration, and the scripted model.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, BufReader, Lines};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::plan::Plan;
use super::processes::RUN;
use super::programs::Programs;
use crate::failure::Failure;

/// Which environment a session is in; the program that stands for Codex reads it.
const PLACE: &str = "CHAOS_PLACE";

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
struct Model {
    child: Child,
    /// It prints no more, but closed it would be an error to it.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl Drop for Model {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing more to do about either.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
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
        self.write_codex(plan)?;
        fs::write(self.host_config(), self.configuration(plan.relay).to_string())
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
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("the model has no stdout"))?;
        let mut lines = BufReader::new(stdout).lines();
        let config = configuration_in(&mut lines);
        self.model = Some(Model { child, _stdout: lines });
        config
    }

    /// What the runtime is told. Deaths are what this is about, so their budget is large and the waits are short.
    fn configuration(&self, relay: bool) -> Value {
        let mut told = json!({
            "data_dir": self.data(), "codex": self.codex(), "idle_seconds": 4,
            "restarts": { "max": 1_000_000, "first_delay_seconds": 0.05, "longest_delay_seconds": 1.0 },
        });
        if relay {
            told["relay"] = json!({ "program": self.programs.selvedge, "idle_seconds": 600 });
        }
        told
    }

    fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// The directories of relays that are there.
    pub(super) fn relays(&self) -> Vec<PathBuf> {
        let relays = fs::read_dir(self.data().join("relays"));
        relays.into_iter().flatten().flatten().map(|relay| relay.path()).collect()
    }

    /// The program that the runtime takes for Codex: the session's environment chooses what it becomes.
    fn write_codex(&self, plan: &Plan) -> io::Result<()> {
        let mut script = format!("#!/bin/sh\ncase \"${{{PLACE}:-0}}\" in\n");
        for (number, faults) in plan.environments.iter().enumerate() {
            let exec = |faults: Option<&str>| {
                let words = self.app_server(number, faults);
                let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
                format!("exec {}", quoted.join(" "))
            };
            let calm = self.calm_file();
            let (alone, here) = (exec(None), exec(faults.as_deref()));
            let _ = writeln!(script, "{number}) [ -e '{}' ] && {alone}; {here};;", calm.display());
        }
        script.push_str("esac\nexit 9\n");
        fs::write(self.codex(), script)?;
        fs::set_permissions(self.codex(), fs::Permissions::from_mode(0o755))
    }

    /// What a session's environment holds: which app-servers are its, and their home.
    pub(super) fn environment(&self, environment: usize) -> Value {
        json!({ PLACE: environment.to_string(), "CODEX_HOME": self.home(environment) })
    }

    /// From now on app-servers are started without a proxy. Those that live keep theirs, and its faults.
    pub(super) fn calm(&self) -> io::Result<()> {
        fs::write(self.calm_file(), "")
    }

    fn calm_file(&self) -> PathBuf {
        self.root.path().join("calm")
    }

    fn codex(&self) -> PathBuf {
        self.root.path().join("codex")
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

    pub(super) fn home(&self, environment: usize) -> PathBuf {
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

    fn proxy_log(&self) -> PathBuf {
        self.root.path().join("proxy.log")
    }

    /// How often the proxies did what, by what their log says.
    pub(super) fn proxy_faults(&self) -> BTreeMap<String, usize> {
        let mut faults = BTreeMap::new();
        for line in fs::read_to_string(self.proxy_log()).unwrap_or_default().lines() {
            let fault = line.rsplit_once(": ").map_or(line, |(_, fault)| fault);
            let name = fault.split('(').next().unwrap_or(fault);
            *faults.entry(name.to_owned()).or_default() += 1;
        }
        faults
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

/// What stands between the two headings of what the model says.
fn configuration_in(lines: &mut Lines<BufReader<ChildStdout>>) -> io::Result<String> {
    let mut config = None;
    for line in lines {
        let line = line?;
        match &mut config {
            None if line.starts_with("# config.toml") => config = Some(String::new()),
            None => {}
            Some(config) if line.starts_with("# or the same") => return Ok(std::mem::take(config)),
            Some(config) => {
                config.push_str(&line);
                config.push('\n');
            }
        }
    }
    Err(io::Error::other("the model did not say how it is reached"))
}
