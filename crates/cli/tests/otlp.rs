//! Built with `otlp`, the gateway sends a span for each turn and each request to a collector.
#![cfg(feature = "otlp")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Stdio,
    thread,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stage::Stage;

const TOKEN: &str = "the token of the test";
/// A trace that somebody else began.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// Takes what is sent until nobody sends any more: the addresses, and everything that was said.
fn collect(listener: &TcpListener) -> (Vec<String>, Vec<u8>) {
    let (mut places, mut said) = (Vec::new(), Vec::new());
    for stream in listener.incoming() {
        let mut stream = BufReader::new(stream.unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).unwrap() == 0 {
                return (places, said);
            }
        }
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap()];
        stream.read_exact(&mut body).unwrap();
        places.push(head.lines().next().unwrap().to_owned());
        said.extend(body);
        stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
    (places, said)
}

/// What a gateway answers, as part of that trace.
fn ask(address: &str, request: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    write!(
        stream,
        "{request} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\
         traceparent: 00-{TRACE}-b7ad6b7169203331-01\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn contains(said: &[u8], wanted: &[u8]) -> bool {
    said.windows(wanted.len()).any(|part| part == wanted)
}

#[test]
fn a_collector_gets_turns_and_requests_and_nothing_that_was_said() {
    let stage = Stage::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = listener.local_addr().unwrap();
    let collecting = thread::spawn(move || collect(&listener));
    let mut command = stage.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("SELVEDGE_TOKEN", TOKEN).env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"));
    let mut gateway = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(gateway.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().split(' ').next().unwrap();
    let made = ask(address, "POST /v1/sessions", &json!({"cwd": stage.path("work")}));
    let session = made["id"].as_str().unwrap();
    let place = format!("/v1/sessions/{session}/messages");
    let sent = ask(address, &format!("POST {place}"), &json!({"text": "hello, my secret is plum"}));
    let message = sent["message_id"].as_str().unwrap();
    let ended = ask(address, &format!("GET {place}/{message}?wait=60"), &Value::Null);
    assert_eq!(ended["state"], "completed");
    kill_process(i32::try_from(gateway.id()).ok().and_then(Pid::from_raw).unwrap(), Signal::TERM).unwrap();
    assert!(gateway.wait().unwrap().success());
    drop(TcpStream::connect(collector).unwrap());
    let (places, said) = collecting.join().unwrap();
    assert!(
        !places.is_empty() && places.iter().all(|place| place == "POST /v1/traces HTTP/1.1"),
        "{places:?}"
    );
    let names =
        ["turn", "POST /v1/sessions", "GET /v1/sessions/{id}/messages/{message_id}", session, "selvedge"];
    for name in names {
        assert!(contains(&said, name.as_bytes()), "{name} is not in {:?}", String::from_utf8_lossy(&said));
    }
    let trace = u128::from_str_radix(TRACE, 16).unwrap().to_be_bytes();
    assert!(contains(&said, &trace), "a request is a part of its caller's trace");
    for secret in [TOKEN, "plum", "Hello, you."] {
        assert!(!contains(&said, secret.as_bytes()), "{secret}");
    }
}

#[test]
fn an_address_that_cannot_be_had_is_refused() {
    let stage = Stage::new();
    let mut command = stage.command(&["serve", "--listen", "127.0.0.1:0"]);
    let ran = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example").output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("https://collector.example") && said.contains("hint: "), "{said}");
}
