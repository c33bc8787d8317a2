//! What is asked of a runtime.

use std::collections::BTreeMap;

use selvedge_session::{
    Budget, BusyPolicy, Code, Json, Lifecycle, MessageId, Options, Settings, data::Decision,
};
use serde_json::{Map, Value};

use crate::error::Error;

/// A session to be made.
#[derive(Debug, Clone, Default)]
pub struct NewSession {
    /// How it works; only `cwd` is needed.
    pub settings: Settings,
    /// Environment variables for its app-server, kept apart as secrets.
    pub env: BTreeMap<String, String>,
    /// MCP servers as Codex is configured with them, kept apart as secrets.
    pub mcp_servers: Map<String, Value>,
    /// The same key gives the same session, for 24 hours.
    pub idempotency_key: Option<String>,
}

impl NewSession {
    /// In this directory, with the defaults.
    pub fn in_directory(cwd: impl Into<String>) -> Self {
        Self { settings: Settings { cwd: cwd.into(), ..Settings::default() }, ..Self::default() }
    }
}

/// A session to be made from another one's history.
#[derive(Debug, Clone, Default)]
pub struct Fork {
    /// Up to the end of this message's turn; all of it, unless given.
    pub after: Option<MessageId>,
    /// The same key gives the same session, for 24 hours.
    pub idempotency_key: Option<String>,
}

impl Fork {
    /// As it was after a message.
    #[must_use]
    pub fn after(message: MessageId) -> Self {
        Self { after: Some(message), ..Self::default() }
    }
}

/// A part of what is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture.
    Image {
        /// Its bytes.
        data: Vec<u8>,
        /// For example `image/png`.
        media_type: String,
    },
    /// A picture as a `data:` URL; others are refused.
    ImageUrl(String),
}

/// A message to be sent.
#[derive(Debug, Clone, Default)]
pub struct Message {
    /// By which id it is known from now on; one is made, unless given. A second message with the same one is refused.
    pub id: Option<MessageId>,
    /// What is said.
    pub input: Vec<Part>,
    /// How it is run.
    pub options: Options,
    /// Who says it.
    pub sender: Option<String>,
    /// The same key gives the same message, for 24 hours.
    pub idempotency_key: Option<String>,
}

impl Message {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { input: vec![Part::Text(text.into())], ..Self::default() }
    }

    /// What to do if a turn runs.
    #[must_use]
    pub fn when_busy(mut self, policy: BusyPolicy) -> Self {
        self.options.busy_policy = Some(policy);
        self
    }

    /// No more than this.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.options.budget = Some(budget);
        self
    }

    /// No longer than this.
    #[must_use]
    pub fn deadline_seconds(mut self, seconds: u64) -> Self {
        self.options.deadline_seconds = Some(seconds);
        self
    }

    /// The answer as JSON of this shape.
    #[must_use]
    pub fn output_schema(mut self, schema: Json) -> Self {
        self.options.output_schema = Some(schema);
        self
    }

    /// The same key gives the same message, for 24 hours.
    #[must_use]
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency_key = Some(key.into());
        self
    }
}

/// Refuses a limit in money that is none.
pub(crate) fn check_budget(budget: Option<&Budget>) -> Result<(), Error> {
    let limit = budget.and_then(|budget| budget.max_cost_usd);
    if limit.is_none_or(|limit| limit >= 0.0 && limit.is_finite()) {
        return Ok(());
    }
    let error = Error::coded(Code::InvalidArgument, "a limit in money is a number from 0 on");
    Err(error.field("budget.max_cost_usd").hint("give it in USD, or leave it out"))
}

/// An answer to what Codex asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What was decided.
    pub decision: Decision,
    /// Who decides: a name, and the surface.
    pub by: String,
    /// Said to the agent with it.
    pub message: Option<String>,
    /// Answers of questions, content of a form, or an amendment, in Codex's words.
    pub content: Option<Json>,
}

impl Answer {
    /// A decision alone.
    pub fn new(decision: Decision, by: impl Into<String>) -> Self {
        Self { decision, by: by.into(), message: None, content: None }
    }
}

/// Which sessions to list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only in this state.
    pub state: Option<Lifecycle>,
    /// Only with these labels.
    pub labels: BTreeMap<String, String>,
    /// Those put away too.
    pub archived: bool,
    /// After this place.
    pub cursor: Option<String>,
    /// At most so many; 100, unless given.
    pub limit: Option<usize>,
}
