//! No secret comes back: from a route, an event, the log, a metric or an error.

use std::{
    fs,
    io::{self, Write},
    sync::{Arc, Mutex},
};

use hyper::Method;
use selvedge_server::{Settings, Stop};
use serde_json::json;

use crate::{
    gate::{Gate, OWN, config, settings, token_of},
    support::{
        http::{Answer, Http},
        stage::in_time,
    },
};

/// A command that shows what it should not.
const TALKATIVE: &str = r#"
name = "talkative"
[[rule]]
contains = "[show]"
step = [
  { do = [ { run = { command = "echo the key is $API_KEY; echo and $API_KEY >&2" } } ] },
  { do = [ { say = { text = "It was hush-of-session, in pieces.", deltas = 9, pace_ms = 5, phase = "final_answer" } } ] },
]
[[rule]]
contains = "[door]"
step = [
  { do = [ { run = { command = "cat ../data/gateway.json ../data/tokens.toml; echo; echo that was the door" } } ] },
  { do = [ { say = { text = "There it is.", phase = "final_answer" } } ] },
]
"#;

/// Everything that is logged while these tests run.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Write for Logged {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Logged {
    fn begin() -> Self {
        let logged = Self::default();
        let writer = logged.clone();
        let log = tracing_subscriber::fmt().json().with_max_level(tracing::Level::TRACE);
        log.with_writer(move || writer.clone()).try_init().expect("nobody else listens");
        logged
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A gateway with a token for a wall, and a scenario that shows the key of its session.
async fn talkative() -> Gate {
    let directory = tempfile::tempdir().unwrap();
    let scenario = directory.path().join("scenario.toml");
    fs::write(&scenario, TALKATIVE).unwrap();
    let mut config = config(directory.path().join("data"));
    config.rehearsal.scenario = Some(scenario);
    let gate = Gate::on(directory, Settings { drain: 0, ..settings() }, config).await;
    gate.name_tokens(&[("wall", "'read'")]);
    gate
}

/// A session's agent lists its tools and calls one that is gone at once; the secret it has.
async fn calls_as_its_agent(gate: &Gate, said: &mut Vec<Answer>) -> String {
    let tools = json!([{"name": "look", "description": "", "input_schema": {}, "timeout_seconds": 0}]);
    let made = json!({"cwd": gate.work(), "tools": tools, "tools_via": "mcp"});
    let made = gate.owner().post("/v1/sessions", made).await.expect(201);
    let id = made["id"].as_str().unwrap();
    let secret = gate.agents_secret(id);
    let agent = gate.as_one_with(&secret).with("accept", "application/json, text/event-stream");
    for (method, params) in [("tools/list", json!({})), ("tools/call", json!({"name": "look"}))] {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = agent.post(&format!("/mcp/{id}"), request).await;
        assert_eq!(answer.status, 200);
        said.push(answer);
    }
    said.push(agent.get("/v1/sessions").await);
    secret
}

/// What is said of bodies that have a secret where none, or something else, is expected.
async fn misplaced(owner: &Http, secret: &str) -> Vec<Answer> {
    let server = |fields: serde_json::Value| json!({"mcp_servers": {"demo": fields}});
    let bodies = [
        json!({"env": secret}),
        json!({"env": {"API_KEY": [secret]}}),
        json!({"mcp_servers": secret}),
        server(json!(secret)),
        server(json!({"command": "true", "env": secret})),
        server(json!({"command": "true", "args": secret})),
        server(json!({"url": "http://localhost", "http_headers": secret})),
        server(json!({"url": "http://localhost", "bearer_token_env_var": {"token": secret}})),
        json!({"config": secret}),
        json!({"budget": secret}),
        json!({"sandbox": secret}),
        json!({"deadline_seconds": secret}),
        json!({"tools": [{"name": "a", "description": "b", "input_schema": secret}]}),
        json!({"tools": [{"name": "a", "description": "b", "input_schema": {}, "key": secret}]}),
        json!({"sandbox": format!("{secret}`, expected {secret}\", expected {secret}")}),
    ];
    let mut said = Vec::new();
    for body in bodies {
        let answer = owner.post("/v1/sessions", body).await;
        assert_eq!(answer.problem(400), "body_invalid");
        said.push(answer);
    }
    said
}

/// All pieces of a page of events together.
fn joined(events: &str) -> String {
    let page: serde_json::Value = serde_json::from_str(events).unwrap();
    let events = page["events"].as_array().unwrap().iter();
    events.filter_map(|event| event["data"]["delta"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_and_however() {
    in_time(async {
        let logged = Logged::begin();
        let gate = talkative().await;
        let owner = gate.owner();
        let server = json!({
            "command": "/nowhere/demo", "args": ["--key", "hush-of-args"], "env": {"TOKEN": "hush-of-server"},
        });
        let made = json!({
            "cwd": gate.work(), "env": {"API_KEY": "hush-of-session"}, "mcp_servers": {"demo": server},
            "approval_policy": "never", "sandbox": "danger-full-access",
        });
        let mut said = Vec::new();
        let id =
            owner.post("/v1/sessions", made.clone()).await.expect(201)["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/sessions/{id}");
        for text in ["[show]", "[door]"] {
            let sent = owner.post(&format!("{path}/messages"), json!({"text": text})).await.expect(202);
            let message = format!("{path}/messages/{}", sent["message_id"].as_str().unwrap());
            let ended = owner.get(&format!("{message}?wait=80")).await.expect(200);
            assert_eq!(ended["state"], "completed", "{ended}");
        }
        let mut wrong = made;
        wrong["env"]["A=B"] = json!("hush-of-error");
        said.push(owner.post("/v1/sessions", wrong).await);
        said.extend(misplaced(&owner, "hush-of-error").await);
        said.push(gate.as_one_with(&token_of("hush")).get("/v1/sessions").await);
        said.push(gate.stranger.get(&format!("/v1/sessions?token={}&colour=red", token_of("hush"))).await);
        for place in ["", "/messages", "/events", "/diff", "/files?query=", "/nothing"] {
            said.push(owner.get(&format!("{path}{place}")).await);
        }
        for place in ["/v1/sessions", "/v1/events", "/v1/account", "/v1/backends", "/v1/usage", "/metrics"] {
            said.push(owner.get(place).await);
        }
        let agents = calls_as_its_agent(&gate, &mut said).await;
        let events = owner.get(&format!("{path}/events")).await.expect(200).to_string();
        for shown in ["the key is [redacted]", "that was the door"] {
            assert!(events.contains(shown), "the command ran and was shown: {events}");
        }
        assert!(!joined(&events).contains("hush"), "nor in pieces: {events}");
        let patched = owner.ask(Method::PATCH, &path, Some(json!({"name": "renamed"}))).await;
        said.push(patched);
        for answer in said {
            let text = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body));
            assert!(!text.contains("hush-"), "{text}");
            assert!(!text.contains(OWN) && !text.contains(&agents), "{text}");
        }
        gate.stop.send_replace(Stop::Drain);
        gate.running.await.unwrap();
        let log = logged.text();
        assert!(log.contains("turn ended") && log.contains(&id), "it logs: {log}");
        assert!(log.contains("rmcp"), "the library that speaks MCP logs too");
        for secret in ["hush-", OWN, &token_of("wall"), &agents] {
            assert!(!log.contains(secret), "{secret} is in the log");
        }
    })
    .await;
}
