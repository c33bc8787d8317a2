//! What every command can be told: flag beats environment beats `selvedge.toml`.

mod flags;

use std::{
    env,
    path::{Path, PathBuf, absolute},
};

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use selvedge_rehearsal::{app_server::Faults, scenario::Scenario};
use selvedge_runtime::{Config, HowDurable};
use selvedge_session::{ApprovalPolicy, Sandbox};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use flags::Flags;

const POLICIES: [&str; 4] = ["never", "untrusted", "on-failure", "on-request"];
const DURABILITIES: [&str; 2] = ["normal", "full"];
const SANDBOXES: [&str; 3] = ["read-only", "workspace-write", "danger-full-access"];

/// Options of every command that works with sessions.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    // First: whoever reads an argument after this takes it away.
    #[command(flatten)]
    for_this_process: Flags,
    /// Codex: its path or npm launcher, else the one on the PATH; `rehearsal` is the stand-in
    #[arg(long, value_name = "PATH", env = "SELVEDGE_CODEX", global = true)]
    codex: Option<PathBuf>,
    /// Codex's own directory (its login, configuration and threads)
    #[arg(long, value_name = "DIR", env = "SELVEDGE_CODEX_HOME", global = true)]
    codex_home: Option<PathBuf>,
    /// Handed to Codex as `-c KEY=VALUE`; may be repeated
    #[arg(
        long,
        value_name = "KEY=VALUE",
        env = "SELVEDGE_CODEX_CONFIG",
        hide_env_values = true,
        global = true
    )]
    codex_config: Vec<String>,
    /// Where everything durable lies [default: the platform's data directory + selvedge]
    #[arg(long, value_name = "DIR", env = "SELVEDGE_DATA_DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// The configuration [default: selvedge.toml in the data directory]
    #[arg(long, value_name = "FILE", env = "SELVEDGE_CONFIG", global = true)]
    config: Option<PathBuf>,
    /// The model
    #[arg(long, env = "SELVEDGE_MODEL", global = true)]
    pub(crate) model: Option<String>,
    /// Where the agent works [default: here]
    #[arg(long, value_name = "DIR", env = "SELVEDGE_CWD", global = true)]
    cwd: Option<PathBuf>,
    /// When Codex asks before it acts
    #[arg(long, value_name = "POLICY", env = "SELVEDGE_APPROVAL_POLICY", global = true,
        value_parser = choice::<ApprovalPolicy>(&POLICIES))]
    approval_policy: Option<ApprovalPolicy>,
    /// What commands may do
    #[arg(long, value_name = "SANDBOX", env = "SELVEDGE_SANDBOX", global = true,
        value_parser = choice::<Sandbox>(&SANDBOXES))]
    sandbox: Option<Sandbox>,
    /// How hard the model thinks
    #[arg(long, env = "SELVEDGE_EFFORT", global = true)]
    pub(crate) effort: Option<String>,
    /// What is kept survives `kill -9` (`normal`), or the loss of power too (`full`)
    #[arg(long, value_name = "HOW", env = "SELVEDGE_DURABILITY", global = true,
        value_parser = choice::<HowDurable>(&DURABILITIES))]
    durability: Option<HowDurable>,
    /// What the stand-in plays [default: the demonstration]
    #[arg(long, value_name = "FILE", env = "SELVEDGE_SCENARIO", global = true)]
    scenario: Option<PathBuf>,
    /// How the stand-in misbehaves: docs/rehearsal.md lists the words
    #[arg(long, value_name = "SPEC", env = "SELVEDGE_FAULTS", global = true)]
    faults: Option<String>,
}

impl Common {
    /// Refuses what was said for this process when another one does the work.
    pub(crate) fn reaches_a_gateway(&self) -> Result<(), Failure> {
        let Some(flag) = self.for_this_process.first() else { return Ok(()) };
        let what = format!("`{flag}` cannot be said to a gateway: it was told at its own start");
        Err(Failure::bad_input(what, "leave it away, or work in this process with --local"))
    }

    /// The configuration after everything has been said.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let file = self.file()?;
        let mut config = Config::read(&file)?;
        over(&mut config.codex, self.codex.as_ref());
        over(&mut config.codex_home, self.codex_home.as_ref());
        over(&mut config.cwd, self.cwd.as_ref());
        over(&mut config.model, self.model.as_ref());
        over(&mut config.effort, self.effort.as_ref());
        over(&mut config.approval_policy, self.approval_policy.as_ref());
        over(&mut config.sandbox, self.sandbox.as_ref());
        config.durability = self.durability.unwrap_or(config.durability);
        over(&mut config.rehearsal.scenario, self.scenario.as_ref());
        over(&mut config.rehearsal.faults, self.faults.as_ref());
        // Codex takes the last word on a key, so what was said here stands last.
        config.codex_config.extend(self.codex_config.iter().cloned());
        if let Some(directory) = &self.data_dir {
            config.data_dir.clone_from(directory);
        } else if config.data_dir.as_os_str().is_empty() {
            config.data_dir = default_data_dir()?;
        }
        config.data_dir = complete(&config.data_dir)?;
        config.rehearsal.scenario = config.rehearsal.scenario.as_deref().map(complete).transpose()?;
        rehearsed(&config)?;
        Ok(config)
    }

    /// Where the agent works.
    pub(crate) fn directory(config: &Config) -> Result<PathBuf, Failure> {
        let here = Path::new(".");
        let named = config.cwd.as_deref().unwrap_or(here);
        named.canonicalize().map_err(|error| {
            let what = format!("the directory {} cannot be used: {error}", named.display());
            Failure::bad_input(what, "name another with --cwd")
        })
    }

    fn file(&self) -> Result<PathBuf, Failure> {
        let Some(named) = &self.config else {
            let directory = self.data_dir.clone().map_or_else(default_data_dir, Ok)?;
            return Ok(directory.join("selvedge.toml"));
        };
        if named.is_file() {
            return Ok(named.clone());
        }
        let what = format!("there is no configuration {}", named.display());
        Err(Failure::bad_input(what, "docs/configuration.md lists what can stand in one"))
    }
}

/// What the stand-in is to play can be played: otherwise it ends as soon as it is started, again and again.
fn rehearsed(config: &Config) -> Result<(), Failure> {
    if !config.is_rehearsal() || !config.rehearsal.arguments.is_empty() {
        return Ok(());
    }
    if let Some(scenario) = &config.rehearsal.scenario {
        Scenario::load(scenario)?;
    }
    let faults = config.rehearsal.faults.as_deref().unwrap_or_default();
    let faults = faults.parse::<Faults>().map(drop);
    faults.map_err(|why| {
        Failure::bad_input(format!("unknown fault `{}`", why.word), &format!("known are {}", why.known))
    })
}

fn over<T: Clone>(value: &mut Option<T>, said: Option<&T>) {
    if let Some(said) = said {
        *value = Some(said.clone());
    }
}

fn complete(path: &Path) -> Result<PathBuf, Failure> {
    absolute(path).map_err(|error| {
        Failure::bad_input(format!("{} is no path: {error}", path.display()), "give an absolute path")
    })
}

fn default_data_dir() -> Result<PathBuf, Failure> {
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let below_home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    let data = named.or_else(|| env::home_dir().map(|home| home.join(below_home)));
    data.map(|data| data.join("selvedge")).ok_or_else(|| {
        Failure::bad_input(
            "there is no home directory to keep sessions in",
            "name a directory with --data-dir",
        )
    })
}

/// A word of a list, as the type that is written like it.
fn choice<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value(Value::String(word)))
}

#[cfg(test)]
mod tests;
