//! A session's own tools, run by somebody who speaks HTTP.

use serde_json::json;

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, send, until},
};

on_both!(a_call_is_listed_and_answered_once, a_call_that_failed_is_said_so);

fn lookup() -> serde_json::Value {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    json!({"tools": [{"name": "lookup", "description": "Looks something up.", "input_schema": schema}]})
}

/// A session whose tool is called, its message, and where the answer goes.
async fn calling(stage: &Stage) -> (String, String, String) {
    let session = stage.session(lookup()).await;
    let message = send(stage, &session, json!({"text": "[tool]"})).await;
    let called = until(stage, &session, "tool.requested").await;
    (session, message, format!("/v1/tool-calls/{}", called["data"]["tool_call_id"].as_str().unwrap()))
}

async fn a_call_is_listed_and_answered_once(stage: Stage) {
    let (session, message, call) = calling(&stage).await;
    let list = stage.http.get("/v1/tool-calls?state=pending").await.expect(200);
    let [waits] = &list["items"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!(
        (&waits["tool"], &waits["arguments"], &waits["session_id"]),
        (&json!("lookup"), &json!({"id": "A"}), &json!(session))
    );
    let now = stage.http.get(&format!("/v1/sessions/{session}/messages/{message}")).await.expect(200);
    assert_eq!(now["state"], "waiting");
    let answer = json!({"success": true, "content": [{"type": "text", "text": "about A"}]});
    stage.http.post(&call, answer.clone()).await.expect(200);
    assert_eq!(ended(&stage, &session, &message).await["text"], "Looked up.");
    assert_eq!(stage.http.post(&call, answer).await.problem(409), "already_answered");
    let resolved = until(&stage, &session, "tool.resolved").await;
    assert_eq!(resolved["data"]["content"], json!([{"type": "text", "text": "about A"}]));
    assert_eq!(stage.http.get("/v1/tool-calls").await.expect(200)["items"], json!([]));
    stage.close().await;
}

async fn a_call_that_failed_is_said_so(stage: Stage) {
    let (session, message, call) = calling(&stage).await;
    let wrong = stage.http.post(&call, json!({"success": true, "content": [{"type": "sound"}]})).await;
    assert_eq!(
        (wrong.problem(400).as_str(), &wrong.json()["field"]),
        ("body_invalid", &json!("content[0].type"))
    );
    stage.http.post(&call, json!({"success": false, "content": []})).await.expect(200);
    assert_eq!(ended(&stage, &session, &message).await["text"], "Looked up.", "the turn goes on");
    let resolved = until(&stage, &session, "tool.resolved").await;
    assert_eq!(resolved["data"]["success"], false);
    stage.close().await;
}
