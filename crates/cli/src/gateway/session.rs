//! One session behind a gateway.

mod said;

pub(super) use said::Answered;

use selvedge_runtime::{Answer, Error, Message, Receipt, Summary};
use selvedge_session::{ApprovalId, ApprovalPolicy, MessageId, SessionId, Unattended};
use serde::Serialize;

use super::{Events, Gateway, ask::Ask};

/// A session. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Session {
    gateway: Gateway,
    id: SessionId,
}

#[derive(Serialize)]
struct Force {
    force: bool,
}

#[derive(Serialize)]
struct UpTo {
    after_message_id: Option<MessageId>,
}

#[derive(Serialize)]
struct Nothing {}

impl Session {
    pub(super) fn new(gateway: Gateway, id: SessionId) -> Self {
        Self { gateway, id }
    }

    pub(crate) fn id(&self) -> SessionId {
        self.id
    }

    fn at(&self, what: &str) -> String {
        format!("/v1/sessions/{}{what}", self.id)
    }

    pub(crate) async fn summary(&self) -> Result<Summary, Error> {
        self.gateway.ask(Ask::get(self.at(""))).await
    }

    pub(crate) async fn send(&self, message: Message) -> Result<Receipt, Error> {
        self.gateway.ask(Ask::post(self.at("/messages"), &said::Said::from(message))).await
    }

    pub(crate) async fn take_back(&self, id: MessageId) -> Result<(), Error> {
        self.gateway.tell(Ask::delete(self.at(&format!("/messages/{id}")))).await
    }

    pub(crate) async fn interrupt(&self, force: bool) -> Result<(), Error> {
        self.gateway.tell(Ask::post(self.at("/interrupt"), &Force { force })).await
    }

    pub(crate) async fn start(&self) -> Result<(), Error> {
        self.gateway.tell(Ask::post(self.at("/start"), &Nothing {})).await
    }

    pub(crate) async fn archive(&self) -> Result<(), Error> {
        self.gateway.tell(Ask::post(self.at("/archive"), &Nothing {})).await
    }

    pub(crate) async fn attend(&self, policy: ApprovalPolicy, unattended: Unattended) -> Result<(), Error> {
        let attended = said::Attended { approval_policy: policy, unattended };
        self.gateway.tell(Ask::patch(self.at(""), &attended)).await
    }

    pub(crate) async fn fork(&self, after: Option<MessageId>) -> Result<Self, Error> {
        let made: Summary =
            self.gateway.ask(Ask::post(self.at("/fork"), &UpTo { after_message_id: after })).await?;
        Ok(Self::new(self.gateway.clone(), made.id))
    }

    pub(crate) async fn remove(&self) -> Result<(), Error> {
        self.gateway.tell(Ask::delete(self.at(""))).await
    }

    pub(crate) async fn answer(&self, id: ApprovalId, answer: Answer) -> Result<(), Error> {
        self.gateway.answer(id, answer).await
    }

    pub(crate) fn events(&self, after: u64) -> Events {
        Events::new(self.gateway.clone(), self.id, after)
    }
}
