//! Threads: made, loaded again, and copied. A thread that is loaded or copied is told everything again.

use std::sync::Arc;

use selvedge_client::Abilities;
use selvedge_protocol::{
    say::{
        AskForApproval, DynamicToolSpec, FunctionDynamicToolSpec, Personality, SandboxMode, ThreadForkParams,
        ThreadResumeParams, ThreadStartParams,
    },
    secret::Secret,
};
use selvedge_session::{Settings, ToolsVia};
use serde_json::{Map, Value};

use super::{
    config::config,
    lacking::warnings,
    policy::{Warning, approval_policy, sandbox},
    switches::Features,
};

/// What a thread needs that is not in its session's settings. It is not printed: it holds secrets.
#[derive(Clone, Default)]
pub struct ThreadExtras {
    /// Its MCP servers, with their keys and tokens.
    pub mcp_servers: Map<String, Value>,
    /// What this Codex can do.
    pub can: Arc<Abilities>,
    /// The features it names.
    pub features: Features,
    /// Skills that are not to be used, each by its file.
    pub skills_off: Vec<String>,
    /// There are skills that cannot be switched off.
    pub skills_stay: bool,
    /// It works in an empty directory that was made for it.
    pub own_directory: bool,
}

/// What is to be said, and what people should know about it.
#[derive(Debug)]
pub struct Said<P> {
    /// To Codex.
    pub params: P,
    /// To people.
    pub warnings: Vec<Warning>,
}

/// What all three say.
struct Common {
    model: Option<String>,
    cwd: Option<String>,
    approval_policy: Option<AskForApproval>,
    sandbox: Option<SandboxMode>,
    base_instructions: Option<String>,
    developer_instructions: Option<String>,
    personality: Option<Personality>,
    config: Option<Secret<Map<String, Value>>>,
    warnings: Vec<Warning>,
}

impl Common {
    fn of(settings: &Settings, extras: &ThreadExtras) -> Self {
        let (config, without_effect) = config(settings, extras);
        let warnings = warnings(settings, extras).into_iter().chain(without_effect);
        Self {
            warnings: warnings.collect(),
            model: settings.model.clone(),
            cwd: Some(settings.cwd.clone()).filter(|cwd| !cwd.is_empty()),
            approval_policy: approval_policy(settings, &extras.can),
            sandbox: sandbox(settings),
            base_instructions: settings.base_instructions.clone(),
            developer_instructions: settings.developer_instructions.clone(),
            personality: settings.personality.as_deref().map(personality),
            config: config.map(Secret::from),
        }
    }
}

/// `thread/start`.
#[must_use]
pub fn thread_start(settings: &Settings, extras: &ThreadExtras) -> Said<ThreadStartParams> {
    let it = Common::of(settings, extras);
    let dynamic = settings.tools.iter().filter(|_| settings.tools_via != Some(ToolsVia::Mcp));
    let tools = dynamic.map(|tool| {
        let schema = serde_json::from_str(tool.input_schema.text()).unwrap_or_default();
        FunctionDynamicToolSpec::new(tool.name.as_str(), tool.description.as_str(), schema).into()
    });
    let tools: Vec<DynamicToolSpec> = tools.collect();
    let params = ThreadStartParams {
        model: it.model,
        cwd: it.cwd,
        approval_policy: it.approval_policy,
        sandbox: it.sandbox,
        base_instructions: it.base_instructions,
        developer_instructions: it.developer_instructions,
        personality: it.personality,
        config: it.config,
        ephemeral: settings.ephemeral.then_some(true),
        dynamic_tools: (!tools.is_empty()).then_some(tools),
        ..ThreadStartParams::default()
    };
    Said { params, warnings: it.warnings }
}

/// `thread/resume`, without the history: it is asked for where it is needed. Its tools were stored with the thread.
#[must_use]
pub fn thread_resume(
    thread_id: &str,
    settings: &Settings,
    extras: &ThreadExtras,
) -> Said<ThreadResumeParams> {
    let it = Common::of(settings, extras);
    let params = ThreadResumeParams {
        model: it.model,
        cwd: it.cwd,
        approval_policy: it.approval_policy,
        sandbox: it.sandbox,
        base_instructions: it.base_instructions,
        developer_instructions: it.developer_instructions,
        personality: it.personality,
        config: it.config,
        exclude_turns: Some(true),
        ..ThreadResumeParams::new(thread_id)
    };
    Said { params, warnings: it.warnings }
}

/// A thread to be copied.
#[derive(Debug, Clone, Copy)]
pub struct ForkOf<'a> {
    /// Which.
    pub thread_id: &'a str,
    /// The last turn that is taken over; all, unless given.
    pub turn_id: Option<&'a str>,
}

/// `thread/fork`. Its tools are those of the thread it comes from.
#[must_use]
pub fn thread_fork(from: ForkOf<'_>, settings: &Settings, extras: &ThreadExtras) -> Said<ThreadForkParams> {
    let it = Common::of(settings, extras);
    let params = ThreadForkParams {
        model: it.model,
        cwd: it.cwd,
        approval_policy: it.approval_policy,
        sandbox: it.sandbox,
        base_instructions: it.base_instructions,
        developer_instructions: it.developer_instructions,
        config: it.config,
        ephemeral: settings.ephemeral.then_some(true),
        last_turn_id: from.turn_id.map(str::to_owned),
        exclude_turns: Some(true),
        ..ThreadForkParams::new(from.thread_id)
    };
    Said { params, warnings: it.warnings }
}

fn personality(word: &str) -> Personality {
    match word {
        "none" => Personality::None,
        "friendly" => Personality::Friendly,
        "pragmatic" => Personality::Pragmatic,
        other => Personality::Other(other.to_owned()),
    }
}

#[cfg(test)]
mod tests;
