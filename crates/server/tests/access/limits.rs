//! More than is taken: heads, connections, sessions, messages that wait.

use std::time::Duration;

use selvedge_runtime::Config;
use selvedge_server::Settings;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::{
    gate::{Gate, config, settings},
    metrics,
    support::stage::in_time,
};

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    in_time(async {
        let gate = Gate::open().await;
        let small = gate.owner().with("x-filler", "x".repeat(16 << 10));
        assert_eq!(small.get("/docs").await.status, 200);
        let large = gate.owner().with("x-filler", "x".repeat(40 << 10));
        assert_eq!(large.get("/docs").await.status, 431);
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_head_that_never_ends_is_not_waited_for() {
    in_time(async {
        let gate = Gate::with(Settings { header_seconds: 1, ..settings() }).await;
        let mut slow = TcpStream::connect(gate.stranger.address).await.unwrap();
        slow.write_all(b"GET /healthz HTTP/1.1\r\nhost: local").await.unwrap();
        let mut said = Vec::new();
        let ended = timeout(Duration::from_secs(30), slow.read_to_end(&mut said)).await;
        ended.expect("the connection is closed").unwrap();
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn one_more_than_there_is_room_for_waits_until_there_is() {
    in_time(async {
        let gate = Gate::with(Settings { max_connections: 1, ..settings() }).await;
        let address = gate.stranger.address;
        let mut first = TcpStream::connect(address).await.unwrap();
        first.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
        let mut answer = [0; 12];
        first.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        let stranger = gate.stranger.clone();
        let second = stranger.get("/healthz");
        tokio::pin!(second);
        let early = timeout(Duration::from_millis(200), &mut second).await;
        assert!(early.is_err(), "there is no room while the first is there");
        drop(first);
        assert_eq!(second.await.status, 200);
        gate.close().await;
    })
    .await;
}

/// A gateway that takes two sessions, and one message that waits.
async fn small() -> Gate {
    let directory = tempfile::tempdir().unwrap();
    let config = config(directory.path().join("data"));
    Gate::on(directory, settings(), Config { max_sessions: 2, max_queued_messages: 1, ..config }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_too_many_is_refused_until_another_is_gone() {
    in_time(async {
        let gate = small().await;
        let fields = json!({"cwd": gate.work()});
        let keyed = gate.owner().with("idempotency-key", "first");
        let first = keyed.post("/v1/sessions", fields.clone()).await.expect(201);
        let second = gate.owner().post("/v1/sessions", fields.clone()).await.expect(201);
        let third = gate.owner().post("/v1/sessions", fields.clone()).await;
        assert_eq!(third.problem(429), "too_much");
        assert!(third.json()["hint"].as_str().unwrap().contains("max_sessions"));
        let again = keyed.post("/v1/sessions", fields.clone()).await.expect(201);
        assert_eq!(again["id"], first["id"], "what was made is not one more");
        let path = format!("/v1/sessions/{}", second["id"].as_str().unwrap());
        assert_eq!(gate.owner().delete(&path).await.status, 204);
        gate.owner().post("/v1/sessions", fields).await.expect(201);
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_message_too_many_is_refused_until_another_has_run() {
    in_time(async {
        let gate = small().await;
        let owner = gate.owner();
        let made = owner.post("/v1/sessions", json!({"cwd": gate.work()})).await.expect(201);
        let path = format!("/v1/sessions/{}/messages", made["id"].as_str().unwrap());
        owner.post(&path, json!({"text": "[hang]"})).await.expect(202);
        metrics::until(&gate, "selvedge_sessions{state=\"running\"}", 1.0).await;
        let waits = owner.post(&path, json!({"text": "[stream]"})).await.expect(202);
        let third = owner.post(&path, json!({"text": "[stream]"})).await;
        assert_eq!(third.problem(429), "too_much");
        assert!(third.json()["hint"].as_str().unwrap().contains("max_queued_messages"));
        let waits = format!("{path}/{}", waits["message_id"].as_str().unwrap());
        owner.delete(&waits).await.expect(202);
        owner.post(&path, json!({"text": "[stream]"})).await.expect(202);
        gate.stop.send_replace(selvedge_server::Stop::Drain);
        gate.stop.send_replace(selvedge_server::Stop::Now);
        gate.running.await.unwrap();
        gate.runtime.shut_down().await;
    })
    .await;
}
