//! Messages that come while a turn runs: they wait, are changed, moved, taken back, or join.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, send, talking},
};

on_both!(
    a_queue_is_shown_reordered_and_thinned_out,
    other_readers_see_what_changes_in_the_queue,
    a_steer_joins_the_running_turn,
    a_running_message_is_taken_back
);

fn ids(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["message_id"].as_str().unwrap()).collect()
}

async fn a_queue_is_shown_reordered_and_thinned_out(stage: Stage) {
    let (session, running) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}/messages");
    let first = send(&stage, &session, json!({"text": "[think]"})).await;
    let second = send(&stage, &session, json!({"text": "[fail 500]"})).await;
    let third = send(&stage, &session, json!({"text": "[hang]"})).await;
    let queued = stage.http.get(&format!("{path}?state=queued")).await.expect(200);
    assert_eq!(ids(&queued), [&first, &second, &third]);
    let moved = json!({"position": 0, "text": "[stream]"});
    let moved = stage.http.patch(&format!("{path}/{second}"), moved).await.expect(200);
    assert_eq!((&moved["position"], &moved["input"][0]["text"]), (&json!(0), &json!("[stream]")));
    let gone = stage.http.delete(&format!("{path}/{third}")).await.expect(202);
    assert_eq!(gone["state"], "interrupted");
    let queued = stage.http.get(&format!("{path}?state=queued")).await.expect(200);
    assert_eq!(ids(&queued), [&second, &first]);
    let now = stage.http.get(&format!("{path}?state=running")).await.expect(200);
    assert_eq!(ids(&now), [&running]);
    assert_eq!(ids(&stage.http.get(&path).await.expect(200)), [&running, &first, &second, &third]);
    let late = stage.http.patch(&format!("{path}/{running}"), json!({"text": "[think]"})).await;
    assert_eq!(late.problem(409), "not_queued");
    assert_eq!(stage.http.delete(&format!("{path}/{third}")).await.problem(409), "not_queued");
    stage.http.post(&format!("/v1/sessions/{session}/interrupt"), json!({})).await.expect(202);
    assert_eq!(ended(&stage, &session, &first).await["text"], "This way.");
    let second = ended(&stage, &session, &second).await;
    assert_eq!(
        second["text"], "One two three four five six seven eight nine ten.",
        "it says what it was changed to"
    );
    stage.close().await;
}

async fn other_readers_see_what_changes_in_the_queue(stage: Stage) {
    let (session, _) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}");
    let first = send(&stage, &session, json!({"text": "[think]"})).await;
    let second = send(&stage, &session, json!({"text": "[fail 500]"})).await;
    let third = send(&stage, &session, json!({"text": "[hang]"})).await;
    let change = async |message: &str, change| {
        stage.http.patch(&format!("{path}/messages/{message}"), change).await.expect(200)
    };
    change(&second, json!({"text": "[stream]"})).await;
    change(&second, json!({"position": 0})).await;
    stage.http.delete(&format!("{path}/messages/{third}")).await.expect(202);
    let events = stage.http.get(&format!("{path}/events")).await.expect(200);
    let told = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "message.updated" || event["type"] == "message.finished");
    let told: Vec<_> = told.map(|event| (event["type"].as_str().unwrap(), &event["data"])).collect();
    let [(_, words), (_, place), (last, gone)] = told[..] else { panic!("{told:?}") };
    let input = json!([{"type": "text", "text": "[stream]"}]);
    assert_eq!(*words, json!({"message_id": second, "input": input}));
    assert_eq!(*place, json!({"message_id": second, "position": 1}), "the running one is before it");
    assert_eq!(
        (last, &gone["message_id"], &gone["status"]),
        ("message.finished", &json!(third), &json!("interrupted"))
    );
    let feed = stage.http.get("/v1/events").await.expect(200);
    let in_feed =
        feed["events"].as_array().unwrap().iter().filter(|event| event["type"] == "message.updated");
    assert_eq!(in_feed.count(), 2, "a dashboard sees it too");
    stage.http.post(&format!("{path}/interrupt"), json!({})).await.expect(202);
    let second = ended(&stage, &session, &second).await;
    assert_eq!(second["input"], input, "what it was answered to");
    ended(&stage, &session, &first).await;
    stage.close().await;
}

async fn a_steer_joins_the_running_turn(stage: Stage) {
    let (session, running) = talking(&stage).await;
    let steer = send(&stage, &session, json!({"text": "[steered]", "busy_policy": "steer"})).await;
    let joined = ended(&stage, &session, &steer).await;
    let opened = ended(&stage, &session, &running).await;
    assert_eq!((&joined["text"], &opened["text"]), (&json!("Steered."), &json!("Steered.")));
    assert_eq!((&joined["turn_id"], &joined["steered_into"]), (&opened["turn_id"], &json!(running)));
    stage.close().await;
}

async fn a_running_message_is_taken_back(stage: Stage) {
    let (session, running) = talking(&stage).await;
    stage.http.delete(&format!("/v1/sessions/{session}/messages/{running}")).await.expect(202);
    assert_eq!(ended(&stage, &session, &running).await["state"], "interrupted");
    stage.close().await;
}
