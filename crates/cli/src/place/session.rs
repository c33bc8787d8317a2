//! One session, wherever it lives.

use selvedge_runtime::{Answer, Error, Fork, Message, Patch, Receipt, SessionHandle, Summary};
use selvedge_session::{ApprovalId, ApprovalPolicy, MessageId, SessionId, Unattended};

use super::{Events, either};
use crate::gateway;

/// A session. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Session {
    Here(SessionHandle),
    There(gateway::Session),
}

impl Session {
    pub(crate) fn id(&self) -> SessionId {
        either!(self, it => it.id())
    }

    /// How it stands.
    pub(crate) async fn summary(&self) -> Result<Summary, Error> {
        either!(self, it => it.summary().await)
    }

    /// Says something to the agent.
    pub(crate) async fn send(&self, message: Message) -> Result<Receipt, Error> {
        either!(self, it => it.send(message).await)
    }

    /// Takes a queued message back, or stops the running one.
    pub(crate) async fn take_back(&self, id: MessageId) -> Result<(), Error> {
        either!(self, it => it.take_back(id).await)
    }

    /// Stops the running turn; with `force` by killing its app-server.
    pub(crate) async fn interrupt(&self, force: bool) -> Result<(), Error> {
        either!(self, it => it.interrupt(force).await)
    }

    /// Goes on after `failed`, `stopped` or a held queue.
    pub(crate) async fn start(&self) -> Result<(), Error> {
        either!(self, it => it.start().await)
    }

    /// Puts it away.
    pub(crate) async fn archive(&self) -> Result<(), Error> {
        either!(self, it => it.archive().await)
    }

    /// When it asks before it acts, and what it does if nobody is there, from the next turn on.
    pub(crate) async fn attend(&self, policy: ApprovalPolicy, unattended: Unattended) -> Result<(), Error> {
        match self {
            Self::Here(it) => {
                let (approval_policy, unattended) = (Some(policy), Some(unattended));
                it.update(Patch { approval_policy, unattended, ..Patch::default() }).await
            }
            Self::There(it) => it.attend(policy, unattended).await,
        }
    }

    /// A new session with this one's history, whole or up to a message.
    pub(crate) async fn fork(&self, after: Option<MessageId>) -> Result<Self, Error> {
        Ok(match self {
            Self::Here(it) => Self::Here(it.fork(Fork { after, ..Fork::default() }).await?),
            Self::There(it) => Self::There(it.fork(after).await?),
        })
    }

    /// Stops it, and removes it with everything only it uses.
    pub(crate) async fn remove(&self) -> Result<(), Error> {
        either!(self, it => it.remove().await)
    }

    /// Answers what Codex asks a person. The first answer wins.
    pub(crate) async fn answer(&self, id: ApprovalId, answer: Answer) -> Result<(), Error> {
        either!(self, it => it.answer(id, answer).await)
    }

    /// Its events after a number: history, then live.
    pub(crate) async fn events(&self, after: u64) -> Result<Events, Error> {
        Ok(match self {
            Self::Here(it) => Events::Here(Box::new(it.events(after).await?)),
            Self::There(it) => Events::There(it.events(after)),
        })
    }
}
