//! The same key gives the same answer, once; another request with it none.

use bytes::Bytes;
use hyper::Method;
use selvedge_runtime::Answer as Given;
use selvedge_session::{ApprovalId, SessionId, data::Decision};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    on_both,
    support::{http::Answer, stage::Stage},
    ways::{ended, say, send, talking, until, until_of},
};

on_both!(an_answer_to_an_approval_is_given_again, an_interrupt_is_done_once, a_fork_is_made_once);

on_the_stand_in!(
    a_session_and_a_message_are_made_once,
    what_is_wanted_of_a_session_is_done_once,
    an_answer_to_a_tool_call_is_given_again,
    an_answer_outlives_what_it_is_about,
    a_deed_whose_answer_was_never_given_is_not_done_again,
    what_means_the_same_is_the_same,
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
    assert_eq!(first.body, again.body, "{path}: to the letter");
    assert_eq!(first.headers.get("location"), again.headers.get("location"));
    first.json()
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
    let said = once(&stage, &path, json!({"text": "[stream]"}), json!({"text": "[think]"})).await;
    ended(&stage, made["id"].as_str().unwrap(), said["message_id"].as_str().unwrap()).await;
    let late = keyed(&stage, "k", &path, json!({"text": "[stream]"})).await.expect(202);
    assert_eq!(late, said, "also when it has ended since");
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

async fn an_answer_outlives_what_it_is_about(stage: Stage) {
    let make = json!({"cwd": stage.work("")});
    let made = keyed(&stage, "k", "/v1/sessions", make.clone()).await;
    let path = made.headers["location"].to_str().unwrap().to_owned();
    let session = made.json()["id"].as_str().unwrap().to_owned();
    let (send, fork, text) =
        (format!("{path}/messages"), format!("{path}/fork"), json!({"text": "[stream]"}));
    let sent = keyed(&stage, "k", &send, text.clone()).await;
    ended(&stage, &session, sent.json()["message_id"].as_str().unwrap()).await;
    let forked = keyed(&stage, "k", &fork, json!({})).await;
    for gone in [&path, forked.headers["location"].to_str().unwrap()] {
        assert_eq!(stage.http.delete(gone).await.status, 204);
    }
    for (path, body, first) in [("/v1/sessions", make, made), (&send, text, sent), (&fork, json!({}), forked)]
    {
        let again = keyed(&stage, "k", path, body).await;
        assert_eq!((again.status, &again.body), (first.status, &first.body), "{path}");
        assert_eq!(again.headers.get("location"), first.headers.get("location"), "{path}");
    }
    assert_eq!(keyed(&stage, "k", &send, json!({"text": "other"})).await.problem(422), "key_reused");
    assert_eq!(keyed(&stage, "new", &send, json!({"text": "other"})).await.problem(404), "not_found");
    assert_eq!(stage.http.get("/v1/sessions").await.expect(200)["items"], json!([]), "none is made anew");
    stage.close().await;
}

/// As if the gateway had been killed after the deed, before it could keep the answer.
async fn a_deed_whose_answer_was_never_given_is_not_done_again(stage: Stage) {
    let key = |path: &str| Some(format!("local/http/{path}/k"));
    let session = stage.session(json!({"approval_policy": "on-request"})).await;
    let message = send(&stage, &session, json!({"text": "[approve]"})).await;
    let asked = until(&stage, &session, "approval.requested").await;
    let id: Uuid = asked["data"]["approval_id"].as_str().unwrap().parse().unwrap();
    let path = format!("/v1/approvals/{id}");
    let asking = stage.runtime.asked_in(ApprovalId(id)).await.unwrap().keyed(key(&path));
    asking.answer(ApprovalId(id), Given::new(Decision::Accept, "local/http")).await.unwrap();
    let accept = json!({"decision": "accept"});
    let answer = keyed(&stage, "k", &path, accept.clone()).await.expect(200);
    assert_eq!((&answer["decision"], &answer["by"]), (&json!("accept"), &json!("local/http")));
    assert_eq!(keyed(&stage, "other", &path, accept).await.problem(409), "already_answered");
    ended(&stage, &session, &message).await;

    let talks = send(&stage, &session, json!({"text": "[slow]"})).await;
    until_of(&stage, &session, "message.started", &talks).await;
    let path = format!("/v1/sessions/{session}/interrupt");
    let handle = stage.runtime.session(SessionId(session.parse().unwrap())).await.unwrap();
    handle.keyed(key(&path)).interrupt(false).await.unwrap();
    ended(&stage, &session, &talks).await;
    let next = send(&stage, &session, json!({"text": "[slow]"})).await;
    until_of(&stage, &session, "message.started", &next).await;
    keyed(&stage, "k", &path, json!({})).await.expect(202);
    let now = stage.http.get(&format!("/v1/sessions/{session}/messages/{next}")).await.expect(200);
    assert_eq!(now["state"], "running", "the next turn is not meant");
    stage.http.delete(&format!("/v1/sessions/{session}")).await;
    stage.close().await;
}

async fn what_means_the_same_is_the_same(stage: Stage) {
    let session = stage.session(json!({})).await;
    let http = stage.http.clone().with("idempotency-key", "k");
    let path = format!("/v1/sessions/{session}/messages");
    let mut said = Vec::new();
    for body in [r#"{"text":"[stream]","effort":"low"}"#, "{ \"effort\": \"low\",\n\"text\": \"[stream]\" }"]
    {
        said.push(http.ask_as_it_is(Method::POST, &path, Bytes::from(body)).await.expect(202));
    }
    assert_eq!(said[0], said[1]);
    let path = format!("/v1/sessions/{session}/stop");
    for body in ["", "{}", "null"] {
        assert_eq!(http.ask_as_it_is(Method::POST, &path, Bytes::from(body)).await.status, 202, "{body:?}");
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
