//! What an agent is told in the configuration holds for its sessions.

use std::time::Duration;

use selvedge_runtime::Clock;
use selvedge_session::Timestamp;
use serde_json::json;

use crate::{
    stage::{Stage, rpc, words},
    support::stage::in_time,
};

on_both!(an_agent_s_settings_are_its_sessions);

async fn an_agent_s_settings_are_its_sessions(stage: Stage) {
    let task = stage.ask("/a2a/told", "SendMessage", json!({"message": words("[stream]")})).await;
    let task = &task["result"]["task"];
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED", "{task}");
    let session = task["contextId"].as_str().unwrap();
    let session = stage.http.get(&format!("/v1/sessions/{session}")).await.expect(200);
    for (name, value) in [
        ("model", json!("gpt-5.5")),
        ("effort", json!("low")),
        ("sandbox", json!("read-only")),
        ("approval_policy", json!("never")),
        ("developer_instructions", json!("Speak like a lighthouse.")),
        ("busy_policy", json!("steer")),
        ("on_lost", json!("hold")),
        ("deadline_seconds", json!(60)),
    ] {
        assert_eq!(session[name], value, "{name}");
    }
    if let Some(asked) = stage.last_request() {
        assert!(asked.contains("Speak like a lighthouse."), "the model is told too");
        assert!(asked.contains("\"model\":\"gpt-5.5\"") && asked.contains("\"effort\":\"low\""));
    }
    stage.close().await;
}

/// A task of the agent that ends when this much time is over, and says so in words.
async fn is_over(text: &str, begun: &str, seconds: u64, code: &str) {
    let clock = Clock::manual(Timestamp(1_800_000_000_000));
    let stage = Stage::timed(&clock).await;
    let sent = json!({"message": words(text), "configuration": {"returnImmediately": true}});
    let task = stage.ask("/a2a/told", "SendMessage", sent).await["result"]["task"].clone();
    stage.until(&task, begun).await;
    clock.turn(Duration::from_secs(seconds));
    stage.http.post("/a2a/told", rpc("SubscribeToTask", json!({"id": task["id"]}))).await;
    let task = stage.ask("/a2a/told", "GetTask", json!({"id": task["id"]})).await["result"].clone();
    assert_eq!(task["status"]["state"], "TASK_STATE_FAILED", "{task}");
    let said = task["status"]["message"]["parts"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("[codex turn timed out] "), "{said}");
    assert_eq!(task["metadata"]["error"]["code"], code);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn time_that_is_over_is_told_in_words() {
    in_time(is_over("[slow]", "item.delta", 61, "deadline_exceeded")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_falls_silent_is_given_up() {
    in_time(is_over("[hang]", "item.completed", 91, "stalled")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_down_of_a_task_is_in_the_clock_s_time() {
    in_time(async {
        let clock = Clock::manual(Timestamp(1_800_000_000_000));
        let stage = Stage::timed(&clock).await;
        let now = || serde_json::to_value(clock.now()).unwrap();
        let busy = json!({"message": words("[hang]"), "configuration": {"returnImmediately": true}});
        let busy = stage.ask("/a2a/strict", "SendMessage", busy).await["result"]["task"].clone();
        clock.turn(Duration::from_secs(5));
        let mut more = words("[stream]");
        more["contextId"] = busy["contextId"].clone();
        let rejected = stage.ask("/a2a/strict", "SendMessage", json!({"message": more})).await;
        assert_eq!(rejected["result"]["task"]["status"]["timestamp"], now(), "{rejected}");
        let waits = stage.say("[fail 401]").await;
        clock.turn(Duration::from_secs(5));
        let given_up = stage.call("CancelTask", json!({"id": waits["id"]})).await;
        assert_eq!(given_up["status"]["timestamp"], now(), "{given_up}");
        // Time stands still while somebody asks and somebody answers: they speak in turns all the same.
        let asked = stage.say("[approve]").await;
        let mut no = words("[steered] no");
        no["taskId"] = asked["id"].clone();
        let done = stage.call("SendMessage", json!({"message": no})).await["task"].clone();
        let roles: Vec<_> = done["history"].as_array().unwrap().iter().map(|said| &said["role"]).collect();
        assert_eq!(roles, ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"], "{done}");
        stage.close().await;
    })
    .await;
}
