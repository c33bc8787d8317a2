//! The inbox: words in by whoever has only HTTP, what came of them out, each once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{stage::Stage, support::stage::in_time};

on_the_stand_in!(words_wake_the_agent_and_its_answer_is_waited_for, an_inbox_outlives_the_gateway);

async fn words_wake_the_agent_and_its_answer_is_waited_for(stage: Stage) {
    let path = "/v1/agents/helper/inbox";
    let first = stage.http.post(path, json!({"text": "[stream]", "context": "work"})).await.expect(202);
    let heard = stage.http.get(&format!("{path}?wait=60")).await.expect(200);
    let answer = &heard["items"][0];
    assert_eq!((&answer["task_id"], &answer["context_id"]), (&first["task_id"], &json!("work")));
    assert_eq!(
        (&answer["state"], &answer["text"]),
        (&json!("TASK_STATE_COMPLETED"), &json!("One two three four five six seven eight nine ten."))
    );
    let after = answer["cursor"].as_str().unwrap();
    let nothing = stage.http.get(&format!("{path}?after={after}")).await.expect(200);
    assert_eq!(nothing["items"], json!([]), "each is heard once");
    stage.http.post(path, json!({"text": "[approve]", "context": "work"})).await.expect(202);
    let asked = stage.http.get(&format!("{path}?after={after}&wait=60")).await.expect(200);
    assert_eq!(asked["items"][0]["state"], "TASK_STATE_INPUT_REQUIRED");
    for broken in ["x", "", "1", "99999999999999999999", "00000000000000000000.x"] {
        let answer = stage.http.get(&format!("{path}?after={broken}")).await;
        assert_eq!(answer.problem(400), "query_invalid", "{broken:?} is no place in an inbox");
        assert_eq!(answer.json()["field"], "after");
    }
    assert_eq!(stage.http.get("/v1/agents/nobody/inbox").await.problem(404), "not_found");
    assert_eq!(stage.http.post(path, json!({"text": " "})).await.problem(400), "invalid_argument");
    stage.close().await;
}

async fn an_inbox_outlives_the_gateway(stage: Stage) {
    let path = "/v1/agents/helper/inbox";
    let put = stage.http.clone().with("idempotency-key", "k");
    let first = put.post(path, json!({"text": "[stream]"})).await.expect(202);
    let again = put.post(path, json!({"text": "[stream]"})).await.expect(202);
    assert_eq!(again, first, "the same key is one message");
    let stage = stage.restarted().await;
    let heard = stage.http.get(&format!("{path}?wait=60")).await.expect(200);
    assert_eq!(
        (&heard["items"][0]["task_id"], heard["items"].as_array().unwrap().len()),
        (&first["task_id"], 1)
    );
    stage.close().await;
}

/// Somewhere that has messages until their receipt arrives; as many receipts as this are lost.
struct Office {
    letters: Value,
    lost: usize,
    heard: AtomicUsize,
    receipts: mpsc::Sender<Value>,
}

async fn fetch(State(office): State<Arc<Office>>) -> Response {
    if office.heard.load(Ordering::SeqCst) > office.lost {
        return StatusCode::NO_CONTENT.into_response();
    }
    json!({"messages": office.letters}).to_string().into_response()
}

async fn receipt(State(office): State<Arc<Office>>, body: String) -> StatusCode {
    let before = office.heard.fetch_add(1, Ordering::SeqCst);
    office.receipts.send(serde_json::from_str(&body).unwrap()).await.unwrap();
    if before < office.lost { StatusCode::BAD_GATEWAY } else { StatusCode::OK }
}

/// An agent that fetches these letters, and the receipts it sends.
async fn fetching(letters: Value, lost: usize) -> (Stage, mpsc::Receiver<Value>) {
    let (receipts, received) = mpsc::channel(10);
    let office = Office { letters, lost, heard: AtomicUsize::new(0), receipts };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/box", routing::get(fetch))
        .route("/box/ack", routing::post(receipt))
        .with_state(Arc::new(office));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let agent = format!("[helper]\ninbox.url = \"http://{address}/box\"\n");
    (Stage::with(&agent, false).await, received)
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_fetched_and_each_is_taken_once() {
    in_time(async {
        let letters = json!([{"id": "letter-1", "text": "[stream]"}]);
        let (stage, mut received) = fetching(letters, 1).await;
        for _ in 0..2 {
            assert_eq!(received.recv().await.unwrap(), json!({"ids": ["letter-1"]}));
        }
        let sessions = stage.http.get("/v1/sessions").await.expect(200);
        assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
        let session = sessions["items"][0]["id"].as_str().unwrap();
        let messages = stage.http.get(&format!("/v1/sessions/{session}/messages")).await.expect(200);
        assert_eq!(
            messages["items"].as_array().unwrap().len(),
            1,
            "the one that came twice is one: {messages}"
        );
        assert_eq!(messages["items"][0]["sender"], "inbox/a2a");
        let tasks = stage.runtime.notes("a2a/task/", None, 10).await.unwrap();
        let [task] = &tasks[..] else { panic!("one message is one task: {tasks:?}") };
        assert!(task.key.ends_with(messages["items"][0]["message_id"].as_str().unwrap()), "{task:?}");
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_taken_keeps_no_other_from_coming() {
    in_time(async {
        let long = "x".repeat(1_048_577);
        let letters = json!([{"id": "long", "text": long}, {"id": "short", "text": "[stream]"}]);
        let (stage, mut received) = fetching(letters, 0).await;
        assert_eq!(received.recv().await.unwrap(), json!({"ids": ["short"]}), "the other one was not taken");
        let tasks = stage.runtime.notes("a2a/task/", None, 10).await.unwrap();
        assert_eq!(tasks.len(), 1, "and left nothing: {tasks:?}");
        stage.close().await;
    })
    .await;
}
