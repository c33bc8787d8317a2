//! What several cases do: say something and wait, wait for something to happen.

use std::{path::Path, process::Command};

use selvedge_server::{Gateway, Options};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{http::Http, stage::Stage};

/// Sends a message with these fields; its id.
pub(crate) async fn send(stage: &Stage, session: &str, body: Value) -> String {
    let sent = stage.http.post(&format!("/v1/sessions/{session}/messages"), body).await.expect(202);
    sent["message_id"].as_str().unwrap().to_owned()
}

/// How a message ended.
pub(crate) async fn ended(stage: &Stage, session: &str, message: &str) -> Value {
    let path = format!("/v1/sessions/{session}/messages/{message}?wait=80");
    let end = stage.http.get(&path).await.expect(200);
    assert!(!["queued", "running", "waiting"].contains(&end["state"].as_str().unwrap()), "{end}");
    end
}

/// Says these words, and waits for the end.
pub(crate) async fn say(stage: &Stage, session: &str, text: &str) -> Value {
    let message = send(stage, session, json!({"text": text})).await;
    ended(stage, session, &message).await
}

/// Waits until an event of this type has happened, and answers it.
pub(crate) async fn until(stage: &Stage, session: &str, name: &str) -> Value {
    until_such(stage, session, |event| event["type"] == name).await
}

/// The same of one message.
pub(crate) async fn until_of(stage: &Stage, session: &str, name: &str, message: &str) -> Value {
    until_such(stage, session, |event| event["type"] == name && event["data"]["message_id"] == message).await
}

async fn until_such(stage: &Stage, session: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
    let id = selvedge_session::SessionId(session.parse::<Uuid>().unwrap());
    let mut events = stage.runtime.session(id).await.unwrap().events(0).await.unwrap();
    loop {
        for written in events.next(100).await.unwrap() {
            let event: Value = serde_json::from_slice(&written.text).unwrap();
            if is_meant(&event) {
                return event;
            }
        }
    }
}

/// A session in the middle of a slow answer; it, and the message that is answered.
pub(crate) async fn talking(stage: &Stage) -> (String, String) {
    let session = stage.session(json!({})).await;
    let message = send(stage, &session, json!({"text": "[slow]"})).await;
    until(stage, &session, "item.delta").await;
    (session, message)
}

/// Another gateway before the same runtime, until it is aborted.
pub(crate) async fn beside(stage: &Stage, options: Options) -> (Http, tokio::task::JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let http = Http::at(listener.local_addr().unwrap());
    let router = selvedge_server::router(Gateway::new(stage.runtime.clone(), options));
    (http, tokio::spawn(async move { axum::serve(listener, router).await.unwrap() }))
}

/// Runs git there.
pub(crate) fn git(directory: &Path, arguments: &[&str]) {
    let git = Command::new("git").current_dir(directory).args(arguments).status().unwrap();
    assert!(git.success(), "{arguments:?}");
}
