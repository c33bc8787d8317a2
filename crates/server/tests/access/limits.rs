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
    gate::{Gate, OWN, config, settings},
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

/// Begins a request with this head and as much of its body.
async fn begin(gate: &Gate, path: &str, head: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(gate.stranger.address).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {OWN}\r\n\
         content-type: application/json\r\n{head}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// What is answered, up to the end of the connection.
async fn whole(stream: &mut TcpStream) -> String {
    let mut said = String::new();
    stream.read_to_string(&mut said).await.unwrap();
    assert!(said.to_ascii_lowercase().contains("connection: close"), "{said}");
    said
}

/// Each way in which a body is read.
const READING: [(&str, &str); 3] = [
    ("/v1/sessions", "x-filler: none"),
    ("/v1/sessions", "idempotency-key: k"),
    ("/v1/agents/helper/inbox", "x-filler: none"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_ends_is_not_waited_for() {
    in_time(async {
        let gate = Gate::with(Settings { body_seconds: 1, ..settings() }).await;
        for (path, header) in READING {
            let mut cut = begin(&gate, path, &format!("{header}\r\ncontent-length: 100"), "{").await;
            let said = whole(&mut cut).await;
            assert!(said.starts_with("HTTP/1.1 408 ") && said.contains("\"body_too_slow\""), "{said}");
            assert!(said.contains("application/problem+json"), "{said}");
        }
        let (mut hears, mut says) =
            begin(&gate, "/v1/sessions", "transfer-encoding: chunked", "").await.into_split();
        let drips = tokio::spawn(async move {
            let mut drops = tokio::time::interval(Duration::from_millis(50));
            while says.write_all(b"1\r\n \r\n").await.is_ok() {
                drops.tick().await;
            }
        });
        let mut said = [0; 13];
        hears.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"HTTP/1.1 408 ", "that something comes is not enough");
        drips.abort();
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_says_it_is_too_large_is_refused_before_it_comes() {
    in_time(async {
        let gate = Gate::open().await;
        for (path, header) in READING {
            let head = format!("{header}\r\ncontent-length: {}", (32 << 20) + 1);
            let said = whole(&mut begin(&gate, path, &head, "").await).await;
            assert!(said.starts_with("HTTP/1.1 413 ") && said.contains("\"body_too_large\""), "{said}");
        }
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_in_pieces_is_refused_at_the_first_that_is_too_much() {
    in_time(async {
        let gate = Gate::with(Settings { max_body_bytes: 1 << 10, ..settings() }).await;
        let chunk = format!("300\r\n{}\r\n", " ".repeat(0x300));
        for (path, header) in READING {
            let head = format!("{header}\r\ntransfer-encoding: chunked");
            let mut stream = begin(&gate, path, &head, &chunk.repeat(2)).await;
            let said = whole(&mut stream).await;
            assert!(said.starts_with("HTTP/1.1 413 ") && said.contains("\"body_too_large\""), "{said}");
        }
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
