//! What is refused, in both bindings, as version 1.0.0 says it.

use hyper::Method;
use selvedge_server::{Agents, Gateway, Options};
use serde_json::{Value, json};

use crate::{
    stage::{Stage, rpc, words},
    support::http::Http,
};

on_the_stand_in!(
    every_error_has_its_code_in_both_bindings,
    what_is_no_call_is_refused_as_json_rpc_says,
    another_version_is_refused,
    another_content_type_is_refused,
    a_body_that_is_too_large_is_refused,
    what_is_wrong_in_a_request_is_named,
    another_media_type_is_refused,
);

const UNKNOWN: &str = "00000000-0000-7000-8000-000000000000";

/// The same thing asked by both bindings, and its code.
struct Row(&'static str, Value, String, i64);

/// What an error's code is in HTTP, and its reason.
fn known(code: i64) -> (u16, &'static str) {
    match code {
        -32001 => (404, "TASK_NOT_FOUND"),
        -32002 => (409, "TASK_NOT_CANCELABLE"),
        -32004 => (400, "UNSUPPORTED_OPERATION"),
        -32602 => (400, "INVALID_PARAMS"),
        other => panic!("{other}"),
    }
}

fn rows(ended: &str) -> Vec<Row> {
    let about = |id: &str| json!({"id": id});
    let to = |task: &str| json!({"message": with_task(task)});
    let (send, stream) = ("POST /message:send".to_owned(), "POST /message:stream".to_owned());
    let long = json!({"id": ended, "historyLength": -1});
    vec![
        Row("GetTask", about(UNKNOWN), format!("GET /tasks/{UNKNOWN}"), -32001),
        Row("GetTask", about("x"), "GET /tasks/x".into(), -32001),
        Row("GetTask", long, format!("GET /tasks/{ended}?historyLength=-1"), -32602),
        Row("CancelTask", about(UNKNOWN), format!("POST /tasks/{UNKNOWN}:cancel"), -32001),
        Row("CancelTask", about(ended), format!("POST /tasks/{ended}:cancel"), -32002),
        Row("SubscribeToTask", about(ended), format!("POST /tasks/{ended}:subscribe"), -32004),
        Row("SubscribeToTask", about(UNKNOWN), format!("GET /tasks/{UNKNOWN}:subscribe"), -32001),
        Row("SendMessage", to(ended), send.clone(), -32004),
        Row("SendMessage", to(UNKNOWN), send, -32001),
        Row("SendStreamingMessage", to(ended), stream, -32004),
        Row("ListTasks", json!({"pageSize": 0}), "GET /tasks?pageSize=0".into(), -32602),
        Row("ListTasks", json!({"pageSize": 101}), "GET /tasks?pageSize=101".into(), -32602),
        Row("ListTasks", json!({"status": "x"}), "GET /tasks?status=x".into(), -32602),
        Row("ListTasks", json!({"pageToken": "x"}), "GET /tasks?pageToken=x".into(), -32602),
    ]
}

async fn every_error_has_its_code_in_both_bindings(stage: Stage) {
    let ended = stage.say("[stream]").await["id"].clone();
    for Row(method, params, http, code) in rows(ended.as_str().unwrap()) {
        let (status, reason) = known(code);
        let body = http.contains("message:").then(|| params.clone());
        assert_eq!(stage.refused(method, params).await, (code, reason.to_owned()), "{http}");
        let (verb, path) = http.split_once(' ').unwrap();
        let answer = stage.rest(verb.parse().unwrap(), path, body).await;
        let error = answer.json()["error"].clone();
        assert_eq!((answer.status.as_u16(), &error["code"]), (status, &json!(status)), "{http}");
        assert_eq!(error["details"][0]["reason"], reason, "{http}");
        assert_eq!(error["details"][0]["domain"], "a2a-protocol.org");
        assert!(error["status"].is_string() && !error["message"].as_str().unwrap().is_empty());
    }
    stage.close().await;
}

fn with_task(task: &str) -> Value {
    let mut message = words("more");
    message["taskId"] = json!(task);
    message
}

async fn what_is_no_call_is_refused_as_json_rpc_says(stage: Stage) {
    let ask = async |body: &str| {
        let body = bytes::Bytes::from(body.to_owned());
        let response = stage.http.open(Method::POST, "/a2a", Some(body)).await;
        assert_eq!(response.status().as_u16(), 200);
        let body = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
        serde_json::from_slice::<Value>(&body).unwrap()
    };
    for (body, code, id) in [
        ("{", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        (r#"{"id": 1, "method": "GetTask"}"#, -32600, json!(1)),
        (r#"{"jsonrpc": "2.0", "id": {}, "method": "GetTask"}"#, -32600, json!(null)),
        (r#"{"jsonrpc": "2.0", "id": "a", "method": 7}"#, -32600, json!("a")),
        (r#"{"jsonrpc": "2.0", "id": "a", "method": "GetTask", "params": []}"#, -32602, json!("a")),
        (r#"{"jsonrpc": "2.0", "id": "a", "method": "GetTask"}"#, -32602, json!("a")),
        (r#"{"jsonrpc": "2.0", "id": "a", "method": "message/send", "params": {}}"#, -32601, json!("a")),
    ] {
        let answer = ask(body).await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{body}");
    }
    stage.close().await;
}

async fn another_version_is_refused(stage: Stage) {
    let send = json!({"message": words("[stream]")});
    for version in ["0.3", "99.0", "", "1"] {
        let http = stage.http.clone().with("a2a-version", version);
        let answer = http.post("/a2a", rpc("SendMessage", send.clone())).await.expect(200);
        assert_eq!(answer["error"]["code"], -32009, "{version:?}");
        assert_eq!(answer["error"]["data"][0]["reason"], "VERSION_NOT_SUPPORTED");
        assert_eq!(http.post("/a2a/rest/message:send", send.clone()).await.status.as_u16(), 400);
    }
    let http = stage.http.clone().with("a2a-version", "");
    assert_eq!(http.get("/a2a/rest/tasks?A2A-Version=1.0").await.status.as_u16(), 200, "also in the address");
    stage.close().await;
}

async fn another_content_type_is_refused(stage: Stage) {
    let http = stage.http.clone().with("content-type", "text/plain");
    let over_rpc = http.post("/a2a", rpc("GetTask", json!({"id": "x"}))).await;
    assert_eq!((over_rpc.status.as_u16(), &over_rpc.json()["error"]["code"]), (415, &json!(-32005)));
    let over_rest = http.post("/a2a/rest/message:send", json!({"message": words("x")})).await;
    assert_eq!(over_rest.status.as_u16(), 415);
    assert_eq!(over_rest.json()["error"]["details"][0]["reason"], "CONTENT_TYPE_NOT_SUPPORTED");
    let own = stage
        .http
        .clone()
        .with("content-type", "application/a2a+json")
        .with("accept", "application/a2a+json");
    let answer = own.post("/a2a/rest/message:send", json!({"message": words("[stream]")})).await;
    assert_eq!(
        (answer.status.as_u16(), answer.headers["content-type"].to_str().unwrap()),
        (200, "application/a2a+json")
    );
    let plain = stage.http.post("/a2a/rest/message:send", json!({"message": words("[stream]")})).await;
    assert_eq!(plain.headers["content-type"], "application/json");
    stage.close().await;
}

async fn a_body_that_is_too_large_is_refused(stage: Stage) {
    let agents = Agents::of(stage.runtime.config()).unwrap();
    let gateway =
        Gateway::new(stage.runtime.clone(), Options { max_body: 1 << 10, agents, ..Options::default() });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let http = Http::at(listener.local_addr().unwrap()).with("a2a-version", "1.0");
    let mut serving = tokio::task::JoinSet::new();
    serving.spawn(async move { axum::serve(listener, selvedge_server::router(gateway)).await.unwrap() });
    let large = json!({"message": words(&"a".repeat(2 << 10))});
    let over_rpc = http.post("/a2a", rpc("SendMessage", large.clone())).await.expect(413);
    assert_eq!((&over_rpc["error"]["code"], &over_rpc["id"]), (&json!(-32600), &json!(null)));
    let over_rest = http.post("/a2a/rest/message:send", large).await.expect(413);
    assert_eq!(over_rest["error"]["details"], over_rpc["error"]["data"]);
    assert_eq!(over_rest["error"]["details"][0]["reason"], "INVALID_ARGUMENT");
    stage.close().await;
}

async fn what_is_wrong_in_a_request_is_named(stage: Stage) {
    for (message, field) in [
        (json!({"role": "ROLE_USER", "parts": [{"text": "x"}]}), "message.messageId"),
        (json!({"messageId": "m", "role": "ROLE_USER", "parts": []}), "message.parts"),
        (json!({"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "x"}]}), "message.role"),
        (
            json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "x"}], "metadata": {"deadlineSeconds": -1}}),
            "message.metadata.deadlineSeconds",
        ),
    ] {
        let answer = stage.ask("/a2a", "SendMessage", json!({"message": message})).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(answer["error"]["data"][1]["fieldViolations"][0]["field"], field);
    }
    let mut message = words("[stream]");
    message["contextId"] = json!("x".repeat(1_025));
    let answer = stage.ask("/a2a", "SendMessage", json!({"message": message})).await;
    assert_eq!(answer["error"]["data"][1]["fieldViolations"][0]["field"], "message.contextId");
    let task = stage.say("[approve]").await;
    let mut message = words("yes");
    message["taskId"] = task["id"].clone();
    message["contextId"] = json!("another");
    let answer = stage.ask("/a2a", "SendMessage", json!({"message": message})).await;
    assert_eq!(answer["error"]["data"][1]["fieldViolations"][0]["field"], "message.contextId");
    stage.call("CancelTask", json!({"id": task["id"]})).await;
    stage.close().await;
}

async fn another_media_type_is_refused(stage: Stage) {
    let mut message = words("look");
    message["parts"] = json!([{"text": "look"}, {"raw": "aGk=", "mediaType": "application/pdf"}]);
    let answer = stage.ask("/a2a/strict", "SendMessage", json!({"message": message})).await;
    assert_eq!(answer["error"]["code"], -32005);
    let wanted = json!({"message": words("x"), "configuration": {"acceptedOutputModes": ["image/png"]}});
    let (code, reason) = stage.refused("SendMessage", wanted).await;
    assert_eq!((code, reason.as_str()), (-32005, "CONTENT_TYPE_NOT_SUPPORTED"));
    stage.close().await;
}
