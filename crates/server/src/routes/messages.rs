//! Messages of a session: sent, listed, waited for, changed while they wait, taken back.

mod list;
mod send;

use std::time::Duration;

use axum::extract::State;
use selvedge_runtime::{MessageDetail, MessageListing, Receipt, SessionHandle};
use selvedge_session::{Code, MessageId, SessionId};
use serde::Deserialize;

pub(super) use self::send::Limits;
use self::{list::Wanted, send::SendMessage};
use crate::{
    answer::Answer,
    gateway::Gateway,
    idempotent::Maker,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::{Asked, Strict},
};

/// The longest that an answer is held.
const LONGEST_WAIT: u64 = 600;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(send, list)).routes(routes!(one, change, take_back))
}

/// Says something to the agent.
///
/// The message is kept from then on, and reaches exactly one end: `completed`, `failed`, `interrupted` or `lost`.
#[utoipa::path(
    post, operation_id = "send_message", path = "/v1/sessions/{id}/messages", tag = "messages", request_body = SendMessage,
    params(("id" = SessionId, Path)),
    responses(
        (status = 202, body = Receipt, description = "It is accepted.", links(
            ("message" = (operation_id = "get_message", parameters(
                ("id" = "$request.path.id"), ("message_id" = "$response.body#/message_id")
            ))),
            ("change" = (operation_id = "update_message", parameters(
                ("id" = "$request.path.id"), ("message_id" = "$response.body#/message_id")
            ))),
            ("take_back" = (operation_id = "take_back_message", parameters(
                ("id" = "$request.path.id"), ("message_id" = "$response.body#/message_id")
            ))),
        )),
        Problems
    )
)]
async fn send(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    maker: Maker,
    Strict(body): Strict<SendMessage>,
) -> Result<Answer<Receipt>, Problem> {
    let session = gateway.runtime().session(id).await?;
    let message = body.checked(maker)?;
    Ok(Answer::accepted(session.send(message).await?))
}

/// The queue and the past.
///
/// In the order in which they were accepted. With `state=queued`, `running` or `waiting` all of them, in the order in which
/// they run.
#[utoipa::path(
    get, operation_id = "list_messages", path = "/v1/sessions/{id}/messages", tag = "messages", params(("id" = SessionId, Path), Wanted),
    responses((status = 200, body = MessageListing, description = "Some of them."), Problems)
)]
async fn list(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Answer<MessageListing>, Problem> {
    let session = gateway.runtime().session(id).await?;
    Ok(Answer::ok(session.messages(&wanted.filter()?).await?))
}

/// How long the answer may be held.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Waiting {
    /// Seconds: the answer comes when the message has ended, or after these as it stands; also when the gateway ends.
    #[param(maximum = 600)]
    wait: Option<u64>,
}

/// A message and, when it has ended, its result.
#[utoipa::path(
    get, operation_id = "get_message", path = "/v1/sessions/{id}/messages/{message_id}", tag = "messages",
    params(("id" = SessionId, Path), ("message_id" = MessageId, Path), Waiting),
    responses((status = 200, body = MessageDetail, description = "As it stands."), Problems)
)]
async fn one(
    State(gateway): State<Gateway>,
    InPath((id, message_id)): InPath<(SessionId, MessageId)>,
    Asked(Waiting { wait }): Asked<Waiting>,
) -> Result<Answer<MessageDetail>, Problem> {
    let session = gateway.runtime().session(id).await?;
    if let Some(seconds) = wait {
        let ended = wait_for(&session, message_id, seconds);
        tokio::select! {
            ended = ended => ended?,
            // Whoever waits is told how it stands, and can ask the next gateway.
            () = gateway.closing() => {}
        }
    }
    Ok(Answer::ok(session.message_detail(message_id).await?))
}

async fn wait_for(session: &SessionHandle, id: MessageId, seconds: u64) -> Result<(), Problem> {
    if seconds > LONGEST_WAIT {
        let detail = format!("an answer is held for {LONGEST_WAIT} seconds at most");
        return Err(Problem::coded(Code::QueryInvalid, detail).field("wait"));
    }
    match tokio::time::timeout(Duration::from_secs(seconds), session.finished(id)).await {
        Ok(ended) => Ok(ended.map(drop)?),
        // Then it is told as it stands.
        Err(_) => Ok(()),
    }
}

/// What changes in a message that waits.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeMessage {
    /// Instead of its words; its pictures stay.
    text: Option<String>,
    /// Its place in the queue, from 0.
    position: Option<usize>,
}

/// Says something else in a message that waits, or moves it.
#[utoipa::path(
    patch, operation_id = "update_message", path = "/v1/sessions/{id}/messages/{message_id}", tag = "messages",
    params(("id" = SessionId, Path), ("message_id" = MessageId, Path)),
    request_body = Option<ChangeMessage>,
    responses((status = 200, body = MessageDetail, description = "As it is now."), Problems)
)]
async fn change(
    State(gateway): State<Gateway>,
    InPath((id, message_id)): InPath<(SessionId, MessageId)>,
    Strict(ChangeMessage { text, position }): Strict<ChangeMessage>,
) -> Result<Answer<MessageDetail>, Problem> {
    if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Problem::coded(Code::InvalidArgument, "the message says nothing").field("text"));
    }
    let session = gateway.runtime().session(id).await?;
    session.edit(message_id, text, position).await?;
    Ok(Answer::ok(session.message_detail(message_id).await?))
}

/// Takes a queued message back, or interrupts the running one.
///
/// One that waited is `interrupted` when this is answered; of one that ran the end is still to come.
#[utoipa::path(
    delete, operation_id = "take_back_message", path = "/v1/sessions/{id}/messages/{message_id}", tag = "messages",
    params(("id" = SessionId, Path), ("message_id" = MessageId, Path)),
    responses((status = 202, body = MessageDetail, description = "As it stands."), Problems)
)]
async fn take_back(
    State(gateway): State<Gateway>,
    InPath((id, message_id)): InPath<(SessionId, MessageId)>,
) -> Result<Answer<MessageDetail>, Problem> {
    let session = gateway.runtime().session(id).await?;
    session.take_back(message_id).await?;
    Ok(Answer::accepted(session.message_detail(message_id).await?))
}
