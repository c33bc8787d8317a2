//! Who asks an agent something: every operation of A2A, whatever binding it came by.

mod cancelling;
mod contexts;
mod going_on;
mod listing;
mod sending;

use std::sync::Arc;

use selvedge_runtime::{Error, Runtime};
use selvedge_session::{Code, MessageId, Timestamp};
use serde_json::Value;

use super::{
    agents::Agent,
    card::{self, Asked},
    following::Following,
    notes::{FoundTask, Whose},
    words::{Fault, Kind, OfTask},
};
use crate::gateway::Gateway;

pub(crate) use sending::Sent;

/// Where an agent is asked.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) gateway: Gateway,
    pub(crate) agent: Arc<Agent>,
    pub(crate) whose: Whose,
    /// Whether who asks may answer what Codex asks a person.
    pub(crate) may_approve: bool,
    /// The gateway as they reach it.
    pub(crate) base: String,
}

impl Desk {
    pub(crate) fn runtime(&self) -> &Runtime {
        self.gateway.runtime()
    }

    /// Who a message is from.
    fn sender(&self) -> String {
        format!("{}/a2a", self.whose.owner)
    }

    /// `GetTask`.
    pub(crate) async fn get(&self, params: &Value) -> Result<Value, Fault> {
        let asked = OfTask::read(params)?;
        let following = self.follow(&asked.id).await?;
        Ok(following.telling().task().with_history(asked.history).json())
    }

    /// `GetExtendedAgentCard`.
    pub(crate) fn extended_card(&self) -> Value {
        let locked = self.gateway.options().locked;
        card::card(&self.agent, &Asked { base: &self.base, locked, extended: true })
    }

    /// A task of theirs, as it stands.
    pub(crate) async fn follow(&self, id: &str) -> Result<Following, Fault> {
        let found = self.find(id).await?;
        let following = Following::open(self.runtime(), found).await.map_err(fault)?;
        // What was written down before its first message was accepted was never anybody's task.
        if following.telling().has_begun() { Ok(following) } else { Err(Fault::no_task(id)) }
    }

    async fn find(&self, id: &str) -> Result<FoundTask, Fault> {
        let Ok(task) = id.parse() else { return Err(Fault::no_task(id)) };
        let found = self.whose.find(self.runtime(), MessageId(task)).await.map_err(fault)?;
        found.ok_or_else(|| Fault::no_task(id))
    }
}

/// Now, as notes have it.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// What the runtime refuses, in A2A's words.
pub(crate) fn fault(error: Error) -> Fault {
    let Error { code, message, hint, .. } = error;
    let kind = match code {
        Code::NotFound => Kind::TaskNotFound,
        Code::ImageUrlRefused => Kind::ContentType,
        Code::InvalidArgument | Code::InputTooLong | Code::PriceUnknown | Code::DecisionNotOffered => {
            Kind::Invalid
        }
        Code::AlreadyAnswered | Code::Archived | Code::Busy | Code::NotRunning => Kind::Unsupported,
        Code::TooMuch | Code::StorageFull | Code::Draining | Code::CodexMissing | Code::CodexUnusable => {
            Kind::Unavailable
        }
        _ => Kind::Internal,
    };
    let message = match hint {
        Some(hint) => format!("{message} (hint: {hint})"),
        None => message,
    };
    Fault::new(kind, message).about("code", code.as_str())
}
