//! How a Codex is made: every setting, with its default.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use selvedge_runtime::session::{ApprovalPolicy, Code, Sandbox};
use selvedge_runtime::{Config, Introduction, Login, Runtime};
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::approval::{Approval, ApprovalRequest, Approver};
use super::{Codex, Inner, working_directory};
use crate::error::AgentError;
use crate::files::Directory;
use crate::private::{Kind, Private};

/// A little more than the runtime gives Codex to stop a turn.
const KILL_AFTER: Duration = Duration::from_secs(12);

/// What every thread is made with.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) cwd: PathBuf,
    /// Whether somebody said so, and it is not only where the program runs.
    pub(crate) cwd_is_given: bool,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) model: Option<String>,
    pub(crate) effort: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) personality: Option<String>,
    pub(crate) approval_policy: ApprovalPolicy,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) mcp_servers: Map<String, Value>,
    pub(crate) ephemeral: bool,
    pub(crate) reuse_thread: bool,
    pub(crate) kill_after: Duration,
    pub(crate) approver: Option<Arc<Approver>>,
}

/// Makes a [`Codex`]. What is not said is Codex's own default, but for approvals, which ask nobody.
///
/// ```
/// use selvedge_agent::{Codex, Sandbox};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), selvedge_agent::AgentError> {
/// let codex = Codex::builder().cwd("src").sandbox(Sandbox::WorkspaceWrite).effort("low").build().await?;
/// # codex.close().await;
/// # Ok(()) }
/// ```
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{ApprovalPolicy, Codex, Sandbox};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let project = tempfile::tempdir()?;
/// let codex = Codex::builder()
///     .cwd(project.path())
///     .model("gpt-5.5")
///     .effort("low")
///     .sandbox(Sandbox::WorkspaceWrite)
///     .approval_policy(ApprovalPolicy::Never)
///     .env("RUST_BACKTRACE", "1")
///     .startup_timeout(Duration::from_secs(20))
///     .reuse_thread()
///     .build()
///     .await?;
/// assert_eq!(codex.cwd(), project.path().canonicalize()?);
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct CodexBuilder {
    config: Config,
    cwd: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    options: Options,
}

impl Default for CodexBuilder {
    fn default() -> Self {
        // A program that evaluates does not wait for its first word as a person does: no app-server is kept in store.
        let config = Config { keep_warm: false, ..Config::default() };
        let options = Options {
            cwd: PathBuf::new(),
            cwd_is_given: false,
            env: BTreeMap::new(),
            model: None,
            effort: None,
            summary: None,
            personality: None,
            approval_policy: ApprovalPolicy::Never,
            sandbox: None,
            mcp_servers: Map::new(),
            ephemeral: false,
            reuse_thread: false,
            kill_after: KILL_AFTER,
            approver: None,
        };
        Self { config, cwd: None, data_dir: None, options }
    }
}

impl CodexBuilder {
    /// Codex by its path or launcher; the one on the `PATH`, unless given.
    ///
    /// ```
    /// use selvedge_agent::Codex;
    ///
    /// // A service has its own, so that nobody else's upgrade is its own.
    /// let codex = Codex::builder().binary("/opt/codex/bin/codex").codex_home("/var/lib/reviewer/codex").client("reviewer", "1.2.0");
    /// ```
    pub fn binary(mut self, program: impl Into<PathBuf>) -> Self {
        self.config.codex = Some(program.into());
        self
    }

    /// Codex's own directory, with its configuration and login; its default, unless given.
    pub fn codex_home(mut self, directory: impl Into<PathBuf>) -> Self {
        self.config.codex_home = Some(directory.into());
        self
    }

    /// Where it works; the [`Workspace`](crate::Workspace) of a prompt, unless given, and without one the current directory. Nothing is ever cleaned in a directory that is given.
    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cwd = Some(directory.into());
        self
    }

    /// One more variable for its environment. Values are kept as secrets.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.env.insert(name.into(), value.into());
        self
    }

    /// The model; Codex's own, unless given.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model = Some(model.into());
        self
    }

    /// How hard it thinks: `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, as the model offers them.
    pub fn effort(mut self, effort: impl Into<String>) -> Self {
        self.options.effort = Some(effort.into());
        self
    }

    /// How its thoughts are summed up: `auto`, `concise`, `detailed`, `none`.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.options.summary = Some(summary.into());
        self
    }

    /// How it speaks: `none`, `friendly`, `pragmatic`.
    pub fn personality(mut self, personality: impl Into<String>) -> Self {
        self.options.personality = Some(personality.into());
        self
    }

    /// When Codex asks before it acts; never, unless given. See [`CodexBuilder::approvals`] for who answers.
    pub fn approval_policy(mut self, policy: ApprovalPolicy) -> Self {
        self.options.approval_policy = policy;
        self
    }

    /// What commands may do; as Codex is configured, unless given.
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.options.sandbox = Some(sandbox);
        self
    }

    /// How it is logged in: with an API key, or with tokens that the program keeps; as Codex itself is, unless given. Codex keeps it in memory: the
    /// login in its own directory stays as it is. Values are secrets, and written nowhere.
    ///
    /// ```
    /// use selvedge_agent::{Codex, Login};
    ///
    /// # let key = String::from("sk-…");
    /// let codex = Codex::builder().login(Login::api_key(key));
    /// ```
    pub fn login(mut self, login: Login) -> Self {
        self.config.login = Some(login);
        self
    }

    /// As which program Codex knows this one: its name and version; this crate's, unless given.
    pub fn client(mut self, name: &str, version: &str) -> Self {
        self.config.introduction = Some(Box::new(Introduction::new(name, version)));
        self
    }

    /// One more MCP server, as Codex is configured with it (`command` and `args`, or `url`). Values are kept as secrets.
    ///
    /// ```
    /// use selvedge_agent::Codex;
    /// use serde_json::json;
    ///
    /// let codex = Codex::builder()
    ///     .mcp_server("docs", json!({"command": "docs-server", "args": ["--stdio"], "env": {"TOKEN": "…"}}))
    ///     .mcp_server("search", json!({"url": "https://search.example.org/mcp"}));
    /// ```
    pub fn mcp_server(mut self, name: impl Into<String>, server: Value) -> Self {
        self.options.mcp_servers.insert(name.into(), server);
        self
    }

    /// Threads that Codex does not store. Of such a one nothing can be asked after a crash.
    pub fn ephemeral(mut self) -> Self {
        self.options.ephemeral = true;
        self
    }

    /// Goes on in the thread that a session used before, if it was made for the same directory, settings and tools. The model then remembers what was said.
    pub fn reuse_thread(mut self) -> Self {
        self.options.reuse_thread = true;
        self
    }

    /// How long an app-server may take to answer its first question; 10 seconds, unless given.
    pub fn startup_timeout(mut self, time: Duration) -> Self {
        self.config.limits.initialize = time.as_secs().max(1);
        self
    }

    /// How long a turn that was told to stop may take before its app-server is killed, and what else runs on it with it; 12 seconds, unless given. By then
    /// the runtime has given up a turn that hears nothing, and its app-server ends after what else runs there: only less than 10 seconds kills one that others use.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::Codex;
    ///
    /// // Threads that nobody goes on with, in an app-server that may be killed at once.
    /// let codex = Codex::builder().ephemeral().kill_after(Duration::from_secs(2));
    /// ```
    pub fn kill_after(mut self, time: Duration) -> Self {
        self.options.kill_after = time;
        self
    }

    /// Where the journal lies and stays; a directory that goes with this Codex, unless given. Threads that are to be gone on with by the next program need one.
    pub fn data_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.data_dir = Some(directory.into());
        self
    }

    /// Who decides about commands, file changes, permissions and calls of MCP servers that Codex asks about.
    ///
    /// Without anybody the policy does: `never`, `untrusted` and `on-failure` accept, `on-request` declines, and more permissions are never given. Under `never` nobody is asked. Questions to the
    /// user and forms are declined in any case.
    ///
    /// ```
    /// use selvedge_agent::{Approval, ApprovalPolicy, ApprovalRequest, Codex};
    ///
    /// let codex = Codex::builder().approval_policy(ApprovalPolicy::OnRequest).approvals(async |asked: ApprovalRequest| {
    ///     if asked.command().is_some_and(|command| command.contains("cargo ")) { Approval::Accept } else { Approval::Decline }
    /// });
    /// ```
    pub fn approvals<F>(mut self, decide: impl Fn(ApprovalRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Approval> + Send + 'static,
    {
        self.options.approver = Some(Arc::new(move |asked| Box::pin(decide(asked))));
        self
    }

    /// What the runtime below is told otherwise: time limits towards Codex, prices, the stand-in. What is said here before is forgotten, so say it first.
    pub fn runtime(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// Opens it. No app-server is started before the first evaluation.
    ///
    /// # Errors
    /// If the working directory is not there, or the data directory cannot be opened.
    pub async fn build(self) -> Result<Codex, AgentError> {
        let Self { mut config, cwd, data_dir, mut options } = self;
        options.cwd_is_given = cwd.is_some();
        let shown = cwd.clone().unwrap_or_else(|| ".".into());
        let directory =
            working_directory(cwd).ok().and_then(|cwd| Directory::open(cwd).ok()).ok_or_else(|| {
                let message = format!("the directory {} is not there", shown.display());
                AgentError::coded(Code::InvalidArgument, message).hint("give another one with `cwd`")
            })?;
        options.cwd = directory.path().to_owned();
        let configured =
            Some(config.data_dir.clone()).filter(|configured| !configured.as_os_str().is_empty());
        let private = match data_dir.or(configured) {
            Some(given) => {
                config.data_dir = given;
                None
            }
            None => {
                // What an earlier program left may be much.
                let making = spawn_blocking(|| Private::make(Kind::Journal, &std::env::temp_dir())).await;
                let made = making.map_err(io::Error::other).flatten();
                let made = made.map_err(selvedge_runtime::Error::from)?;
                config.data_dir = made.path().to_owned();
                Some(made)
            }
        };
        let this = || Introduction::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        config.introduction.get_or_insert_with(|| Box::new(this()));
        let runtime = Runtime::open_quietly(config).await?;
        Ok(Codex { inner: Arc::new(Inner { runtime, options, directory, private }) })
    }
}

#[cfg(test)]
mod tests;
