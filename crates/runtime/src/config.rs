//! The one configuration of a runtime. A flag beats the environment beats `selvedge.toml`.

mod check;
mod prices;
mod shown;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use selvedge_client::{Introduction, Redactions};
use selvedge_journal::Durability;
use selvedge_session::{ApprovalPolicy, Code, Price, Sandbox};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{error::Error, fleet::Within, login::Login, recording::RecordingLimits};

/// Everything a runtime is told at its start. Every field is a key of `selvedge.toml`.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where everything durable lies.
    pub data_dir: PathBuf,
    /// `rehearsal`, or Codex by its path or launcher; the one on the PATH, unless given.
    pub codex: Option<PathBuf>,
    /// Codex's own directory; its default, unless given.
    pub codex_home: Option<PathBuf>,
    /// Handed to Codex as `-c KEY=VALUE`.
    pub codex_config: Vec<String>,
    /// Sessions work under these alone, links resolved; everywhere, if there are none. A gateway says it.
    #[serde(skip)]
    pub allow_roots: Vec<PathBuf>,
    /// Where new sessions work; where the command was started, unless given.
    pub cwd: Option<PathBuf>,
    /// The model of new sessions.
    pub model: Option<String>,
    /// The effort of new sessions.
    pub effort: Option<String>,
    /// The approval policy of new sessions.
    pub approval_policy: Option<ApprovalPolicy>,
    /// The sandbox of new sessions.
    pub sandbox: Option<Sandbox>,
    /// Survive the loss of power, not only of the process.
    pub durability: HowDurable,
    /// The journal is not to grow beyond so many bytes; reaching that is like a full disk.
    pub max_journal_bytes: Option<u64>,
    /// More sessions than these are not made.
    pub max_sessions: u64,
    /// More messages than these do not wait in one session.
    pub max_queued_messages: usize,
    /// Sessions of which nothing was heard for so many days are removed at the start; none, unless given.
    pub retain_days: Option<u64>,
    /// USD per million tokens, by model.
    #[serde(deserialize_with = "prices::read")]
    pub prices: BTreeMap<String, Price>,
    /// How often a dead app-server is replaced.
    pub restarts: Restarts,
    /// How long Codex may take, in seconds.
    pub limits: Limits,
    /// How many threads one app-server takes.
    pub threads_per_process: usize,
    /// Keep one more app-server ready for each environment in use.
    pub keep_warm: bool,
    /// After how many seconds without work a session is put out of memory.
    pub idle_seconds: u64,
    /// How new app-servers outlive this program; they end with it, unless somebody says so.
    #[serde(skip)]
    pub relay: Option<Relay>,
    /// Where Codex reaches the tools of sessions: an address to which a session's id is added. Nobody serves them, unless
    /// a gateway says so.
    #[serde(skip)]
    pub tools_at: Option<String>,
    /// What is said to app-servers and by them is kept, in `recordings/`.
    pub record: bool,
    /// How much of that is kept.
    pub recordings: RecordingLimits,
    /// How app-servers are logged in; as Codex itself is, unless somebody says so.
    #[serde(skip)]
    pub login: Option<Login>,
    /// As who we introduce ourselves to Codex; as Selvedge, unless somebody says so.
    #[serde(skip)]
    pub introduction: Option<Box<Introduction>>,
    /// Values that stand in nothing that is kept or shown, beside the secrets of sessions. More may be added while it runs.
    #[serde(skip)]
    pub hidden: Redactions,
    /// What the stand-in plays, if it was asked for.
    pub rehearsal: Rehearsal,
    /// What a gateway on this runtime is told; it is read there.
    pub serve: Map<String, Value>,
    /// The agents that a gateway shows to other agents; it is read there.
    pub agents: Map<String, Value>,
    /// Where the command line finds its sessions, if not here; it is read there.
    pub gateway: Map<String, Value>,
}

/// Who holds app-servers that outlive their program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relay {
    /// The program that is a relay's daemon when it is started with `relay daemon …`.
    pub program: PathBuf,
    /// After so long without a program of ours they end; never, if `None`.
    pub idle: Option<Duration>,
}

/// When a record counts as durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HowDurable {
    /// It survives `kill -9`.
    #[default]
    Normal,
    /// It survives the loss of power: one fsync per commit.
    Full,
}

impl From<HowDurable> for Durability {
    fn from(durable: HowDurable) -> Self {
        match durable {
            HowDurable::Normal => Self::Process,
            HowDurable::Full => Self::Full,
        }
    }
}

/// How often a dead app-server is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Restarts {
    /// The first wait; doubled each time.
    pub first_delay_seconds: f64,
    /// The longest wait.
    pub longest_delay_seconds: f64,
    /// So many deaths …
    pub max: usize,
    /// … within so many seconds, and the sessions fail.
    pub within_seconds: u64,
    /// After so many seconds of life the waits begin anew.
    pub healthy_after_seconds: u64,
}

impl Default for Restarts {
    fn default() -> Self {
        Self {
            first_delay_seconds: 1.0,
            longest_delay_seconds: 30.0,
            max: 5,
            within_seconds: 600,
            healthy_after_seconds: 60,
        }
    }
}

/// How long Codex may take to answer, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// `initialize`.
    pub initialize: u64,
    /// `thread/start`, `thread/resume`, `thread/fork` and logins.
    pub thread: u64,
    /// `turn/start`.
    pub turn_start: u64,
    /// `turn/interrupt` and `turn/steer`.
    pub control: u64,
    /// Everything else.
    pub other: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { initialize: 10, thread: 30, turn_start: 120, control: 5, other: 60 }
    }
}

impl From<Limits> for selvedge_client::TimeLimits {
    fn from(limits: Limits) -> Self {
        let seconds = Duration::from_secs;
        Self {
            initialize: seconds(limits.initialize),
            thread: seconds(limits.thread),
            turn_start: seconds(limits.turn_start),
            control: seconds(limits.control),
            other: seconds(limits.other),
        }
    }
}

/// The stand-in for Codex, if it was asked for by name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rehearsal {
    /// The `selvedge` program that plays it; this program, unless given.
    pub program: Option<PathBuf>,
    /// What it plays; the demonstration, unless given.
    pub scenario: Option<PathBuf>,
    /// What goes wrong in it.
    pub faults: Option<String>,
    /// Said to the program instead of what it plays: for another stand-in than the simulated app-server.
    #[serde(skip)]
    pub arguments: Vec<OsString>,
    /// Speaks within this program instead of any program.
    #[serde(skip)]
    pub within: Option<Within>,
}

impl Rehearsal {
    /// What the program is started with.
    pub(crate) fn words(&self) -> Vec<OsString> {
        if !self.arguments.is_empty() {
            return self.arguments.clone();
        }
        let mut words: Vec<OsString> = vec!["rehearse".into(), "app-server".into()];
        if let Some(scenario) = &self.scenario {
            words.extend(["--scenario".into(), scenario.into()]);
        }
        if let Some(faults) = &self.faults {
            words.extend(["--faults".into(), faults.into()]);
        }
        words
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data_dir: PathBuf::new(),
            codex: None,
            codex_home: None,
            codex_config: Vec::new(),
            allow_roots: Vec::new(),
            cwd: None,
            model: None,
            effort: None,
            approval_policy: None,
            sandbox: None,
            durability: HowDurable::default(),
            max_journal_bytes: None,
            max_sessions: 100_000,
            max_queued_messages: 1_000,
            retain_days: None,
            prices: BTreeMap::new(),
            restarts: Restarts::default(),
            limits: Limits::default(),
            threads_per_process: 32,
            keep_warm: true,
            idle_seconds: 60,
            relay: None,
            tools_at: None,
            record: false,
            recordings: RecordingLimits::default(),
            login: None,
            introduction: None,
            hidden: Redactions::default(),
            rehearsal: Rehearsal::default(),
            serve: Map::new(),
            agents: Map::new(),
            gateway: Map::new(),
        }
    }
}

impl Config {
    /// The defaults, with everything durable in this directory.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), ..Self::default() }
    }

    /// Reads a `selvedge.toml`. One that is not there is an empty one.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                let message = format!("{} cannot be read: {error}", file.display());
                return Err(Error::coded(Code::InvalidArgument, message));
            }
        };
        toml::from_str(&text).map_err(|error| {
            let message = format!("{} is not a configuration: {}", file.display(), error.message());
            let place = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
            let line = place.map(|line| format!("look at line {line}; ")).unwrap_or_default();
            Error::coded(Code::InvalidArgument, message)
                .hint(format!("{line}docs/configuration.md lists every key"))
        })
    }

    /// Whether the stand-in was asked for.
    #[must_use]
    pub fn is_rehearsal(&self) -> bool {
        self.codex.as_deref() == Some(Path::new("rehearsal"))
    }
}
