//! `send_message`: asks another agent over A2A, and waits for what it says or not.
//!
//! Each message is sent once. That it is about to be sent is written down before, and the task it became after; who comes
//! after a crash goes on with that task, or says that nobody knows.

use std::time::Duration;

use selvedge_session::{Json, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Call, Came, Place};
use crate::a2a::{
    agents::Peer,
    notes::{self, Whose},
    out::{Ask, Out},
    words::Fields,
};

pub(super) const NAME: &str = "send_message";
/// How long a call of the other agent may take to be answered; the task itself may take longer.
const WITHIN: Duration = Duration::from_secs(30);
/// Pauses between two looks at a task.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

pub(super) fn spec(agent: &super::Agent) -> ToolSpec {
    let names: Vec<&String> = agent.peers.keys().collect();
    let about = agent.peers.iter().map(|(name, peer)| format!("{name}: {}", peer.description));
    let about = about.collect::<Vec<_>>().join("; ");
    ToolSpec {
        name: NAME.to_owned(),
        description: format!("Sends a message to another agent and gives you its answer. There are {about}."),
        input_schema: Json::from(json!({
            "type": "object",
            "properties": {
                "agent": {"type": "string", "enum": names},
                "message": {"type": "string"},
                "context_id": {"type": "string", "description": "Go on with a conversation."},
                "task_id": {"type": "string", "description": "Answer what that task asked."},
                "wait": {"type": "boolean", "description": "Wait for its answer; true, unless given."},
            },
            "required": ["agent", "message"],
            "additionalProperties": false,
        })),
        timeout_seconds: None,
    }
}

/// How far a call is.
#[derive(Serialize, Deserialize)]
struct Far {
    /// The task it became.
    task: Option<String>,
}

/// Another agent, to be asked.
struct Other<'a> {
    out: Out,
    peer: &'a Peer,
}

pub(super) async fn run(place: &Place, call: &Call) -> Came {
    let said = |name: &str| call.arguments[name].as_str().filter(|text| !text.is_empty());
    let name = said("agent").unwrap_or_default();
    let peer = place.agent.peers.get(name).ok_or_else(|| format!("there is no agent {name:?}"))?;
    // Whom to ask was said by whoever runs the gateway, so it may be anywhere.
    let other = Other { out: Out::new(true)?, peer };
    let task = match begun(place, call).await? {
        Some(Far { task: Some(task) }) => other.get(&task).await?,
        Some(Far { task: None }) => {
            return Err("the gateway ended while it was sent: nobody knows whether it arrived".to_owned());
        }
        None => send(place, call, &other).await?,
    };
    let wait = call.arguments["wait"].as_bool().unwrap_or(true);
    let task = if wait { other.settled(task).await? } else { task };
    Ok(told(&task))
}

async fn begun(place: &Place, call: &Call) -> Result<Option<Far>, String> {
    let note = place.gateway.runtime().noted(&key(call)).await.map_err(|error| error.message)?;
    Ok(note.and_then(|note| serde_json::from_value(note.value).ok()))
}

async fn remember(place: &Place, call: &Call, far: Far) -> Result<(), String> {
    let notes = vec![(key(call), Some(json!(far)))];
    place.gateway.runtime().note(call.session, notes).await.map_err(|error| error.message)
}

fn key(call: &Call) -> String {
    format!("a2a/call/{}", call.id)
}

async fn send(place: &Place, call: &Call, other: &Other<'_>) -> Result<Value, String> {
    let hops = hops(place, call).await + 1;
    let most = place.agent.max_hops;
    if hops > most {
        return Err(format!("the message went through {most} agents already: it goes no further"));
    }
    remember(place, call, Far { task: None }).await?;
    let mut message = json!({
        "messageId": call.id, "role": "ROLE_USER", "parts": [{"text": call.arguments["message"]}],
        "metadata": {"hops": hops},
    });
    for (name, field) in [("context_id", "contextId"), ("task_id", "taskId")] {
        if let Some(id) = call.arguments[name].as_str().filter(|id| !id.is_empty()) {
            message[field] = json!(id);
        }
    }
    let params = json!({"message": message, "configuration": {"returnImmediately": true}});
    let sent = other.call("SendMessage", &params).await?;
    let Some(task) = sent.get("task") else { return Ok(sent) };
    remember(place, call, Far { task: task["id"].as_str().map(str::to_owned) }).await?;
    Ok(task.clone())
}

/// How many agents the messages that are being worked on went through: those that began a task, and those that were said
/// to it since.
async fn hops(place: &Place, call: &Call) -> u64 {
    let runtime = place.gateway.runtime();
    let Ok(session) = runtime.session(call.session).await else { return 0 };
    let open = session.open_messages().await.unwrap_or_default();
    let whose = Whose { agent: place.agent.key.clone(), owner: place.owner.clone() };
    let mut most = 0;
    for id in open.into_iter().map(|message| message.message_id) {
        let Ok(Some(found)) = whose.find(runtime, id).await else { continue };
        let more = notes::all_said(runtime, id).await.unwrap_or_default();
        let more = more.iter().map(|(_, said)| &said.message);
        most = more.chain([&found.note.message]).map(hops_of).max().unwrap_or_default().max(most);
    }
    most
}

/// Many write every number of a message's metadata with a fraction, or as a text.
fn hops_of(message: &Value) -> u64 {
    let hops = Fields::of(&message["metadata"], "").and_then(|metadata| metadata.number("hops"));
    hops.ok().flatten().and_then(|hops| u64::try_from(hops).ok()).unwrap_or_default()
}

impl Other<'_> {
    /// Looks again and again until it has ended or waits for somebody.
    async fn settled(&self, mut task: Value) -> Result<Value, String> {
        let mut pause = PAUSES.0;
        let within = Duration::from_secs(self.peer.timeout_seconds);
        let waiting = async {
            while is_under_way(&task) {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
                let id = task["id"].as_str().unwrap_or_default().to_owned();
                task = self.get(&id).await?;
            }
            Ok(task.clone())
        };
        tokio::time::timeout(within, waiting).await.unwrap_or(Err("it has not answered in time".to_owned()))
    }

    async fn get(&self, task: &str) -> Result<Value, String> {
        self.call("GetTask", &json!({"id": task, "historyLength": 0})).await
    }

    async fn call(&self, method: &str, params: &Value) -> Result<Value, String> {
        let mut headers =
            vec![("content-type", "application/json".to_owned()), ("a2a-version", "1.0".to_owned())];
        if let Some(token) = self.peer.token() {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let (status, body) = self
            .out
            .ask(Ask { url: &self.peer.url, headers, body: Some(body.into()), within: WITHIN })
            .await?;
        let answer: Value = serde_json::from_slice(&body)
            .map_err(|_| format!("it answered with status {status}, and no JSON"))?;
        match answer.get("result") {
            Some(result) => Ok(result.clone()),
            None => {
                let why = answer["error"]["message"].as_str().or(answer["detail"].as_str());
                Err(why.unwrap_or("it refused without saying why").to_owned())
            }
        }
    }
}

fn is_under_way(task: &Value) -> bool {
    matches!(task["status"]["state"].as_str(), Some("TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING"))
}

/// What the model is told: what the other one said, and how to go on.
fn told(answer: &Value) -> String {
    let message = answer.get("message").unwrap_or(answer);
    let parts = message["parts"].as_array().into_iter().flatten();
    let artifacts = answer["artifacts"].as_array().into_iter().flatten();
    let parts = parts.chain(artifacts.flat_map(|it| it["parts"].as_array().into_iter().flatten()));
    let status = answer["status"]["message"]["parts"].as_array().into_iter().flatten();
    let said = parts.chain(status).filter_map(|part| match part.get("data") {
        Some(data) => Some(data.to_string()),
        None => part["text"].as_str().or(part["url"].as_str()).map(str::to_owned),
    });
    let said = said.collect::<Vec<_>>().join("\n");
    json!({
        "said": said, "state": answer["status"]["state"], "task_id": answer["id"],
        "context_id": message["contextId"],
    })
    .to_string()
}
