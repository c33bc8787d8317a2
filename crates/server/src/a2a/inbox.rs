//! An inbox for whoever cannot speak A2A: words in, which wake the agent, and what came of them out.

use std::{collections::BTreeSet, time::Duration};

use axum::extract::State;
use selvedge_runtime::Feed;
use selvedge_session::Code;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    desk::{Desk, Sent},
    following::Following,
    notes::Whose,
    register::Place,
    words::{Fault, Message, Part, Send, State as TaskState},
};
use crate::{
    access::{Caller, Scope, Visit},
    answer::Answer,
    gateway::Gateway,
    idempotent::Once,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::{Asked, Strict},
};

/// The longest that an answer is held.
const LONGEST_WAIT: u64 = 600;
/// What is given at once.
const MOST: usize = 100;

pub(crate) fn routes() -> Routes {
    Routes::new().routes(routes!(put, look))
}

/// Words for an agent.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct PutIntoInbox {
    /// The words.
    text: String,
    /// The conversation they belong to, by any name; a new one, unless given.
    context: Option<String>,
}

/// What became of words, or what has become of them so far.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct InboxItem {
    /// The task that it is, also in A2A.
    task_id: String,
    /// Its conversation.
    context_id: String,
    /// Its state, as A2A calls it.
    state: &'static str,
    /// What the agent answered, asks, or why it failed.
    text: String,
    /// Where to go on after it.
    cursor: String,
}

/// Some of what an agent said.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct InboxListing {
    /// In the order in which it was said.
    items: Vec<InboxItem>,
    /// Where to go on, if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Says something to an agent, which wakes it.
#[utoipa::path(
    post, operation_id = "put_into_inbox", path = "/v1/agents/{name}/inbox", tag = "agents", params(("name" = String, Path)),
    request_body = PutIntoInbox,
    responses((status = 202, body = InboxItem, description = "It is kept."), Problems)
)]
async fn put(
    State(gateway): State<Gateway>,
    InPath(name): InPath<String>,
    (who, Once(key)): ((Caller, Visit), Once),
    Strict(PutIntoInbox { text, context }): Strict<PutIntoInbox>,
) -> Result<Answer<InboxItem>, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::coded(Code::InvalidArgument, "the message says nothing").field("text"));
    }
    let desk = desk(&gateway, &name, who)?;
    let context = context.filter(|context| !context.is_empty());
    let message = Message { context, ..Message::of_user(Uuid::now_v7().to_string(), vec![Part::text(text)]) };
    match desk.send(&Send { key, ..Send::of(message) }).await.map_err(problem)? {
        Sent::Task(following) => Ok(Answer::accepted(item(&following))),
        Sent::Message(_) => {
            Err(Problem::coded(Code::InvalidArgument, "the message says nothing").field("text"))
        }
    }
}

/// From where on, and how long to wait.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Looking {
    /// The cursor of the last that is not wanted.
    after: Option<String>,
    /// Seconds: the answer comes when there is something, or after these.
    #[param(maximum = 600)]
    wait: Option<u64>,
}

/// What an agent said to this caller: answers, questions and failures, each as it stands.
#[utoipa::path(
    get, operation_id = "look_into_inbox", path = "/v1/agents/{name}/inbox", tag = "agents",
    params(("name" = String, Path), Looking),
    responses((status = 200, body = InboxListing, description = "What there is."), Problems)
)]
async fn look(
    State(gateway): State<Gateway>,
    InPath(name): InPath<String>,
    who: (Caller, Visit),
    Asked(Looking { after, wait }): Asked<Looking>,
) -> Result<Answer<InboxListing>, Problem> {
    let seconds = wait.unwrap_or_default();
    if seconds > LONGEST_WAIT {
        let detail = format!("an answer is held for {LONGEST_WAIT} seconds at most");
        return Err(Problem::coded(Code::QueryInvalid, detail).field("wait"));
    }
    if after.as_deref().is_some_and(|after| !is_cursor(after)) {
        let problem = Problem::coded(Code::QueryInvalid, "it is no cursor of this inbox").field("after");
        return Err(problem.hint("use the `cursor` of an item"));
    }
    let desk = desk(&gateway, &name, who)?;
    // Opened first, so that nothing is said between a look and a wait.
    let mut feed = gateway.runtime().feed(Some(Feed::NOW)).await?;
    let waiting = async {
        loop {
            let listing = listed(&desk, after.as_deref()).await?;
            if !listing.items.is_empty() {
                return Ok(listing);
            }
            feed.next().await?;
        }
    };
    tokio::select! {
        found = timeout(Duration::from_secs(seconds), waiting) => match found {
            Ok(found) => found.map(Answer::ok),
            Err(_) => Ok(Answer::ok(listed(&desk, after.as_deref()).await?)),
        },
        () = gateway.closing() => Ok(Answer::ok(InboxListing { items: Vec::new(), next_cursor: None })),
    }
}

/// The oldest that came after a cursor. Only those are read.
async fn listed(desk: &Desk, after: Option<&str>) -> Result<InboxListing, Problem> {
    let runtime = desk.runtime();
    let is_new = |place: Place| after.is_none_or(|after| cursor(place).as_str() > after);
    let open = desk.open_tasks().await?.into_iter();
    let waiting = open.filter(|following| following.telling().state().waits());
    let places = waiting.map(|following| Place::of(following.found().id, following.telling()));
    let mut places: BTreeSet<Place> = places.filter(|place| is_new(*place)).collect();
    let mut at = None;
    'pages: loop {
        let ended = desk.whose.ended(runtime, at).await?;
        let Some(last) = ended.last() else { break };
        at = Some(last.place);
        // The newest come first, and the oldest are wanted.
        for filed in ended {
            if !is_new(filed.place) {
                break 'pages;
            }
            places.insert(filed.place);
            if places.len() > MOST + 1 {
                places.pop_last();
            }
        }
    }
    let more = places.len() > MOST;
    let mut items = Vec::new();
    for place in places.into_iter().take(MOST) {
        // Its session may have been removed meanwhile.
        let Some(found) = desk.whose.find(runtime, place.id).await? else { continue };
        let Ok((following, _)) = Following::from(runtime, found, u64::MAX).await else { continue };
        items.push(item(&following));
    }
    let next_cursor = items.last().filter(|_| more).map(|last| last.cursor.clone());
    Ok(InboxListing { items, next_cursor })
}

fn cursor(place: Place) -> String {
    format!("{:020}.{}", place.at.0, place.id)
}

/// Cursors are compared as texts, and any text can be: only ours lie where they should.
fn is_cursor(given: &str) -> bool {
    let parts = given.split_once('.');
    parts.is_some_and(|(at, id)| {
        at.len() == 20 && at.bytes().all(|digit| digit.is_ascii_digit()) && id.parse::<Uuid>().is_ok()
    })
}

fn item(following: &Following) -> InboxItem {
    let task = following.telling().task();
    let state = task.status.state;
    let text = match (state, task.artifacts.first(), &task.status.message) {
        (TaskState::Completed, Some(answer), _) => answer.text(),
        (_, _, Some(message)) => message.text(),
        (_, answer, None) => answer.map(super::words::Artifact::text).unwrap_or_default(),
    };
    let cursor = cursor(Place::of(following.found().id, following.telling()));
    InboxItem { task_id: task.id, context_id: task.context, state: state.name(), text, cursor }
}

fn desk(gateway: &Gateway, name: &str, (caller, visit): (Caller, Visit)) -> Result<Desk, Problem> {
    let Some(agent) = gateway.options().agents.find(Some(name)) else {
        return Err(Problem::coded(Code::NotFound, format!("there is no agent {name:?}")));
    };
    let owner = caller.name.strip_suffix("/http").unwrap_or(&caller.name).to_owned();
    let whose = Whose { agent: agent.key.clone(), owner };
    let may_approve = visit.may(Scope::Approve);
    Ok(Desk { gateway: gateway.clone(), agent, whose, may_approve, base: String::new() })
}

fn problem(fault: Fault) -> Problem {
    let code = match fault.status() {
        404 => Code::NotFound,
        503 => Code::Draining,
        400..=499 => Code::InvalidArgument,
        _ => Code::Internal,
    };
    Problem::coded(code, fault.message)
}
