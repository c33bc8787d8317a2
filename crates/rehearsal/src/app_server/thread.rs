//! A loaded thread: its settings, its turns, and who may speak to the turn that runs.

use std::{
    collections::HashSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    command::Terminal,
    items::{new_id, now_ms},
    params::{Approval, Overrides, SandboxMode, UserMessage},
    wire::RequestId,
};

/// The model every thread starts with; its name says what it is.
pub(super) const MODEL: &str = "rehearsal";
/// The same for the provider.
pub(super) const PROVIDER: &str = "rehearsal";

/// What a thread is played with; a turn may change it for itself and all after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) cwd: String,
    pub(super) model: String,
    pub(super) approval: Approval,
    pub(super) sandbox: Value,
    pub(super) effort: Option<String>,
    pub(super) summary: Option<String>,
}

impl Settings {
    /// The settings of a thread that says nothing.
    pub(super) fn new(cwd: String) -> Self {
        Self {
            cwd,
            model: MODEL.to_owned(),
            approval: Approval::OnRequest,
            sandbox: sandbox_policy(SandboxMode::WorkspaceWrite),
            effort: None,
            summary: None,
        }
    }

    /// Takes what a request sets; says whether anything changed.
    pub(super) fn take(&mut self, overrides: Overrides) -> bool {
        let before = self.clone();
        if let Some(cwd) = overrides.cwd {
            self.cwd = absolute(&cwd);
        }
        if let Some(model) = overrides.model {
            self.model = model;
        }
        if let Some(approval) = overrides.approval_policy {
            self.approval = approval;
        }
        if let Some(sandbox) = overrides.sandbox_policy.or(overrides.sandbox.map(sandbox_policy)) {
            self.sandbox = sandbox;
        }
        self.effort = overrides.effort.or(self.effort.take());
        self.summary = overrides.summary.or(self.summary.take());
        *self != before
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.sandbox["type"] == "readOnly"
    }

    pub(super) fn collaboration_mode(&self) -> Value {
        let settings =
            json!({ "model": self.model, "reasoning_effort": self.effort, "developer_instructions": null });
        json!({ "mode": "default", "settings": settings })
    }
}

/// Relative to where the server runs, as in Codex. A directory that is not there is no error until it is used.
pub(super) fn absolute(cwd: &str) -> String {
    std::path::absolute(cwd).map_or_else(|_| cwd.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// Temporary directories are left out, as in the configuration that `rehearse model` prints.
fn sandbox_policy(mode: SandboxMode) -> Value {
    match mode {
        SandboxMode::ReadOnly => json!({ "type": "readOnly", "networkAccess": false }),
        SandboxMode::DangerFullAccess => json!({ "type": "dangerFullAccess" }),
        SandboxMode::WorkspaceWrite => json!({
            "type": "workspaceWrite", "writableRoots": [], "networkAccess": false,
            "excludeTmpdirEnvVar": true, "excludeSlashTmp": true,
        }),
    }
}

/// A thread's state as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    NotLoaded,
    Idle,
    SystemError,
    Active,
    WaitingOnApproval,
}

impl Status {
    pub(super) fn value(self) -> Value {
        match self {
            Self::NotLoaded => json!({ "type": "notLoaded" }),
            Self::Idle => json!({ "type": "idle" }),
            Self::SystemError => json!({ "type": "systemError" }),
            Self::Active => json!({ "type": "active", "activeFlags": [] }),
            Self::WaitingOnApproval => json!({ "type": "active", "activeFlags": ["waitingOnApproval"] }),
        }
    }
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Usage {
    pub(super) input: u64,
    pub(super) cached: u64,
    pub(super) output: u64,
    pub(super) reasoning: u64,
}

/// Tokens of the thread and of the last response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UsageTotals {
    pub(super) total: Usage,
    pub(super) last: Usage,
}

impl UsageTotals {
    pub(super) fn add(&mut self, last: Usage) {
        self.last = last;
        self.total.input += last.input;
        self.total.cached += last.cached;
        self.total.output += last.output;
        self.total.reasoning += last.reasoning;
    }
}

/// How a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum TurnStatus {
    InProgress,
    Completed,
    Interrupted,
    Failed,
}

/// One turn of a thread's history.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) id: String,
    pub(super) items: Vec<Value>,
    pub(super) status: TurnStatus,
    pub(super) error: Option<Value>,
    pub(super) started_at: i64,
    pub(super) completed_at: Option<i64>,
    pub(super) duration_ms: Option<i64>,
}

impl Turn {
    pub(super) fn started(id: String, started_at: i64) -> Self {
        let status = TurnStatus::InProgress;
        Self { id, items: Vec::new(), status, error: None, started_at, completed_at: None, duration_ms: None }
    }
}

/// What the client says to a turn that runs.
#[derive(Debug)]
pub(super) enum Signal {
    Interrupt(RequestId),
    /// The answer is sent when the turn hears it.
    Steer {
        message: UserMessage,
        answer: Bytes,
    },
}

/// The turn that runs.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) turn: String,
    /// False until `turn/started`: before it an interrupt finds nothing, as in Codex.
    pub(super) started: bool,
    pub(super) signals: mpsc::Sender<Signal>,
}

/// What of a thread never changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Birth {
    pub(super) id: String,
    pub(super) created_at: i64,
    pub(super) ephemeral: bool,
    pub(super) forked_from: Option<String>,
    pub(super) originator: String,
    pub(super) dynamic_tools: Vec<Value>,
    /// Turns that a fork brought along; they do not count for its preview.
    pub(super) inherited_turns: usize,
}

/// What of a thread changes.
#[derive(Debug)]
pub(super) struct State {
    pub(super) settings: Settings,
    pub(super) name: Option<String>,
    pub(super) updated_at: i64,
    pub(super) status: Status,
    pub(super) turns: Vec<Turn>,
    pub(super) usage: UsageTotals,
    pub(super) first_unread: Option<String>,
    pub(super) read_revision: String,
    pub(super) active: Option<Active>,
    /// Codex answers a second interrupt of this turn only when the next turn ends.
    pub(super) last_interrupted: Option<String>,
    pub(super) deferred_interrupts: Vec<RequestId>,
    /// What was accepted for the session: commands and paths.
    pub(super) allowed: HashSet<String>,
    pub(super) terminals: Vec<Terminal>,
}

impl State {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            name: None,
            updated_at: now_ms() / 1000,
            status: Status::Idle,
            turns: Vec::new(),
            usage: UsageTotals::default(),
            first_unread: None,
            read_revision: new_id(),
            active: None,
            last_interrupted: None,
            deferred_interrupts: Vec::new(),
            allowed: HashSet::new(),
            terminals: Vec::new(),
        }
    }

    /// What the client has not read yet.
    pub(super) fn read_state(&self) -> Value {
        let first_unread = self.first_unread.as_ref().map(|turn| json!({ "type": "turn", "turnId": turn }));
        json!({ "firstUnread": first_unread, "revision": self.read_revision })
    }

    /// The same after a change: under a new revision.
    pub(super) fn touch_read_state(&mut self) -> Value {
        self.read_revision = new_id();
        self.read_state()
    }

    /// The first words of the first message. A fork has none until it has a message of its own, unless it is ephemeral.
    pub(super) fn preview(&self, birth: &Birth) -> String {
        let inherited = if birth.ephemeral { 0 } else { birth.inherited_turns };
        let items = self.turns.iter().skip(inherited).flat_map(|turn| &turn.items);
        let first = items
            .filter(|item| item["type"] == "userMessage")
            .find_map(|item| item["content"].as_array()?.iter().find_map(|input| input["text"].as_str()));
        first.unwrap_or_default().to_owned()
    }
}

/// A loaded thread.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) birth: Birth,
    state: Mutex<State>,
    subscribed: AtomicBool,
}

impl Thread {
    pub(super) fn new(birth: Birth, state: State) -> Self {
        Self { birth, state: Mutex::new(state), subscribed: AtomicBool::new(true) }
    }

    pub(super) fn id(&self) -> &str {
        &self.birth.id
    }

    /// The state, for a moment; never over an await.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_subscribed(&self) -> bool {
        self.subscribed.load(Ordering::Acquire)
    }

    /// Says whether it was subscribed before.
    pub(super) fn subscribe(&self, on: bool) -> bool {
        self.subscribed.swap(on, Ordering::AcqRel)
    }
}
