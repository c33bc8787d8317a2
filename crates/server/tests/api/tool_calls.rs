//! A session's own tools, run by somebody who speaks HTTP.

use serde_json::json;

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, send, until},
};

on_both!(a_call_is_listed_and_answered_once, a_call_that_failed_is_said_so);
on_the_stand_in!(a_tool_that_codex_would_refuse_is_refused_at_once);

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

async fn a_tool_that_codex_would_refuse_is_refused_at_once(stage: Stage) {
    let tool = |name: &str| json!({"name": name, "description": "", "input_schema": {}});
    let longer = "a".repeat(129);
    for name in ["", " ", "a b", "a.b", "é", "mcp", "mcp__a", "fine", &longer] {
        let body = json!({"cwd": stage.work(""), "tools": [tool("fine"), tool(name)]});
        let answer = stage.http.post("/v1/sessions", body).await;
        assert_eq!(answer.problem(400), "invalid_argument", "{name:?}");
        assert_eq!(answer.json()["field"], "tools[1].name", "{name:?}: {}", answer.json());
    }
    let unreadable = json!({"properties": {"id": {"type": "array", "items": 3}}});
    let unreadable = json!({"name": "look", "description": "", "input_schema": unreadable});
    let answer = stage.http.post("/v1/sessions", json!({"cwd": stage.work(""), "tools": [unreadable]})).await;
    assert_eq!(answer.problem(400), "invalid_argument");
    assert_eq!(answer.json()["field"], "tools[0].input_schema.properties.id.items");
    let list = stage.http.get("/v1/sessions").await.expect(200);
    assert_eq!(list["items"], json!([]), "none was made");
    stage.session(json!({"tools": [tool("A-1_b"), tool(&longer[1..])]})).await;
    stage.close().await;
}
