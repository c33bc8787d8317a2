//! Messages that are fetched, for an agent that nobody can call: an address is asked for them again and again, each is
//! taken once, and acknowledged when it is durable.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};
use uuid::Uuid;

use super::{
    agents::{Agent, Peer},
    desk::Desk,
    notes::Whose,
    out::{Ask, Out},
    words::{Fault, Message, Part, Send},
};
use crate::gateway::Gateway;

/// How long the other side may hold its answer, and how long it is waited for.
const HELD: u64 = 30;
const WITHIN: Duration = Duration::from_secs(HELD + 15);
/// Before it is asked again, after it had nothing or did not answer; doubled while it does not.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(60));
/// Whose the tasks are, and the conversation of messages that name none.
const NAME: &str = "inbox";

/// Who asks for messages.
#[derive(Default)]
pub(crate) struct Polls {
    running: Mutex<JoinSet<()>>,
}

/// What an address has.
#[derive(Deserialize)]
struct Fetched {
    #[serde(default)]
    messages: Vec<Letter>,
}

/// A message for the agent.
#[derive(Deserialize)]
struct Letter {
    id: String,
    text: String,
    context: Option<String>,
}

impl Polls {
    /// Asks for every agent that is set so, until the gateway ends.
    pub(crate) fn start(&self, gateway: &Gateway) {
        for agent in gateway.options().agents.all() {
            if agent.inbox.is_some() {
                let (gateway, agent, closing) = (gateway.clone(), Arc::clone(agent), gateway.closing());
                let polling = async move {
                    tokio::select! {
                        () = closing => {}
                        () = poll(gateway, agent) => {}
                    }
                };
                self.running.lock().unwrap_or_else(PoisonError::into_inner).spawn(polling);
            }
        }
    }
}

async fn poll(gateway: Gateway, agent: Arc<Agent>) {
    let whose = Whose { agent: agent.key.clone(), owner: NAME.to_owned() };
    let desk = Desk { gateway, agent: Arc::clone(&agent), whose, may_approve: false, base: String::new() };
    let mut pause = PAUSES.0;
    loop {
        match round(&desk).await {
            Ok(true) => {
                pause = PAUSES.0;
                continue;
            }
            Ok(false) => pause = PAUSES.0,
            Err(why) => {
                tracing::warn!(agent = agent.key, why, "the agent's messages cannot be fetched");
                pause = (pause * 2).min(PAUSES.1);
            }
        }
        sleep(pause).await;
    }
}

/// Asks once; whether there was something.
async fn round(desk: &Desk) -> Result<bool, String> {
    let Some(from) = &desk.agent.inbox else { return Err("nobody is to be asked".to_owned()) };
    // Whom to ask was said by whoever runs the gateway, so it may be anywhere.
    let out = Out::new(true)?;
    let separator = if from.url.contains('?') { '&' } else { '?' };
    let url = format!("{}{separator}wait={HELD}", from.url);
    let (status, body) = out.ask(asking(from, &url, None)).await?;
    let fetched = match status {
        204 => return Ok(false),
        200 => serde_json::from_slice::<Fetched>(&body)
            .map_err(|error| format!("what came is not as it has to be: {error}"))?,
        other => return Err(format!("the answer has status {other}")),
    };
    let Taken { ids, refused } = take_all(desk, fetched.messages).await;
    if ids.is_empty() {
        return refused.map_or(Ok(false), Err);
    }
    if let Some(why) = refused {
        tracing::warn!(agent = desk.agent.key, why, "not all of the agent's messages can be taken");
    }
    let url = format!("{}/ack", from.url.split('?').next().unwrap_or_default().trim_end_matches('/'));
    let (status, _) = out.ask(asking(from, &url, Some(json!({"ids": ids}).to_string()))).await?;
    if (200..300).contains(&status) {
        Ok(true)
    } else {
        Err(format!("the receipt was answered with {status}"))
    }
}

/// What was taken of some messages.
#[derive(Default)]
struct Taken {
    ids: Vec<String>,
    /// Why one was not.
    refused: Option<String>,
}

/// Takes what can be taken, in its order. A message that is refused for what it says stays where it is and keeps none of
/// the others from coming; if none can be taken now, they come again.
async fn take_all(desk: &Desk, letters: Vec<Letter>) -> Taken {
    let mut taken = Taken::default();
    for letter in letters {
        let id = letter.id.clone();
        match take(desk, letter).await {
            Ok(()) => taken.ids.push(id),
            Err(fault) => {
                let for_good = (400..500).contains(&fault.status());
                taken.refused = Some(format!("the message {id:?} is refused: {}", fault.message));
                if !for_good {
                    break;
                }
            }
        }
    }
    taken
}

/// Takes a message: the same one that comes again, because its receipt was lost, is the same.
async fn take(desk: &Desk, letter: Letter) -> Result<(), Fault> {
    let Letter { id, text, context } = letter;
    let context = context.filter(|context| !context.is_empty()).unwrap_or_else(|| NAME.to_owned());
    let key = format!("a2a/{}/{id}", desk.whose.agent);
    let message = Message::of_user(Uuid::now_v7().to_string(), vec![Part::text(text)]);
    let send = Send { key: Some(key), ..Send::of(Message { context: Some(context), ..message }) };
    desk.send(&send).await.map(drop)
}

fn asking<'a>(from: &'a Peer, url: &'a str, body: Option<String>) -> Ask<'a> {
    let mut headers = vec![("content-type", "application/json".to_owned())];
    headers.extend(from.token().map(|token| ("authorization", format!("Bearer {token}"))));
    Ask { url, headers, body: body.map(Bytes::from), within: WITHIN }
}
