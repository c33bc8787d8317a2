//! What an agent gives beside its answer, and whom it asks.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::stage::{Stage, rpc, said, words};

on_both!(a_file_is_given_beside_the_answer);

on_the_stand_in!(what_lies_outside_is_not_given);

async fn a_file_is_given_beside_the_answer(stage: Stage) {
    std::fs::write(stage.work("report.csv"), "a,b\n1,2\n").unwrap();
    let sent = rpc("SendStreamingMessage", json!({"message": words("[offer]")}));
    let updates: Vec<Value> =
        said(&stage.http.post("/a2a", sent).await.body).into_iter().map(|(_, it)| it).collect();
    let task = updates[0]["result"]["task"]["id"].clone();
    let artifact = json!({
        "name": "report.csv", "description": "Numbers.",
        "parts": [{"raw": BASE64_STANDARD.encode("a,b\n1,2\n"), "filename": "report.csv", "mediaType": "text/csv"}],
    });
    let is_it = |shown: &Value| {
        ["name", "description", "parts"].into_iter().all(|field| shown[field] == artifact[field])
    };
    assert!(
        updates.iter().any(|update| is_it(&update["result"]["artifactUpdate"]["artifact"])),
        "{updates:?}"
    );
    std::fs::remove_file(stage.work("report.csv")).unwrap();
    let stage = stage.restarted().await;
    let shown = stage.task(&task).await;
    assert!(is_it(&shown["artifacts"][0]), "what was given stays: {shown}");
    assert_eq!(shown["artifacts"][1]["parts"][0]["text"], "Here it is.", "in the order in which it was told");
    stage.close().await;
}

async fn what_lies_outside_is_not_given(stage: Stage) {
    std::fs::write(stage.work("../outside.txt"), "a secret").unwrap();
    let task = stage.say("[offer outside]").await;
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
    assert_eq!(task["artifacts"].as_array().unwrap().len(), 1);
    stage.close().await;
}

/// An agent that may ask the one at this address.
fn asking(address: &str) -> String {
    format!(
        r#"
        [helper]
        name = "Helper"
        max_hops = 3
        peers.other = {{ url = "{address}", description = "knows more", token = "t" }}
        "#
    )
}

async fn two_agents_talk(real: bool) {
    let other = Stage::with("[helper]", real).await;
    let stage = Stage::with(&asking(&format!("http://{}/a2a", other.http.address)), false).await;
    let task = stage.say("[ask]").await;
    assert_eq!(task["artifacts"][0]["parts"][0]["text"], "I asked.");
    let asked = other.call("ListTasks", json!({"includeArtifacts": true})).await;
    assert_eq!(asked["totalSize"], 1, "it was asked once");
    let answer = asked["tasks"][0]["artifacts"][0]["parts"][0]["text"].as_str().unwrap();
    assert_eq!(asked["tasks"][0]["history"][0]["metadata"]["hops"], 1);
    let session = task["contextId"].as_str().unwrap();
    let events = stage.http.get(&format!("/v1/sessions/{session}/events")).await.expect(200);
    let events = events["events"].as_array().unwrap();
    let told = events.iter().find(|event| event["type"] == "tool.resolved").unwrap();
    let words = told["data"]["content"][0]["text"].as_str().unwrap();
    assert!(words.contains(answer) && words.contains("TASK_STATE_COMPLETED"), "{words}");
    stage.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agents_talk_on_the_stand_in() {
    crate::support::stage::in_time(two_agents_talk(false)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agents_talk_on_the_real_codex() {
    crate::support::stage::in_time(two_agents_talk(true)).await;
}

/// An agent that asks itself: a message goes through so many agents, and no further.
#[tokio::test(flavor = "multi_thread")]
async fn a_loop_of_agents_ends() {
    crate::support::stage::in_time(async {
        let listener = crate::stage::listener().await;
        let agents = asking(&format!("http://{}/a2a", listener.local_addr().unwrap()));
        let stage = Stage::at(listener, &agents).await;
        let task = stage.say("[loop]").await;
        assert_eq!(task["artifacts"][0]["parts"][0]["text"], "Round and round.");
        assert_eq!(stage.call("ListTasks", json!({})).await["totalSize"], 4);
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_went_far_enough_goes_no_further() {
    crate::support::stage::in_time(async {
        let other = Stage::with("[helper]", false).await;
        let stage = Stage::with(&asking(&format!("http://{}/a2a", other.http.address)), false).await;
        // As programs write a number of which they know nothing.
        for hops in [json!(3), json!(3.0), json!("3")] {
            let mut message = words("[ask]");
            message["metadata"] = json!({"hops": hops});
            let task = stage.call("SendMessage", json!({"message": message})).await["task"].clone();
            assert_eq!(task["artifacts"][0]["parts"][0]["text"], "I asked.", "{task}");
        }
        // What is said to a task that runs brings its way with it.
        let task = stage.begin("[slow]").await;
        stage.until(&task, "item.delta").await;
        let mut message = words("[ask]");
        message["taskId"] = task["id"].clone();
        message["metadata"] = json!({"hops": 3});
        let task = stage.call("SendMessage", json!({"message": message})).await["task"].clone();
        assert_eq!(task["artifacts"][0]["parts"][0]["text"], "I asked.", "{task}");
        assert_eq!(other.call("ListTasks", json!({})).await["totalSize"], 0, "the other one was not asked");
        stage.close().await;
        other.close().await;
    })
    .await;
}
