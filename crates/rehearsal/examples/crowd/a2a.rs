//! The gateway as other agents meet it: how many blocking sends it answers, and how long a word takes to who follows a task.

use std::{env, sync::Mutex};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    latency::Took,
    reader::Reader,
    requests,
    server::{Play, Server},
    shown,
};

const A_SECOND: usize = 50;

/// Messages that are answered with the task when it is done; each connection is a conversation.
pub(crate) fn sends(load: &Load) -> Measured {
    let server = start(load, &[])?;
    let contexts: Mutex<Vec<String>> = Mutex::new(Vec::new());
    requests::ask(&server, load, |talk, _| {
        let context = contexts.lock().map_err(|_| "a thread has died")?.pop();
        let answer = talk.post("/a2a", &call("SendMessage", "hello", context.as_deref()), None)?.json()?;
        let task = &answer["result"]["task"];
        if task["status"]["state"] != "TASK_STATE_COMPLETED" {
            return Err(format!("a task is not done: {answer}").into());
        }
        let context = task["contextId"].as_str().unwrap_or_default().to_owned();
        contexts.lock().map_err(|_| "a thread has died")?.push(context);
        Ok(())
    })
}

/// From the app-server's write to who reads a task's stream, at 50 deltas a second from each.
pub(crate) async fn streams(load: &Load) -> Measured {
    let deltas = (load.amount + 1) * A_SECOND;
    let play = Play::pace(deltas, 1_000 / A_SECOND);
    let server = start(load, &[&play])?;
    let mut readers = JoinSet::new();
    for _ in 0..load.sessions {
        let body = call("SendStreamingMessage", &play.message, None).to_string();
        let reader = Reader::post(&server.place, "/a2a", &body).await?;
        readers.spawn(follow(reader, deltas));
    }
    Ok(Took::of(readers).await?.report())
}

/// What each delta took in nanoseconds; in the first second not all speak.
async fn follow(mut reader: Reader, deltas: usize) -> Result<Vec<u64>, Failure> {
    let mut took = Vec::with_capacity(deltas);
    while took.len() < deltas {
        let now = reader.more().await?;
        reader.frames(|_, data| {
            let frame: Value = serde_json::from_slice(data)?;
            let result = &frame["result"];
            let told = [&result["task"]["artifacts"][0], &result["artifactUpdate"]["artifact"]];
            let text = told.into_iter().find_map(|told| told["parts"][0]["text"].as_str());
            shown::numbers_in(text.unwrap_or_default(), |then| took.push(now.saturating_sub(then)));
            Ok(())
        })?;
    }
    if took.len() != deltas {
        return Err("a delta was repeated".into());
    }
    Ok(took.split_off(A_SECOND.min(deltas)))
}

/// With an agent that everybody may ask.
fn start(load: &Load, plays: &[&Play]) -> Result<Server, Failure> {
    let full = if load.full { "durability = \"full\"\n" } else { "" };
    let lines = format!("{full}[agents.crowd]\ncwd = {:?}\n", env::temp_dir());
    let mut server = Server::start_with(load, plays, &lines)?;
    server.place.headers.push_str("a2a-version: 1.0\r\n");
    Ok(server)
}

fn call(method: &str, text: &str, context: Option<&str>) -> Value {
    let mut message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": text }] });
    if let Some(context) = context {
        message["contextId"] = json!(context);
    }
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "message": message } })
}
