//! Any dialect over a socket, over SSE and page by page; and wishes in plain words.

use selvedge_dialects::{Dialect, Speaker, Spoken};
use selvedge_session::Event;
use serde_json::{Value, json};

use crate::{
    on_both,
    socket::Socket,
    support::stage::{Stage, in_time},
};

on_both!(
    a_page_of_yaars_talks_answers_and_interrupts,
    a_page_of_yaars_gives_other_instructions_and_a_new_thread_begins,
    whoever_reads_can_send_steer_and_fork
);

async fn finished(stage: &Stage, id: &str, text: &str) {
    let sent =
        stage.http.post(&format!("/v1/sessions/{id}/messages"), json!({ "text": text })).await.expect(202);
    let path = format!("/v1/sessions/{id}/messages/{}?wait=60", sent["message_id"].as_str().unwrap());
    stage.http.get(&path).await.expect(200);
}

/// What is said of everything that is in the journal.
async fn spoken(stage: &Stage, id: &str, dialect: Dialect) -> Vec<Spoken> {
    let page = stage.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200);
    let events: Vec<Event> = serde_json::from_value(page["events"].clone()).unwrap();
    let mut speaker = Speaker::of(dialect);
    events.iter().flat_map(|event| speaker.hear(event)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_dialect_is_the_same_over_a_socket_a_stream_and_pages_from_anywhere() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let id = stage.session(json!({"approval_policy": "never"})).await;
        for text in ["[think]", "[run]"] {
            finished(&stage, &id, text).await;
        }
        for (name, dialect) in Dialect::ALL {
            let said = spoken(&stage, &id, dialect).await;
            let all: Vec<Value> =
                said.iter().map(|it| serde_json::from_str(&it.numbered()).unwrap()).collect();
            assert!(all.len() > 3, "{name}");
            let page = stage.http.get(&format!("/v1/sessions/{id}/events?dialect={name}")).await.expect(200);
            assert_eq!(page["events"], json!(all), "{name}");
            assert_eq!(page["last_seq"], said.last().unwrap().number);
            for (place, told) in said.iter().enumerate().step_by(3) {
                let query = format!("dialect={name}&after={}", told.number);
                let page =
                    stage.http.get(&format!("/v1/sessions/{id}/events?{query}&limit=2")).await.expect(200);
                let rest = &all[place + 1..];
                assert_eq!(page["events"], json!(rest[..rest.len().min(2)]), "{name} after {}", told.number);
                let mut socket = Socket::open(&stage.http, &format!("/ws/stream/{id}?{query}")).await;
                for expected in rest {
                    assert_eq!(socket.next().await, *expected, "{name} after {}", told.number);
                }
            }
        }
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_dialect_or_not_there_yet_is_refused() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let id = stage.session(json!({})).await;
        let path = format!("/v1/sessions/{id}/events");
        assert_eq!(stage.http.get(&format!("{path}?dialect=klingon")).await.problem(400), "query_invalid");
        assert_eq!(
            stage.http.get(&format!("{path}?dialect=yaar&after=999999")).await.problem(409),
            "cursor_ahead"
        );
        assert_eq!(
            stage.http.get(&format!("{path}?dialect=yaar&settled=true")).await.problem(400),
            "query_invalid"
        );
        assert_eq!(stage.http.get(&format!("{path}?dialect=events")).await.expect(200)["last_seq"], 2);
        assert_eq!(
            Socket::try_open(&stage.http, &format!("/ws/stream/{id}?dialect=klingon")).await.err(),
            Some(400)
        );
        stage.close().await;
    })
    .await;
}

async fn a_page_of_yaars_talks_answers_and_interrupts(stage: Stage) {
    let id = stage.session(json!({"approval_policy": "on-request"})).await;
    let mut page = Socket::open(&stage.http, &format!("/ws/stream/{id}?dialect=yaar")).await;
    page.say(json!({"type": "USER_MESSAGE", "messageId": "m1", "content": "Do it [approve]"})).await;
    let asked = page.until("approval_request").await;
    let asked = asked.last().unwrap();
    assert_eq!(asked["toolName"], "Command Execution");
    page.say(json!({"type": "DIALOG_FEEDBACK", "dialogId": asked["dialogId"], "confirmed": true, "rememberChoice": "once"})).await;
    let told = page.until("complete").await;
    let gave = told.iter().find(|told| told["type"] == "tool_result").unwrap();
    assert!(gave["content"].as_str().unwrap().contains("approved"), "{gave}");
    let text: String = told
        .iter()
        .filter(|told| told["type"] == "text")
        .map(|told| told["content"].as_str().unwrap())
        .collect();
    assert_eq!(text, "The command was decided.");
    page.say(json!({"type": "USER_MESSAGE", "messageId": "m2", "content": "Again [approve]"})).await;
    page.until("approval_request").await;
    page.say(json!({"type": "INTERRUPT"})).await;
    let ended = page.until("error").await;
    assert_eq!(ended.last().unwrap()["error"], "Turn was interrupted");
    stage.close().await;
}

async fn a_page_of_yaars_gives_other_instructions_and_a_new_thread_begins(stage: Stage) {
    let id = stage.session(json!({})).await;
    let mut page = Socket::open(&stage.http, &format!("/ws/stream/{id}?dialect=yaar")).await;
    let thread =
        async || stage.http.get(&format!("/v1/sessions/{id}")).await.expect(200)["thread_id"].clone();
    let mut threads = Vec::new();
    // The same again changes nothing, and what is sent again is said once.
    for (message, prompt) in [("m1", "You are a desk."), ("m2", "You are a desk."), ("m3", "You are a lamp.")]
    {
        let said = json!({"type": "USER_MESSAGE", "messageId": message, "content": "[stream]", "systemPrompt": prompt});
        page.say(said.clone()).await;
        page.until("complete").await;
        page.say(said).await;
        page.until("done").await;
        threads.push(thread().await);
    }
    assert!(threads[0] == threads[1] && threads[1] != threads[2], "{threads:?}");
    let listed = stage.http.get(&format!("/v1/sessions/{id}/messages")).await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 3);
    stage.close().await;
}

async fn whoever_reads_can_send_steer_and_fork(stage: Stage) {
    let id = stage.session(json!({"approval_policy": "on-request"})).await;
    let mut socket = Socket::open(&stage.http, &format!("/ws/stream/{id}")).await;
    socket.say(json!({"type": "send", "id": "a", "text": "Please [stream]"})).await;
    let told = socket.until("message.finished").await;
    assert!(told.iter().any(|told| *told == json!({"type": "done", "id": "a"})), "{told:#?}");
    socket.say(json!({"type": "send", "id": "a", "text": "Please [stream]"})).await;
    socket.until("done").await;
    socket.say(json!({"type": "send", "id": "b", "text": "Do it [approve]"})).await;
    let asked = socket.until("approval.requested").await;
    let approval = &asked.last().unwrap()["data"]["approval_id"];
    socket.say(json!({"type": "answer", "id": "c", "approval_id": approval, "decision": "decline"})).await;
    socket.until("message.finished").await;
    socket.say(json!({"type": "fork", "id": "d"})).await;
    let forked = socket.until("forked").await;
    let other = forked.last().unwrap()["session_id"].as_str().unwrap();
    assert_ne!(other, id);
    stage.http.get(&format!("/v1/sessions/{other}")).await.expect(200);
    socket.say(json!({"type": "dance", "id": "e"})).await;
    assert_eq!(socket.until("refused").await.last().unwrap()["code"], "body_invalid");
    let listed = stage.http.get(&format!("/v1/sessions/{id}/messages")).await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "what was sent twice is there once");
    stage.close().await;
}
