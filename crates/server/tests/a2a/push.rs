//! Who is told of a task: each thing at least once, in order, with what was asked for; over restarts, and not into networks.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use hyper::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::stage::{Stage, words};

on_the_stand_in!(
    a_task_is_told_to_who_asked_for_it,
    what_was_not_heard_is_told_again_after_a_restart_too,
    whom_to_tell_is_kept_listed_and_removed,
    nobody_is_told_into_a_private_network,
);

/// Somebody who hears, and how they answer.
pub(crate) struct Ear {
    pub(crate) url: String,
    pub(crate) heard: mpsc::Receiver<(HeaderMap, Value)>,
    answers: Arc<Mutex<StatusCode>>,
    _serving: tokio::task::JoinSet<()>,
}

type Told = (mpsc::Sender<(HeaderMap, Value)>, Arc<Mutex<StatusCode>>);

impl Ear {
    pub(crate) async fn open() -> Self {
        let (told, heard) = mpsc::channel(1_000);
        let answers = Arc::new(Mutex::new(StatusCode::OK));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hear", listener.local_addr().unwrap());
        let router = Router::new().route("/hear", post(hear)).with_state((told, answers.clone()));
        let mut serving = tokio::task::JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, heard, answers, _serving: serving }
    }

    pub(crate) fn answer(&self, status: StatusCode) {
        *self.answers.lock().unwrap() = status;
    }

    /// What is heard until the task is done.
    pub(crate) async fn until_the_end(&mut self) -> Vec<(HeaderMap, Value)> {
        self.until("TASK_STATE_COMPLETED").await
    }

    /// What is heard until the task stands so.
    pub(crate) async fn until(&mut self, end: &str) -> Vec<(HeaderMap, Value)> {
        let mut heard = Vec::new();
        loop {
            let next = self.heard.recv().await.unwrap();
            let state = next.1["statusUpdate"]["status"]["state"].as_str().unwrap_or_default().to_owned();
            heard.push(next);
            if state == end {
                return heard;
            }
        }
    }
}

async fn hear(State((told, answers)): State<Told>, headers: HeaderMap, body: String) -> StatusCode {
    let status = *answers.lock().unwrap();
    told.send((headers, serde_json::from_str(&body).unwrap())).await.unwrap();
    status
}

fn numbers(heard: &[(HeaderMap, Value)]) -> Vec<u64> {
    let seq =
        |update: &Value| update.as_object().unwrap().values().next().unwrap()["metadata"]["seq"].as_u64();
    heard.iter().filter_map(|(_, update)| seq(update)).collect()
}

async fn a_task_is_told_to_who_asked_for_it(stage: Stage) {
    let mut ear = Ear::open().await;
    let config = json!({
        "url": ear.url, "token": "is-it-you", "authentication": {"scheme": "Bearer", "credentials": "let-me-in"},
    });
    let configuration = json!({"taskPushNotificationConfig": config});
    let task = stage
        .call("SendMessage", json!({"message": words("[stream]"), "configuration": configuration}))
        .await;
    let heard = ear.until_the_end().await;
    let (headers, _) = &heard[0];
    assert_eq!(headers["content-type"], "application/a2a+json");
    assert_eq!(headers["authorization"], "Bearer let-me-in");
    assert_eq!(headers["x-a2a-notification-token"], "is-it-you");
    assert!(numbers(&heard).is_sorted());
    let artifacts: Vec<_> = heard.iter().filter_map(|(_, update)| update.get("artifactUpdate")).collect();
    assert_eq!(artifacts.len(), 1, "the answer as a whole");
    assert_eq!(artifacts[0]["artifact"], task["task"]["artifacts"][0]);
    assert_eq!(artifacts[0]["taskId"], task["task"]["id"]);
    for entry in std::fs::read_dir(stage.data()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(9).any(|window| window == b"let-me-in");
            assert!(!found, "a secret lies in {}", path.display());
        }
    }
    stage.close().await;
}

async fn what_was_not_heard_is_told_again_after_a_restart_too(stage: Stage) {
    let mut ear = Ear::open().await;
    ear.answer(StatusCode::SERVICE_UNAVAILABLE);
    let configuration = json!({"taskPushNotificationConfig": {"url": ear.url}});
    stage.call("SendMessage", json!({"message": words("[stream]"), "configuration": configuration})).await;
    let first = ear.heard.recv().await.unwrap();
    let again = ear.heard.recv().await.unwrap();
    assert_eq!(first.1, again.1, "until it is heard, the same is told");
    let stage = stage.restarted().await;
    while ear.heard.try_recv().is_ok() {}
    ear.answer(StatusCode::OK);
    let heard = ear.until_the_end().await;
    assert!(heard.iter().any(|(_, update)| *update == first.1), "nothing was passed over");
    let mut told = numbers(&heard);
    assert!(told.is_sorted());
    told.dedup();
    assert!(told.len() >= 3, "{told:?}");
    stage.close().await;
}

async fn whom_to_tell_is_kept_listed_and_removed(stage: Stage) {
    let task = stage.begin("[slow]").await["id"].clone();
    let (ear, id) = (Ear::open().await, task.as_str().unwrap());
    let made = stage
        .call("CreateTaskPushNotificationConfig", json!({"taskId": id, "id": "a", "url": ear.url}))
        .await;
    assert_eq!((&made["id"], &made["taskId"], &made["url"]), (&json!("a"), &task, &json!(ear.url)));
    let path = format!("/tasks/{id}/pushNotificationConfigs");
    let second = stage
        .rest(
            Method::POST,
            &path,
            Some(json!({"url": ear.url, "authentication": {"scheme": "Basic", "credentials": "x"}})),
        )
        .await
        .expect(200);
    assert_eq!(second["authentication"]["scheme"], "Basic");
    let stage = stage.restarted().await;
    let listed = stage.rest(Method::GET, &path, None).await.expect(200);
    assert_eq!(listed["configs"].as_array().unwrap().len(), 2, "{listed}");
    assert_eq!(stage.call("ListTaskPushNotificationConfigs", json!({"taskId": id})).await, listed);
    assert_eq!(stage.call("GetTaskPushNotificationConfig", json!({"taskId": id, "id": "a"})).await, made);
    for _ in 0..2 {
        stage.rest(Method::DELETE, &format!("{path}/a"), None).await.expect(200);
    }
    let (code, _) = stage.refused("GetTaskPushNotificationConfig", json!({"taskId": id, "id": "a"})).await;
    assert_eq!(code, -32001);
    let refused = stage.ask("/a2a/strict", "ListTaskPushNotificationConfigs", json!({"taskId": id})).await;
    assert_eq!(refused["error"]["code"], -32003, "this agent notifies nobody");
    stage.close().await;
}

async fn nobody_is_told_into_a_private_network(stage: Stage) {
    for url in [
        "http://127.0.0.1:9/x",
        "http://localhost/x",
        "http://[::1]/x",
        "http://169.254.169.254/latest",
        "ftp://example.org/",
        "http://10.0.0.1/",
        "nonsense",
    ] {
        let configuration = json!({"taskPushNotificationConfig": {"url": url}});
        let params = json!({"message": words("[stream]"), "configuration": configuration});
        let answer = stage.ask("/a2a/hasty", "SendMessage", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{url}: {answer}");
    }
    let left = stage.runtime.notes("a2a/task/", None, 10).await.unwrap();
    assert!(left.is_empty(), "it never was a task: {left:?}");
    stage.close().await;
}
