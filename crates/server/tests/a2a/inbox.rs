//! The inbox: words in by whoever has only HTTP, what came of them out, each once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;

use crate::stage::Stage;

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

/// Somewhere that has a message until its receipt arrives; the first receipt is lost.
async fn post_office(receipts: tokio::sync::mpsc::Sender<serde_json::Value>) -> String {
    use axum::{Router, extract::State, http::StatusCode, response::IntoResponse as _, routing};
    type Office = (Arc<AtomicUsize>, tokio::sync::mpsc::Sender<serde_json::Value>);
    async fn fetch(State((heard, _)): State<Office>) -> axum::response::Response {
        match heard.load(Ordering::SeqCst) {
            0 | 1 => {
                json!({"messages": [{"id": "letter-1", "text": "[stream]"}]}).to_string().into_response()
            }
            _ => StatusCode::NO_CONTENT.into_response(),
        }
    }
    async fn receipt(State((heard, receipts)): State<Office>, body: String) -> StatusCode {
        let before = heard.fetch_add(1, Ordering::SeqCst);
        receipts.send(serde_json::from_str(&body).unwrap()).await.unwrap();
        if before == 0 { StatusCode::BAD_GATEWAY } else { StatusCode::OK }
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/box", routing::get(fetch))
        .route("/box/ack", routing::post(receipt))
        .with_state((Arc::new(AtomicUsize::new(0)), receipts));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/box")
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_fetched_and_each_is_taken_once() {
    crate::support::stage::in_time(async {
        let (receipts, mut received) = tokio::sync::mpsc::channel(10);
        let url = post_office(receipts).await;
        let stage = Stage::with(&format!("[helper]\ninbox.url = \"{url}\"\n"), false).await;
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
        stage.close().await;
    })
    .await;
}
