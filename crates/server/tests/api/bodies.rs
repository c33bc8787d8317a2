//! What is wrong with a request is said: which field, of what kind, how large.

use bytes::Bytes;
use hyper::Method;
use selvedge_server::Options;
use serde_json::{Value, json};

use crate::{support::stage::Stage, ways::beside};

on_the_stand_in!(
    a_field_that_is_wrong_is_named_with_its_path,
    a_value_in_the_wrong_place_is_not_repeated,
    a_list_is_nowhere_read_as_an_object,
    a_body_that_is_no_json_is_refused,
    a_body_that_is_too_large_is_refused,
    an_empty_body_is_an_empty_object,
    what_says_nothing_and_a_limit_that_is_none_are_refused,
);

async fn a_field_that_is_wrong_is_named_with_its_path(stage: Stage) {
    let session = stage.session(json!({})).await;
    let (make, send) = ("/v1/sessions".to_owned(), format!("/v1/sessions/{session}/messages"));
    let wrong = [
        (&make, json!({"name": "a"}), "cwd"),
        (&make, json!({"cwd": "/", "modle": "a"}), "modle"),
        (&make, json!({"cwd": 7}), "cwd"),
        (&make, json!({"cwd": "/", "budget": {"max_total_tokens": "many"}}), "budget.max_total_tokens"),
        (&make, json!({"cwd": "/", "budget": {"max_totl_tokens": 1}}), "budget.max_totl_tokens"),
        (&make, json!({"cwd": "/", "sandbox": "none"}), "sandbox"),
        (&make, json!({"cwd": "/", "deadline_seconds": -1}), "deadline_seconds"),
        (&make, json!({"cwd": "/", "labels": {"a": 1}}), "labels.a"),
        (&make, json!({"cwd": "/", "tools": [{"name": "a", "description": "b"}]}), "tools[0].input_schema"),
        (&send, json!({"text": ["a"]}), "text"),
        (&send, json!({"text": "a", "txt": "b"}), "txt"),
        (&send, json!({"text": "a", "retry": "often"}), "retry"),
    ];
    for (path, body, field) in wrong {
        let answer = stage.http.post(path, body.clone()).await;
        assert_eq!(answer.problem(400), "body_invalid", "{body}");
        assert_eq!(answer.json()["field"], field, "{body}: {}", answer.json());
        assert!(answer.json()["hint"].is_string());
    }
    stage.close().await;
}

async fn a_value_in_the_wrong_place_is_not_repeated(stage: Stage) {
    let session = stage.session(json!({})).await;
    let (make, send) = ("/v1/sessions".to_owned(), format!("/v1/sessions/{session}/messages"));
    let server = |fields: Value| json!({"mcp_servers": {"files": fields}});
    let wrong = [
        (&make, json!({"env": {"API_KEY": 4711}}), "env.API_KEY", "expected a string"),
        (&make, server(json!({"command": 4711})), "mcp_servers.files.command", "expected a string"),
        (&make, server(json!({"env": {"KEY": 4711}})), "mcp_servers.files.env.KEY", "expected a string"),
        (
            &make,
            server(json!({"http_headers": {"x": 47.11}})),
            "mcp_servers.files.http_headers.x",
            "expected",
        ),
        (&make, server(json!({"bearer_token_env_var": 4711})), "mcp_servers.files.bearer_token_env_var", ""),
        (&make, server(json!("sk-4711")), "mcp_servers.files", "expected"),
        (&make, json!({"sandbox": "sk-4711"}), "sandbox", "`workspace-write`"),
        (&make, json!({"config": "sk-4711"}), "config", "expected a map"),
        (&send, json!({"text": 4711}), "text", "expected a string"),
        (&send, json!({"input": [{"type": "sk-4711"}]}), "input[0]", "`text` or `image`"),
        (
            &send,
            json!({"budget": {"max_total_tokens": "sk-4711"}}),
            "budget.max_total_tokens",
            "expected u64",
        ),
    ];
    for (path, body, field, expected) in wrong {
        let answer = stage.http.post(path, body.clone()).await;
        assert_eq!(answer.problem(400), "body_invalid", "{body}");
        let (said, problem) = (String::from_utf8_lossy(&answer.body), answer.json());
        assert!(!said.contains("47") && !said.contains("sk-"), "{said}");
        assert!(problem["field"].as_str().unwrap().starts_with(field), "{body}: {said}");
        assert!(problem["detail"].as_str().unwrap().contains(expected), "{body}: {said}");
    }
    stage.close().await;
}

/// Each list has what the object's fields want, in their order.
async fn a_list_is_nowhere_read_as_an_object(stage: Stage) {
    let session = stage.session(json!({})).await;
    let (make, send) = ("/v1/sessions", format!("/v1/sessions/{session}/messages"));
    let tool_call = format!("/v1/tool-calls/{session}");
    let (limits, part) = (json!([1, 2, 3, 4.0]), json!(["text", "a"]));
    let wrong = [
        (make, json!({"cwd": stage.work(""), "budget": limits}), "budget"),
        (make, json!({"cwd": stage.work(""), "tools": [["a", "b", {}, null]]}), "tools[0]"),
        (make, json!({"cwd": stage.work(""), "mcp_servers": {"a": ["true"]}}), "mcp_servers.a"),
        (&send, json!({"text": "a", "budget": limits}), "budget"),
        (&send, json!({"input": [part]}), "input[0]"),
        (&tool_call, json!({"success": true, "content": [part]}), "content[0]"),
    ];
    for (path, body, field) in wrong {
        let answer = stage.http.post(path, body.clone()).await;
        assert_eq!(answer.problem(400), "body_invalid", "{body}");
        assert_eq!(answer.json()["field"], field, "{body}: {}", answer.json());
    }
    stage.close().await;
}

async fn a_body_that_is_no_json_is_refused(stage: Stage) {
    let plain = stage.http.clone().with("content-type", "text/plain");
    assert_eq!(plain.post("/v1/sessions", json!({"cwd": "/"})).await.problem(415), "media_type_unsupported");
    let parameters = stage.http.clone().with("content-type", "application/json; charset=utf-8");
    parameters.post("/v1/sessions", json!({"cwd": stage.work("")})).await.expect(201);
    for body in [json!([]), json!("cwd"), Value::Null] {
        assert_eq!(stage.http.post("/v1/sessions", body).await.problem(400), "body_invalid");
    }
    let session = stage.session(json!({})).await;
    for (deed, fields) in [("stop", json!([])), ("interrupt", json!([true])), ("fork", json!([null]))] {
        let answer = stage.http.post(&format!("/v1/sessions/{session}/{deed}"), fields).await;
        assert_eq!(answer.problem(400), "body_invalid", "{deed}: a list is no object");
    }
    stage.close().await;
}

async fn a_body_that_is_too_large_is_refused(stage: Stage) {
    let (http, serving) = beside(&stage, Options { max_body: 1 << 10, ..Options::default() }).await;
    let large = json!({"cwd": "a".repeat(2 << 10)});
    assert_eq!(http.post("/v1/sessions", large.clone()).await.problem(413), "body_too_large");
    let session = stage.session(json!({})).await;
    let keyed = http.with("idempotency-key", "k");
    let answer = keyed.post(&format!("/v1/sessions/{session}/stop"), large).await;
    assert_eq!(answer.problem(413), "body_too_large");
    serving.abort();
    stage.close().await;
}

async fn an_empty_body_is_an_empty_object(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}/stop");
    assert_eq!(stage.http.ask(Method::POST, &path, None).await.status, 202);
    let answer = stage.http.ask(Method::POST, "/v1/sessions", None).await;
    assert_eq!((answer.problem(400).as_str(), &answer.json()["field"]), ("body_invalid", &json!("cwd")));
    let cut = stage.http.open(Method::POST, &path, Some(Bytes::from_static(b"{"))).await;
    assert_eq!(cut.status(), 400);
    stage.close().await;
}

async fn what_says_nothing_and_a_limit_that_is_none_are_refused(stage: Stage) {
    let session = stage.session(json!({})).await;
    let (make, send) = ("/v1/sessions".to_owned(), format!("/v1/sessions/{session}/messages"));
    let cwd = stage.work("");
    let blank = |text: &str| json!({"type": "text", "text": text});
    let wrong = [
        (&send, json!({"text": " \n"}), "text"),
        (&send, json!({"input": []}), "input"),
        (&send, json!({"input": [blank(""), blank("\t ")]}), "input"),
        (&send, json!({"text": "a", "budget": {"max_cost_usd": -0.01}}), "budget.max_cost_usd"),
        (&make, json!({"cwd": cwd, "budget": {"max_cost_usd": -1}}), "budget.max_cost_usd"),
    ];
    for (path, body, field) in wrong {
        let answer = stage.http.post(path, body.clone()).await;
        assert_eq!(
            (answer.problem(400).as_str(), &answer.json()["field"]),
            ("invalid_argument", &json!(field)),
            "{body}"
        );
    }
    stage.close().await;
}
