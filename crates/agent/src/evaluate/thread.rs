//! The thread that a prompt is evaluated in: a new one, or the one that the session used before.

use std::collections::BTreeMap;

use selvedge_runtime::session::{Code, SessionId, ToolSpec as RuntimeTool, Unattended};
use selvedge_runtime::{NewSession, SessionHandle};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::place::Place;
use crate::error::AgentError;
use crate::events::ToolSpec;
use crate::session::{Session, Slice};
use crate::skills::{HOME, install, real_codex_home};

/// A thread of Codex that a session used, and what it was made for. With [`CodexBuilder::reuse_thread`](crate::CodexBuilder::reuse_thread) the next
/// evaluation of the same kind goes on in it.
///
/// ```
/// use selvedge_agent::{CodexThread, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let codex = Rehearsal::saying("Yes.").codex().reuse_thread().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// let first = codex.evaluate(&prompt, &session).await?;
/// assert_eq!(session.latest::<CodexThread>().map(|thread| thread.thread_id), Some(first.thread_id));
/// assert!(codex.evaluate(&prompt, &session).await?.resumed);
///
/// // The next one begins anew.
/// session.clear::<CodexThread>();
/// assert!(!codex.evaluate(&prompt, &session).await?.resumed);
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodexThread {
    /// Codex's name for it.
    pub thread_id: String,
    /// The runtime's session that holds it.
    pub session_id: Uuid,
    /// Where it works.
    pub cwd: String,
    /// By what its workspace is known again, if it was made for one.
    #[serde(default)]
    pub workspace_fingerprint: Option<String>,
    /// What it was made with: directory, workspace, settings, tools. A thread keeps its tools, so another set needs another thread.
    pub fingerprint: String,
}

impl Slice for CodexThread {
    const NAME: &'static str = "codex_thread";
}

/// A thread in use.
pub(super) struct Thread {
    pub(super) handle: SessionHandle,
    pub(super) fingerprint: String,
    /// Whether it was there before this evaluation.
    pub(super) resumed: bool,
}

impl Thread {
    /// The one that the session used for the same, if that is wanted and it is there; else a new one.
    pub(super) async fn find(place: Place<'_>, session: &Session) -> Result<Self, AgentError> {
        let (codex, fingerprint) = (place.codex, fingerprint(place));
        if codex.options().reuse_thread {
            let used = session.filter(|it: &CodexThread| it.fingerprint == fingerprint).pop();
            if let Some(used) = used {
                match codex.runtime().session(SessionId(used.session_id)).await {
                    Ok(handle) => return Ok(Self { handle, fingerprint, resumed: true }),
                    Err(error) if error.code == Code::NotFound => {
                        tracing::warn!(
                            thread_id = used.thread_id,
                            "the thread is not in this data directory: a new one begins"
                        );
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Self::make(place).await
    }

    /// A new one.
    pub(super) async fn make(place: Place<'_>) -> Result<Self, AgentError> {
        let handle = place.codex.runtime().create(new_session(place)?).await?;
        Ok(Self { handle, fingerprint: fingerprint(place), resumed: false })
    }

    /// Whether it is there, and offers these tools.
    pub(super) fn fits(&self, place: Place<'_>) -> bool {
        self.fingerprint == fingerprint(place)
    }

    /// Its name, once Codex has made it.
    pub(super) async fn id(&self) -> Option<String> {
        self.handle.summary().await.ok().and_then(|summary| summary.thread_id)
    }

    /// Notes on the session that it is there to be gone on with.
    pub(super) async fn keep(&self, place: Place<'_>, session: &Session) {
        let Some(thread_id) = self.id().await else { return };
        let kept = CodexThread {
            thread_id,
            session_id: self.handle.id().0,
            cwd: place.cwd().display().to_string(),
            workspace_fingerprint: place.fingerprint().map(str::to_owned),
            fingerprint: self.fingerprint.clone(),
        };
        if session.filter(|it: &CodexThread| *it == kept).is_empty() {
            self.forget(session);
            session.append(kept);
        }
    }

    /// Nobody is to go on in it: what became of its turn is not known.
    pub(super) fn forget(&self, session: &Session) {
        let fingerprint = self.fingerprint.clone();
        session.remove_if(move |it: &CodexThread| it.fingerprint == fingerprint);
    }
}

fn new_session(place: Place<'_>) -> Result<NewSession, AgentError> {
    let (options, tools) = (place.codex.options(), place.tools);
    if let Some(taken) = tools.iter().find(|tool| options.mcp_servers.contains_key(&tool.name)) {
        let message = format!("`{}` is the name of a tool and of an MCP server", taken.name);
        return Err(AgentError::coded(Code::InvalidArgument, message).hint("give one of them another name"));
    }
    let mut new = NewSession::in_directory(place.cwd().display().to_string());
    new.env = options.env.clone();
    if !place.skills.is_empty() {
        find_skills(place, &mut new.env)?;
    }
    new.mcp_servers = options.mcp_servers.clone();
    let settings = &mut new.settings;
    settings.model = options.model.clone();
    settings.effort = options.effort.clone();
    settings.summary = options.summary.clone();
    settings.personality = options.personality.clone();
    settings.approval_policy = Some(options.approval_policy);
    settings.sandbox = options.sandbox;
    settings.ephemeral = options.ephemeral;
    // What is asked waits for us, and we always answer.
    settings.unattended = Unattended::Wait;
    settings.tools = tools.iter().map(runtime_tool).collect();
    Ok(new)
}

/// Lets Codex find skills: in a home of their own. Its own directory stays where it is, and with it the login.
fn find_skills(place: Place<'_>, env: &mut BTreeMap<String, String>) -> Result<(), AgentError> {
    let codex = place.codex;
    let home = install(codex.data_dir(), place.skills).map_err(|error| {
        let message = format!("the skills could not be installed: {error}");
        AgentError::coded(Code::Internal, message).hint("look at the disk of the data directory")
    })?;
    if codex.runtime().config().codex_home.is_none() {
        env.extend(real_codex_home(env));
    }
    env.insert(HOME.to_owned(), home.display().to_string());
    Ok(())
}

/// The time of a call is kept by the toolbox, which also tells of it.
fn runtime_tool(tool: &ToolSpec) -> RuntimeTool {
    RuntimeTool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone().into(),
        timeout_seconds: None,
    }
}

/// By what a thread is known again. Names of servers and variables are in it; their values are secrets, and are not.
fn fingerprint(place: Place<'_>) -> String {
    let options = place.codex.options();
    let mut made_with = json!({
        "cwd": place.cwd().to_string_lossy(),
        "workspace": place.fingerprint(),
        "model": options.model,
        "effort": options.effort,
        "summary": options.summary,
        "personality": options.personality,
        "approval_policy": options.approval_policy,
        "sandbox": options.sandbox,
        "ephemeral": options.ephemeral,
        "env": options.env.keys().collect::<Vec<_>>(),
        "mcp_servers": options.mcp_servers.keys().collect::<Vec<_>>(),
        "tools": place.tools,
    });
    if !place.skills.is_empty() {
        made_with["skills"] = place.skills.iter().map(|skill| skill.hash.as_str()).collect();
    }
    Sha256::digest(made_with.to_string()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
