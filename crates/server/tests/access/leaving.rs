//! Who asks for something may leave before it is answered: what was begun is finished.

use std::{fs, path::PathBuf};

use selvedge_server::{Ended, Settings, Stop};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};

use crate::{
    gate::{Gate, OWN, settings},
    metrics,
    support::{slow_git::SlowGit, stage::in_time},
};

/// A repository that keeps git waiting.
fn slow(gate: &Gate) -> SlowGit {
    fs::write(gate.work().join("file.txt"), "a\n").unwrap();
    SlowGit::at(&gate.work(), &gate.runtime.config().data_dir)
}

/// Somebody who wants a session with a worktree, with a key.
fn asking(gate: &Gate) -> JoinHandle<Value> {
    let http = gate.owner().with("idempotency-key", "k");
    let fields = json!({"cwd": gate.work(), "worktree": "feature"});
    tokio::spawn(async move { http.post("/v1/sessions", fields).await.expect(201) })
}

/// They leave, and the gateway knows it.
async fn leaves(gate: &Gate, asking: JoinHandle<Value>) {
    asking.abort();
    asking.await.unwrap_err();
    // The one that looks is one.
    metrics::until(gate, "selvedge_http_requests_in_flight", 1.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_made_although_nobody_waits_for_it_and_found_by_its_key() {
    in_time(async {
        let gate = Gate::open().await;
        let slow = slow(&gate);
        let first = asking(&gate);
        slow.has_begun().await;
        leaves(&gate, first).await;
        let again = asking(&gate);
        metrics::until(&gate, "selvedge_http_requests_in_flight", 2.0).await;
        let _goes_on = slow.goes_on();
        let made = again.await.unwrap();
        let sessions = gate.owner().get("/v1/sessions").await.expect(200);
        assert_eq!(sessions["items"].as_array().unwrap().len(), 1, "it was made once: {sessions}");
        assert_eq!(sessions["items"][0]["id"], made["id"]);
        let place = PathBuf::from(made["cwd"].as_str().unwrap());
        assert_eq!(fs::read_to_string(place.join("file.txt")).unwrap(), "a\n", "its worktree is whole");
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_ends_waits_for_what_was_begun() {
    in_time(async {
        let gate = Gate::with(Settings { drain: 0, ..settings() }).await;
        let slow = slow(&gate);
        let first = asking(&gate);
        slow.has_begun().await;
        leaves(&gate, first).await;
        gate.stop.send_replace(Stop::Drain);
        let _goes_on = slow.goes_on();
        assert_eq!(gate.running.await.unwrap(), Ended::AtRest);
        let gate = Gate::at(gate.directory, settings()).await;
        let sessions = gate.owner().get("/v1/sessions").await.expect(200);
        assert_eq!(sessions["items"].as_array().unwrap().len(), 1, "{sessions}");
        gate.close().await;
    })
    .await;
}

/// Asks, and says no more: listens on until the connection ends.
async fn says_no_more(gate: &Gate, asked: &str, body: &str) {
    let mut stream = TcpStream::connect(gate.stranger.address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{asked} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {OWN}\r\nidempotency-key: k\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    stream.read_to_end(&mut Vec::new()).await.unwrap();
}

/// Nobody can tell them from those who are gone: nothing is held open for nobody, and they can ask again.
#[tokio::test(flavor = "multi_thread")]
async fn who_closes_their_side_has_left_and_may_ask_again() {
    in_time(async {
        let gate = Gate::open().await;
        let made = gate.owner().post("/v1/sessions", json!({"cwd": gate.work()})).await.expect(201);
        let path = format!("/v1/sessions/{}/messages", made["id"].as_str().unwrap());
        let said = json!({"text": "[hang]"});
        says_no_more(&gate, &format!("POST {path}"), &said.to_string()).await;
        let sent = gate.owner().with("idempotency-key", "k").post(&path, said).await.expect(202);
        let messages = gate.owner().get(&path).await.expect(200);
        assert_eq!(messages["items"].as_array().unwrap().len(), 1, "{messages}");
        let message = format!("{path}/{}", sent["message_id"].as_str().unwrap());
        says_no_more(&gate, &format!("GET {message}?wait=600"), "").await;
        metrics::until(&gate, "selvedge_http_requests_in_flight", 1.0).await;
        gate.stop.send_replace(Stop::Drain);
        gate.stop.send_replace(Stop::Now);
        gate.running.await.unwrap();
        gate.runtime.shut_down().await;
    })
    .await;
}
