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

    /// Now, as notes have it.
    fn now(&self) -> Timestamp {
        self.runtime().clock().now()
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

    /// Their tasks that have not ended.
    pub(crate) async fn open_tasks(&self) -> Result<Vec<Following>, Error> {
        let open = self.whose.open(self.runtime()).await?;
        for left in open.unsent.iter().filter(|found| self.is_left_behind(found)) {
            self.forget(left).await?;
        }
        Ok(open.under_way)
    }

    /// Whether a task whose message was never sent was left by a gateway that died before it could: nobody sends it any
    /// more, and whoever asked for it was not told that it is there.
    fn is_left_behind(&self, unsent: &FoundTask) -> bool {
        unsent.note.run != Some(self.gateway.run())
    }

    /// It never was a task: nobody is to look for it, or to be told of it.
    async fn forget(&self, found: &FoundTask) -> Result<(), Error> {
        self.forget_pushes(found.id).await?;
        let (open, _) = self.whose.opened(found.id);
        let notes = vec![(self.whose.task(found.id), None), (open, None)];
        self.runtime().note(found.session, notes).await
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

/// What the runtime refuses, in A2A's words.
pub(crate) fn fault(error: Error) -> Fault {
    let Error { code, message, hint, .. } = error;
    let kind = match code {
        Code::NotFound => Kind::TaskNotFound,
        Code::ImageUrlRefused => Kind::ContentType,
        Code::InvalidArgument
        | Code::InputTooLong
        | Code::KeyReused
        | Code::PriceUnknown
        | Code::DecisionNotOffered => Kind::Invalid,
        Code::AlreadyAnswered | Code::Archived | Code::Busy | Code::NotRunning => Kind::Unsupported,
        Code::TooMuch
        | Code::StorageFull
        | Code::Draining
        | Code::OwnedElsewhere
        | Code::CodexMissing
        | Code::CodexUnusable => Kind::Unavailable,
        _ => Kind::Internal,
    };
    let message = match hint {
        Some(hint) => format!("{message} (hint: {hint})"),
        None => message,
    };
    Fault::new(kind, message).about("code", code.as_str())
}
