//! The agents of a gateway: the tables `[agents.NAME]` of `selvedge.toml`.

mod peer;
mod said;

pub(crate) use peer::Peer;
pub(crate) use said::{Extension, Skill};

use std::{collections::BTreeMap, env, fmt, path::Path, sync::Arc};

use selvedge_runtime::{Config, Error, NewSession};
use selvedge_session::{
    ApprovalPolicy, Budget, BusyPolicy, Code, OnLost, Sandbox, Settings, ToolSpec, Unattended,
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A name that means something else in an address.
const RESERVED: [&str; 2] = ["rest", ".well-known"];

/// The agents that a gateway shows to other agents.
#[derive(Debug, Clone, Default)]
pub struct Agents {
    all: BTreeMap<String, Arc<Agent>>,
    default: Option<Arc<Agent>>,
}

/// One agent: what it says of itself, and how its sessions work. It holds secrets, and is never printed.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Agent {
    /// By which it is called in an address.
    #[serde(skip)]
    pub(crate) key: String,
    pub(crate) name: Option<String>,
    pub(crate) description: String,
    pub(crate) version: String,
    /// Also at `/a2a`, without its name.
    pub(crate) default: bool,
    /// The gateway as others reach it, with scheme and host; as each asks for it, unless given.
    pub(crate) url: Option<String>,
    pub(crate) documentation_url: Option<String>,
    pub(crate) icon_url: Option<String>,
    pub(crate) organization: Option<String>,
    pub(crate) organization_url: Option<String>,
    pub(crate) skills: Vec<Skill>,
    /// What is shown to who has a token, beside the rest.
    pub(crate) extended_skills: Vec<Skill>,
    pub(crate) cwd: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) effort: Option<String>,
    pub(crate) instructions: Option<String>,
    pub(crate) base_instructions: Option<String>,
    pub(crate) approval_policy: ApprovalPolicy,
    pub(crate) sandbox: Sandbox,
    pub(crate) busy_policy: BusyPolicy,
    pub(crate) on_lost: OnLost,
    pub(crate) unattended: Unattended,
    pub(crate) deadline_seconds: Option<u64>,
    pub(crate) queue_seconds: Option<u64>,
    pub(crate) stall_seconds: Option<u64>,
    pub(crate) approval_timeout_seconds: Option<u64>,
    pub(crate) budget: Option<Budget>,
    pub(crate) mcp_servers: Map<String, Value>,
    pub(crate) env: BTreeMap<String, String>,
    /// Variables without which it cannot work: they are handed to Codex.
    pub(crate) required_env: Vec<String>,
    pub(crate) config: Map<String, Value>,
    /// Plain questions are answered by a message instead of a task.
    pub(crate) answers: Answers,
    /// What makes a question a plain one: one of these is in it; every one is, unless given.
    pub(crate) plain: Vec<String>,
    /// What it takes beside words.
    pub(crate) input_modes: Vec<String>,
    /// The largest file of a message, in bytes.
    pub(crate) max_file_bytes: usize,
    /// Whether whoever asks for it is told of changes.
    pub(crate) push: bool,
    /// Also at private addresses.
    pub(crate) push_to_private: bool,
    /// The first pause before a notification is tried again; doubled each time.
    pub(crate) push_retry_seconds: f64,
    /// What callers have to know, or may.
    pub(crate) extensions: Vec<Extension>,
    /// Whether it can give files and links beside its answer; needs a Codex with dynamic tools.
    pub(crate) offer_artifacts: bool,
    /// Other agents that it may talk to.
    pub(crate) peers: BTreeMap<String, Peer>,
    /// Where messages for it are fetched.
    pub(crate) inbox: Option<Peer>,
    /// Through how many agents a message may go.
    pub(crate) max_hops: u64,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Agent({})", self.key)
    }
}

/// How an agent answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answers {
    /// With a task.
    #[default]
    Task,
    /// With what it says.
    Message,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            key: String::new(),
            name: None,
            description: String::new(),
            version: "1.0.0".to_owned(),
            default: false,
            url: None,
            documentation_url: None,
            icon_url: None,
            organization: None,
            organization_url: None,
            skills: Vec::new(),
            extended_skills: Vec::new(),
            cwd: None,
            model: None,
            effort: None,
            instructions: None,
            base_instructions: None,
            // Another agent cannot be asked as a person can; the sandbox holds instead.
            approval_policy: ApprovalPolicy::Never,
            sandbox: Sandbox::WorkspaceWrite,
            busy_policy: BusyPolicy::Queue,
            on_lost: OnLost::Continue,
            unattended: Unattended::Wait,
            deadline_seconds: None,
            queue_seconds: None,
            stall_seconds: None,
            approval_timeout_seconds: None,
            budget: None,
            mcp_servers: Map::new(),
            env: BTreeMap::new(),
            required_env: Vec::new(),
            config: Map::new(),
            answers: Answers::Task,
            plain: Vec::new(),
            input_modes: vec!["*/*".to_owned()],
            max_file_bytes: 16 << 20,
            push: true,
            push_to_private: false,
            push_retry_seconds: 1.0,
            extensions: Vec::new(),
            offer_artifacts: true,
            peers: BTreeMap::new(),
            inbox: None,
            max_hops: 8,
        }
    }
}

impl Agents {
    /// What the configuration says of them. A variable that is missing stops the start.
    pub fn of(config: &Config) -> Result<Self, Error> {
        let mut agents = Self::default();
        let alone = config.agents.len() == 1;
        for (key, said) in &config.agents {
            let mut agent = Agent::read(key, said, config)?;
            agent.default |= alone;
            let agent = Arc::new(agent);
            if agent.default
                && let Some(other) = agents.default.replace(Arc::clone(&agent))
            {
                let message = format!("`agents.{}` and `agents.{key}` are both the default", other.key);
                return Err(wrong(message, "say `default = true` of one"));
            }
            agents.all.insert(key.clone(), agent);
        }
        Ok(agents)
    }

    /// Each of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Agent>> {
        self.all.values()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The one that is called so, or the default.
    pub(crate) fn find(&self, name: Option<&str>) -> Option<Arc<Agent>> {
        match name {
            Some(name) => self.all.get(name).cloned(),
            None => self.default.clone(),
        }
    }
}

impl Agent {
    fn read(key: &str, said: &Value, config: &Config) -> Result<Self, Error> {
        let mut agent: Self = serde_path_to_error::deserialize(said).map_err(|error| {
            let message = format!("`agents.{key}.{}` in the configuration: {}", error.path(), error.inner());
            wrong(message, "docs/a2a.md lists every key")
        })?;
        agent.key = key.to_owned();
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if RESERVED.contains(&key) || key.is_empty() || !key.chars().all(is_name) {
            let message = format!("an agent cannot be called {key:?}");
            return Err(wrong(message, "use letters, digits, `-` and `_`, and not `rest`"));
        }
        let cwd = agent.cwd.take().or_else(|| config.cwd.as_ref().map(|cwd| cwd.display().to_string()));
        let Some(cwd) = cwd.filter(|cwd| Path::new(cwd).is_absolute() && Path::new(cwd).is_dir()) else {
            let message = format!("`agents.{key}.cwd` is no directory that there is");
            return Err(wrong(message, "say where the agent works, from `/` on"));
        };
        agent.cwd = Some(cwd);
        agent.take_environment()?;
        for (name, peer) in &mut agent.peers {
            peer.take_token(name)?;
        }
        if let Some(inbox) = &mut agent.inbox {
            inbox.take_token("inbox")?;
        }
        Ok(agent)
    }

    /// What it cannot work without comes from the gateway's own environment.
    fn take_environment(&mut self) -> Result<(), Error> {
        for name in &self.required_env {
            if self.env.contains_key(name) {
                continue;
            }
            match env::var(name) {
                Ok(value) if !value.is_empty() => {
                    self.env.insert(name.clone(), value);
                }
                _ => {
                    let message =
                        format!("the agent `{}` needs the variable {name}, which is not set", self.key);
                    return Err(wrong(message, "set it where `selvedge serve` is started"));
                }
            }
        }
        Ok(())
    }

    /// A session of this agent's.
    pub(crate) fn session(&self, labels: BTreeMap<String, String>, tools: Vec<ToolSpec>) -> NewSession {
        let settings = Settings {
            cwd: self.cwd.clone().unwrap_or_default(),
            name: Some(self.title().to_owned()),
            model: self.model.clone(),
            effort: self.effort.clone(),
            approval_policy: Some(self.approval_policy),
            sandbox: Some(self.sandbox),
            base_instructions: self.base_instructions.clone(),
            developer_instructions: self.instructions.clone(),
            busy_policy: self.busy_policy,
            config: self.config.clone(),
            labels,
            budget: self.budget,
            deadline_seconds: self.deadline_seconds,
            approval_timeout_seconds: self.approval_timeout_seconds,
            stall_seconds: self.stall_seconds,
            unattended: self.unattended,
            on_lost: self.on_lost,
            tools,
            ..Settings::default()
        };
        NewSession {
            settings,
            env: self.env.clone(),
            mcp_servers: self.mcp_servers.clone(),
            idempotency_key: None,
        }
    }

    /// What people call it.
    pub(crate) fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.key)
    }
}

fn wrong(message: String, hint: &str) -> Error {
    Error::coded(Code::InvalidArgument, message).hint(hint)
}
