//! What is refused about one part of a request names that part: a field of the body by its path, a parameter, a part of the
//! address, a header.

use bytes::Bytes;
use hyper::Method;
use serde_json::{Value, json};

use crate::{
    support::{http::Answer, stage::Stage},
    ways::send,
};

on_the_stand_in!(
    a_field_of_a_body_is_named_however_deep_it_lies,
    a_picture_is_named_and_its_address_is_not_repeated,
    what_is_no_json_is_told_by_line_and_column,
    a_parameter_is_named,
    a_part_of_the_address_is_named,
    a_header_is_named,
);

/// What a problem is about.
fn about(answer: &Answer, status: u16) -> (String, Value) {
    (answer.problem(status), answer.json()["field"].clone())
}

async fn a_field_of_a_body_is_named_however_deep_it_lies(stage: Stage) {
    let session = stage.session(json!({})).await;
    let (make, send) = ("/v1/sessions".to_owned(), format!("/v1/sessions/{session}/messages"));
    let (fork, call) = (format!("/v1/sessions/{session}/fork"), format!("/v1/tool-calls/{session}"));
    let approval = format!("/v1/approvals/{session}");
    let part = |part: Value| json!({"input": [{"type": "text", "text": "a"}, part]});
    let tool = |field: &str, value: Value| {
        let mut tool = json!({"name": "a", "description": "b", "input_schema": {}});
        tool[field] = value;
        json!({"cwd": "/", "tools": [tool]})
    };
    let malformed = [
        (&make, json!({"mcp_servers": {"files": {"command": ["a"]}}}), "mcp_servers.files.command"),
        (&make, json!({"mcp_servers": {"files": {"args": ["a", 1]}}}), "mcp_servers.files.args[1]"),
        (&make, tool("timeout_seconds", json!("long")), "tools[0].timeout_seconds"),
        (&make, tool("colour", json!("red")), "tools[0].colour"),
        (&send, part(json!({"type": "text"})), "input[1].text"),
        (&send, part(json!({"type": "text", "text": 1})), "input[1].text"),
        (&send, part(json!({"type": "text", "text": "a", "url": "b"})), "input[1].url"),
        (&send, part(json!({"type": "text", "text": "a", "size": 1})), "input[1].size"),
        (&send, part(json!({"type": "image", "url": ["a"]})), "input[1].url"),
        (&send, part(json!({"type": "sound"})), "input[1].type"),
        (&send, part(json!({"text": "a"})), "input[1].type"),
        (&call, json!({"success": true, "content": [{"type": "text", "text": 1}]}), "content[0].text"),
        (&call, json!({"success": true, "content": [{"type": "image"}]}), "content[0].url"),
        (&call, json!({"content": []}), "success"),
        (&approval, json!({"decision": "maybe"}), "decision"),
        (&approval, json!({"decision": "accept", "answers": {"q": 1}}), "answers.q"),
        (&fork, json!({"after_message_id": "a"}), "after_message_id"),
    ];
    for (path, body, field) in malformed {
        let answer = stage.http.post(path, body.clone()).await;
        assert_eq!(
            about(&answer, 400),
            ("body_invalid".to_owned(), json!(field)),
            "{body}: {}",
            answer.json()
        );
    }
    stage.close().await;
}

async fn a_picture_is_named_and_its_address_is_not_repeated(stage: Stage) {
    let session = stage.session(json!({})).await;
    let send = format!("/v1/sessions/{session}/messages");
    let part = |part: Value| json!({"input": [{"type": "text", "text": "a"}, part]});
    let (picture, elsewhere) = ("data:image/png;base64,???", "https://example.com/a.png?signature=47");
    let refused = [
        (part(json!({"type": "image", "url": picture})), 400, "input[1].url"),
        (part(json!({"type": "image", "data": "???", "media_type": "image/png"})), 400, "input[1].data"),
        (part(json!({"type": "image", "data": "AA==", "media_type": "a"})), 400, "input[1].media_type"),
        (part(json!({"type": "image", "data": "AA=="})), 400, "input[1]"),
        (part(json!({"type": "image", "url": elsewhere})), 422, "input[1].url"),
        (json!({"text": "a", "output_schema": {"type": "nothing"}}), 400, "output_schema"),
    ];
    for (body, status, field) in refused {
        let answer = stage.http.post(&send, body.clone()).await;
        assert_eq!(about(&answer, status).1, field, "{body}: {}", answer.json());
        assert!(!answer.json().to_string().contains("47"), "an address may hold a key: {}", answer.json());
    }
    stage.close().await;
}

async fn what_is_no_json_is_told_by_line_and_column(stage: Stage) {
    for body in ["{\"cwd\": \"/\",\n \"name\": oh", "{\"env\":\n{\"a\"", "{}\n x", "{\"cwd\": \"\n\"}"] {
        let answer = stage.http.ask_as_it_is(Method::POST, "/v1/sessions", Bytes::from(body)).await;
        assert_eq!(about(&answer, 400), ("body_invalid".to_owned(), Value::Null), "{body}");
        let problem = answer.json();
        assert!(problem["detail"].as_str().unwrap().contains("at line 2 column "), "{body}: {problem}");
    }
    stage.close().await;
}

async fn a_parameter_is_named(stage: Stage) {
    let session = stage.session(json!({})).await;
    let message = send(&stage, &session, json!({"text": "[stream]"})).await;
    let path = format!("/v1/sessions/{session}");
    let wrong = [
        ("/v1/sessions?limit=0".to_owned(), "limit"),
        ("/v1/sessions?limit=many".to_owned(), "limit"),
        ("/v1/sessions?limit=1&limit=2".to_owned(), "limit"),
        ("/v1/sessions?state=asleep".to_owned(), "state"),
        ("/v1/sessions?label=a".to_owned(), "label"),
        ("/v1/sessions?archived=perhaps".to_owned(), "archived"),
        ("/v1/sessions?cursor=x".to_owned(), "cursor"),
        ("/v1/sessions?colour=red".to_owned(), "colour"),
        ("/v1/approvals?state=answered".to_owned(), "state"),
        ("/v1/usage?group=week".to_owned(), "group"),
        ("/v1/events?after=x".to_owned(), "after"),
        ("/v1/fs?path=here".to_owned(), "path"),
        (format!("{path}/messages?cursor=x"), "cursor"),
        (format!("{path}/messages?state=asleep"), "state"),
        (format!("{path}/messages/{message}?wait=601"), "wait"),
        (format!("{path}/messages/{message}?wait=-1"), "wait"),
        (format!("{path}/messages/{message}?wait=long"), "wait"),
        (format!("{path}/events?after=-1"), "after"),
        (format!("{path}/events?limit=1001"), "limit"),
        (format!("{path}/events?dialect=klingon"), "dialect"),
        (format!("{path}/events?settled=true"), "settled"),
        (format!("{path}/diff?since=1"), "since"),
    ];
    for (path, field) in wrong {
        let answer = stage.http.get(&path).await;
        assert_eq!(
            about(&answer, 400),
            ("query_invalid".to_owned(), json!(field)),
            "{path}: {}",
            answer.json()
        );
    }
    stage.close().await;
}

async fn a_part_of_the_address_is_named(stage: Stage) {
    let session = stage.session(json!({})).await;
    let wrong = [
        ("/v1/sessions/nobody".to_owned(), "id"),
        ("/v1/sessions/nobody/messages/nothing".to_owned(), "id"),
        (format!("/v1/sessions/{session}/messages/nothing"), "message_id"),
        (format!("/v1/sessions/{session}/events/first/picture"), "seq"),
        ("/ws/stream/nobody".to_owned(), "id"),
    ];
    for (path, field) in wrong {
        let answer = stage.http.get(&path).await;
        assert_eq!(about(&answer, 404), ("not_found".to_owned(), json!(field)), "{path}: {}", answer.json());
    }
    let answer = stage.http.post("/v1/approvals/none", json!({"decision": "accept"})).await;
    assert_eq!(about(&answer, 404).1, "id");
    stage.close().await;
}

async fn a_header_is_named(stage: Stage) {
    let session = stage.session(json!({})).await;
    let keyed = stage.http.clone().with("idempotency-key", "k");
    let message = format!("/v1/sessions/{session}/messages");
    keyed.post(&message, json!({"text": "[stream]"})).await.expect(202);
    let other = keyed.post(&message, json!({"text": "[think]"})).await;
    assert_eq!(about(&other, 422), ("key_reused".to_owned(), json!("Idempotency-Key")));
    let stream = stage.http.clone().with("accept", "text/event-stream").with("last-event-id", "abc");
    for path in [format!("/v1/sessions/{session}/events"), "/v1/events".to_owned()] {
        assert_eq!(
            about(&stream.get(&path).await, 400),
            ("query_invalid".to_owned(), json!("Last-Event-ID")),
            "{path}"
        );
    }
    let answer = stage.http.get(&format!("/ws/stream/{session}")).await;
    assert_eq!(about(&answer, 400), ("invalid_argument".to_owned(), json!("Connection")));
    stage.close().await;
}
