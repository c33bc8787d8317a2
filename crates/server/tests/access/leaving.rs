//! Who asks for something may leave before it is answered: what was begun is finished.

use std::{fs, path::PathBuf, process::Command};

use selvedge_server::{Ended, Settings, Stop};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinHandle, spawn_blocking},
};

use crate::{
    gate::{Gate, OWN, settings},
    metrics,
    support::stage::in_time,
};

/// A repository whose checkout says when it has begun, and waits until it may go on.
struct Slow {
    begun: PathBuf,
    go_on: PathBuf,
}

impl Slow {
    fn at(gate: &Gate) -> Self {
        let work = gate.work();
        let pipe = |name: &str| {
            let pipe = gate.directory.path().join(name);
            run(Command::new("mkfifo").arg(&pipe));
            pipe
        };
        let (begun, go_on) = (pipe("begun"), pipe("go-on"));
        let git = |arguments: &[&str]| run(Command::new("git").current_dir(&work).args(arguments));
        git(&["init", "-q", "-b", "main"]);
        fs::write(work.join("file.txt"), "a\n").unwrap();
        fs::write(work.join(".gitattributes"), "file.txt filter=slow\n").unwrap();
        git(&["add", "."]);
        git(&["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"]);
        let slowly = format!("echo > '{}'; cat '{}'; cat", begun.display(), go_on.display());
        git(&["config", "filter.slow.smudge", &slowly]);
        Self { begun, go_on }
    }

    /// Waits until the checkout has begun.
    async fn has_begun(&self) {
        let begun = self.begun.clone();
        spawn_blocking(move || fs::read(begun)).await.unwrap().unwrap();
    }

    /// Lets it go on.
    async fn goes_on(&self) {
        let go_on = self.go_on.clone();
        spawn_blocking(move || fs::write(go_on, "")).await.unwrap().unwrap();
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
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
        let slow = Slow::at(&gate);
        let first = asking(&gate);
        slow.has_begun().await;
        leaves(&gate, first).await;
        let again = asking(&gate);
        metrics::until(&gate, "selvedge_http_requests_in_flight", 2.0).await;
        slow.goes_on().await;
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
        let slow = Slow::at(&gate);
        let first = asking(&gate);
        slow.has_begun().await;
        leaves(&gate, first).await;
        gate.stop.send_replace(Stop::Drain);
        slow.goes_on().await;
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
