//! The same key gives the same answer, once; another request with it none.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::{http::Answer, stage::Stage},
    ways::{ended, say, send, talking, until},
};

on_both!(an_answer_to_an_approval_is_given_again, an_interrupt_is_done_once, a_fork_is_made_once);

on_the_stand_in!(
    a_session_and_a_message_are_made_once,
    what_is_wanted_of_a_session_is_done_once,
    an_answer_to_a_tool_call_is_given_again,
    what_was_refused_may_be_tried_again,
    at_the_same_time_it_is_done_once,
    a_key_has_a_form,
);

async fn keyed(stage: &Stage, key: &str, path: &str, body: Value) -> Answer {
    stage.http.clone().with("idempotency-key", key).post(path, body).await
}

/// Asks the same twice, and something else with the same key; the answer.
async fn once(stage: &Stage, path: &str, asked: Value, other: Value) -> Value {
    let first = keyed(stage, "k", path, asked.clone()).await;
    let again = keyed(stage, "k", path, asked).await;
    assert!(first.status.is_success(), "{:?}", first.json());
    assert_eq!(first.status, again.status);
    assert_eq!(keyed(stage, "k", path, other).await.problem(422), "key_reused");
    let (first, again) = (first.json(), again.json());
    for field in ["id", "message_id", "approval_id", "by", "tool_call_id", "updated_at"] {
        assert_eq!(first[field], again[field], "{field} of {path}");
    }
    first
}

async fn a_session_and_a_message_are_made_once(stage: Stage) {
    let cwd = stage.work("");
    let made = {
        let body = json!({"cwd": cwd, "name": "one"});
        let first = keyed(&stage, "k", "/v1/sessions", body.clone()).await.expect(201);
        assert_eq!(keyed(&stage, "k", "/v1/sessions", body).await.expect(201)["id"], first["id"]);
        let other = keyed(&stage, "k", "/v1/sessions", json!({"cwd": cwd, "name": "two"})).await;
        assert_eq!(other.problem(422), "key_reused");
        first
    };
    assert_eq!(stage.http.get("/v1/sessions").await.expect(200)["items"].as_array().unwrap().len(), 1);
    let path = format!("/v1/sessions/{}/messages", made["id"].as_str().unwrap());
    once(&stage, &path, json!({"text": "[stream]"}), json!({"text": "[think]"})).await;
    assert_eq!(stage.http.get(&path).await.expect(200)["items"].as_array().unwrap().len(), 1);
    stage.close().await;
}

async fn a_fork_is_made_once(stage: Stage) {
    let session = stage.session(json!({})).await;
    let first = say(&stage, &session, "[stream]").await;
    let path = format!("/v1/sessions/{session}/fork");
    let forked = once(&stage, &path, json!({}), json!({"after_message_id": first["message_id"]})).await;
    stage.http.patch(&format!("/v1/sessions/{session}"), json!({"effort": "low"})).await.expect(200);
    let again = keyed(&stage, "k", &path, json!({})).await.expect(201);
    assert_eq!(again["id"], forked["id"], "whatever became of the one it was made from");
    assert_eq!(stage.http.get("/v1/sessions").await.expect(200)["items"].as_array().unwrap().len(), 2);
    stage.close().await;
}

async fn an_answer_to_an_approval_is_given_again(stage: Stage) {
    let session = stage.session(json!({"approval_policy": "on-request"})).await;
    let message = send(&stage, &session, json!({"text": "[approve]"})).await;
    let asked = until(&stage, &session, "approval.requested").await;
    let path = format!("/v1/approvals/{}", asked["data"]["approval_id"].as_str().unwrap());
    let answer = once(&stage, &path, json!({"decision": "accept"}), json!({"decision": "decline"})).await;
    assert_eq!(answer["decision"], "accept");
    assert_eq!(ended(&stage, &session, &message).await["text"], "The command was decided.");
    stage.close().await;
}

async fn an_answer_to_a_tool_call_is_given_again(stage: Stage) {
    let tool = json!({"name": "lookup", "description": "", "input_schema": {"type": "object"}});
    let session = stage.session(json!({"tools": [tool]})).await;
    let message = send(&stage, &session, json!({"text": "[tool]"})).await;
    let called = until(&stage, &session, "tool.requested").await;
    let path = format!("/v1/tool-calls/{}", called["data"]["tool_call_id"].as_str().unwrap());
    let answer = |success: bool| json!({"success": success, "content": []});
    once(&stage, &path, answer(true), answer(false)).await;
    assert_eq!(ended(&stage, &session, &message).await["text"], "Looked up.");
    stage.close().await;
}

async fn an_interrupt_is_done_once(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}/interrupt");
    once(&stage, &path, json!({}), json!({"force": true})).await;
    assert_eq!(ended(&stage, &session, &message).await["state"], "interrupted");
    let next = send(&stage, &session, json!({"text": "[slow]"})).await;
    until(&stage, &session, "turn.completed").await;
    keyed(&stage, "k", &path, json!({})).await.expect(202);
    let now = stage.http.get(&format!("/v1/sessions/{session}/messages/{next}")).await.expect(200);
    assert!(
        ["queued", "running"].contains(&now["state"].as_str().unwrap()),
        "the next turn is not meant: {now}"
    );
    stage.http.delete(&format!("/v1/sessions/{session}")).await.expect(204);
    stage.close().await;
}

async fn what_is_wanted_of_a_session_is_done_once(stage: Stage) {
    let session = stage.session(json!({})).await;
    say(&stage, &session, "[stream]").await;
    for deed in ["stop", "start", "archive", "unarchive", "compact"] {
        let path = format!("/v1/sessions/{session}/{deed}");
        let first = keyed(&stage, "k", &path, json!({})).await.expect(202);
        assert_eq!(keyed(&stage, "k", &path, json!({})).await.expect(202), first, "{deed}, to the letter");
    }
    stage.close().await;
}

async fn what_was_refused_may_be_tried_again(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}/review");
    stage.http.post(&format!("/v1/sessions/{session}/stop"), json!({})).await.expect(202);
    assert_eq!(keyed(&stage, "k", &path, json!({})).await.problem(409), "not_running");
    stage.http.post(&format!("/v1/sessions/{session}/start"), json!({})).await.expect(202);
    keyed(&stage, "k", &path, json!({})).await.expect(202);
    stage.close().await;
}

async fn at_the_same_time_it_is_done_once(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}/messages");
    let body = || json!({"text": "[stream]"});
    let (a, b) = tokio::join!(keyed(&stage, "k", &path, body()), keyed(&stage, "k", &path, body()));
    assert_eq!(a.expect(202)["message_id"], b.expect(202)["message_id"]);
    let stop = format!("/v1/sessions/{session}/stop");
    let (a, b) = tokio::join!(keyed(&stage, "s", &stop, json!({})), keyed(&stage, "s", &stop, json!({})));
    assert_eq!(a.expect(202), b.expect(202), "the same answer, to the letter");
    stage.close().await;
}

async fn a_key_has_a_form(stage: Stage) {
    let long = "k".repeat(256);
    let session = stage.session(json!({})).await;
    for path in ["/v1/sessions".to_owned(), format!("/v1/sessions/{session}/stop")] {
        let answer = keyed(&stage, &long, &path, json!({"cwd": stage.work("")})).await;
        assert_eq!(answer.problem(400), "invalid_argument");
        assert_eq!(answer.json()["field"], "Idempotency-Key");
    }
    stage.close().await;
}
