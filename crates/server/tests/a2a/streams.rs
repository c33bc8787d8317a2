//! Streams: the task first, then what happens to it, the same for everybody.

use hyper::Method;
use serde_json::{Value, json};

use crate::stage::{Stage, rpc, said, whole, words};

const TEN: &str = "One two three four five six seven eight nine ten.";

on_both!(
    a_task_is_told_from_its_begin_to_its_end,
    all_who_listen_are_told_the_same,
    a_stream_ends_with_a_question_and_a_subscription_goes_on,
    more_words_join_the_running_task,
    a_hasty_agent_interrupts,
);

on_the_stand_in!(
    the_other_binding_tells_the_same,
    a_plain_answer_is_one_message,
    what_the_agent_does_is_told,
);

/// The updates that a stream over JSON-RPC tells.
fn results(body: &[u8]) -> Vec<Value> {
    let frames = said(body);
    let numbers: Vec<_> = frames.iter().filter_map(|(seq, _)| *seq).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    frames
        .into_iter()
        .map(|(_, frame)| {
            assert_eq!((&frame["jsonrpc"], &frame["id"]), (&json!("2.0"), &json!(7)));
            frame["result"].clone()
        })
        .collect()
}

/// What the artifact is in the end, by the rules of A2A.
fn text(updates: &[Value]) -> (String, bool) {
    let (mut text, mut last) = (String::new(), false);
    for update in updates.iter().filter_map(|update| update.get("artifactUpdate")) {
        if update["append"] != true {
            text.clear();
        }
        text.push_str(update["artifact"]["parts"][0]["text"].as_str().unwrap());
        last = update["lastChunk"] == true;
    }
    (text, last)
}

fn states(updates: &[Value]) -> Vec<String> {
    let state = |update: &Value| {
        let told =
            ["task", "statusUpdate"].map(|kind| update[kind]["status"]["state"].as_str().map(str::to_owned));
        told.into_iter().flatten().next()
    };
    let states = updates.iter().filter_map(state);
    let mut states: Vec<_> = states.map(|state| state.trim_start_matches("TASK_STATE_").to_owned()).collect();
    states.dedup();
    states
}

async fn a_task_is_told_from_its_begin_to_its_end(stage: Stage) {
    let answer =
        stage.http.post("/a2a", rpc("SendStreamingMessage", json!({"message": words("[stream]")}))).await;
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    let updates = results(&answer.body);
    let task = &updates[0]["task"];
    assert_eq!(states(&updates).last().unwrap(), "COMPLETED");
    assert!(states(&updates).contains(&"WORKING".to_owned()), "{updates:?}");
    assert_eq!(text(&updates), (TEN.to_owned(), true));
    let chunks = updates.iter().filter(|update| update.get("artifactUpdate").is_some()).count();
    assert!(chunks > 2, "it comes in pieces: {chunks}");
    let shown = stage.task(&task["id"]).await;
    assert_eq!(shown["artifacts"][0]["parts"], json!([{"text": TEN}]));
    for update in &updates[1..] {
        let update = update.as_object().unwrap().values().next().unwrap();
        assert_eq!((&update["taskId"], &update["contextId"]), (&task["id"], &task["contextId"]));
        assert!(update["metadata"]["seq"].is_u64());
    }
    stage.close().await;
}

async fn all_who_listen_are_told_the_same(stage: Stage) {
    let task = stage.begin("[steady]").await;
    let listen = async || {
        let answer = stage.http.post("/a2a", rpc("SubscribeToTask", json!({"id": task["id"]}))).await;
        results(&answer.body)
    };
    let leave = async {
        let body = bytes::Bytes::from(rpc("SubscribeToTask", json!({"id": task["id"]})).to_string());
        drop(stage.http.open(Method::POST, "/a2a", Some(body)).await);
    };
    let (first, second, ()) = tokio::join!(listen(), listen(), leave);
    assert_eq!(first[0]["task"]["id"], task["id"]);
    let end = stage.task(&task["id"]).await;
    let whole = end["artifacts"][0]["parts"][0]["text"].as_str().unwrap();
    for heard in [&first, &second] {
        let begun = heard[0]["task"]["artifacts"][0]["parts"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(states(heard).last().unwrap(), "COMPLETED");
        let (rest, last) = text(heard);
        assert!(last && format!("{begun}{rest}") == whole, "{begun:?} {rest:?}");
    }
    // From where the later one came in, both heard the same.
    let shorter = first.len().min(second.len()) - 2;
    assert_eq!(first[first.len() - shorter..], second[second.len() - shorter..]);
    stage.close().await;
}

async fn a_stream_ends_with_a_question_and_a_subscription_goes_on(stage: Stage) {
    let asked =
        stage.http.post("/a2a", rpc("SendStreamingMessage", json!({"message": words("[approve]")}))).await;
    let updates = results(&asked.body);
    let task = updates[0]["task"]["id"].clone();
    assert_eq!(states(&updates).last().unwrap(), "INPUT_REQUIRED");
    let path = format!("/a2a/rest/tasks/{}:subscribe", task.as_str().unwrap());
    // It listens before anybody answers.
    let subscribed = stage.http.open(Method::GET, &path, None).await;
    let mut message = words("yes");
    message["taskId"] = task.clone();
    let answered = stage.http.post("/a2a", rpc("SendStreamingMessage", json!({"message": message}))).await;
    let heard = whole(subscribed).await;
    let heard: Vec<Value> = said(&heard).into_iter().map(|(_, update)| update).collect();
    assert_eq!(heard[0]["task"]["id"], task);
    assert_eq!(states(&heard).last().unwrap(), "COMPLETED", "{heard:?}");
    assert_eq!(states(&results(&answered.body)).last().unwrap(), "COMPLETED");
    stage.close().await;
}

async fn the_other_binding_tells_the_same(stage: Stage) {
    let answer = stage.http.post("/a2a/rest/message:stream", json!({"message": words("[stream]")})).await;
    assert_eq!(
        (answer.status.as_u16(), answer.headers["content-type"].to_str().unwrap()),
        (200, "text/event-stream")
    );
    let updates: Vec<Value> = said(&answer.body).into_iter().map(|(_, update)| update).collect();
    assert!(updates[0]["task"]["id"].is_string());
    assert_eq!(
        (states(&updates).last().unwrap().as_str(), text(&updates)),
        ("COMPLETED", (TEN.to_owned(), true))
    );
    stage.close().await;
}

async fn a_plain_answer_is_one_message(stage: Stage) {
    let sent = rpc("SendStreamingMessage", json!({"message": words("[stream]")}));
    let updates = results(&stage.http.post("/a2a/plain", sent).await.body);
    assert_eq!(updates.len(), 1);
    assert_eq!(updates[0]["message"]["parts"][0]["text"], TEN);
    stage.close().await;
}

async fn what_the_agent_does_is_told(stage: Stage) {
    let sent = rpc("SendStreamingMessage", json!({"message": words("[run]")}));
    let updates = results(&stage.http.post("/a2a", sent).await.body);
    let words = updates.iter().filter_map(|update| {
        let status = &update["statusUpdate"]["status"];
        assert!(status["message"].is_null() || status["message"]["role"] == "ROLE_AGENT");
        status["message"]["parts"][0]["text"].as_str()
    });
    assert!(words.into_iter().any(|words| words.contains("echo sandboxed")), "{updates:?}");
    stage.close().await;
}

async fn more_words_join_the_running_task(stage: Stage) {
    let task = stage.begin("[steady]").await;
    stage.until(&task, "item.delta").await;
    let mut message = words("[steered]");
    message["taskId"] = task["id"].clone();
    let done = stage.call("SendMessage", json!({"message": message})).await["task"].clone();
    assert_eq!((&done["id"], &done["status"]["state"]), (&task["id"], &json!("TASK_STATE_COMPLETED")));
    assert_eq!(done["artifacts"][0]["parts"][0]["text"], "Steered.");
    assert_eq!(done["history"].as_array().unwrap().len(), 2);
    stage.close().await;
}

async fn a_hasty_agent_interrupts(stage: Stage) {
    let begin = json!({"message": words("[slow]"), "configuration": {"returnImmediately": true}});
    let first = stage.ask("/a2a/hasty", "SendMessage", begin).await["result"]["task"].clone();
    let get =
        async |id: &Value| stage.ask("/a2a/hasty", "GetTask", json!({"id": id})).await["result"].clone();
    stage.until(&first, "item.delta").await;
    let mut more = words("[stream]");
    more["contextId"] = first["contextId"].clone();
    let second =
        stage.ask("/a2a/hasty", "SendMessage", json!({"message": more})).await["result"]["task"].clone();
    assert_eq!(second["status"]["state"], "TASK_STATE_COMPLETED");
    assert_eq!(get(&first["id"]).await["status"]["state"], "TASK_STATE_CANCELED");
    stage.close().await;
}
