//! Heads that are too large or never end, and more connections than there is room for.

use std::time::Duration;

use selvedge_server::Settings;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::{
    gate::{Gate, settings},
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
