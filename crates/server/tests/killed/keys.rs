//! The gateway is killed while many ask it at once, each with a key: what they ask again of the next one is done once in all.
//! On the stand-in: nothing here is Codex's.

use std::{collections::BTreeMap, fs, process::Stdio};

use serde_json::{Value, json};
use tokio::{process::Command, task::JoinSet};

use crate::support::{
    http::{Answer, Http},
    serving::{Place, Serving},
    stage::{in_time, judge, selvedge},
};

const TOKEN: &str = "the-owner's-token";
/// Messages, sessions, and letters to an agent, that are asked for at once.
const MANY: usize = 16;

/// A gateway that is asked at its address by whoever has the token.
async fn serve(place: &Place) -> Serving {
    let config = place.inside("selvedge.toml");
    let agent =
        format!("[agents.helper]\ndescription = \"helps\"\ncwd = '{}'\n", place.inside("work").display());
    fs::write(&config, agent).unwrap();
    let mut command = Command::new(selvedge());
    command.args(["serve", "--listen", "127.0.0.1:0", "--no-relay", "--codex", "rehearsal"]);
    command.arg("--config").arg(config);
    command.arg("--data-dir").arg(place.inside("data")).arg("--scenario").arg(judge());
    command.env("SELVEDGE_TOKEN", TOKEN).kill_on_drop(true);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    Serving::of(command, TOKEN).await
}

/// What is asked, and under which key.
fn asked(place: &Place, session: &str) -> Vec<(String, String, Value)> {
    let cwd = place.inside("work");
    let message = |n: usize| {
        (format!("message {n}"), format!("{session}/messages"), json!({"text": format!("[stream] {n}")}))
    };
    let made = |n: usize| {
        (format!("session {n}"), "/v1/sessions".to_owned(), json!({"cwd": cwd, "name": format!("made {n}")}))
    };
    let letter = |n: usize| {
        (format!("letter {n}"), "/v1/agents/helper/inbox".to_owned(), json!({"text": format!("[hang] {n}")}))
    };
    (0..MANY).flat_map(|n| [message(n), made(n), letter(n)]).collect()
}

/// Nothing, if the gateway is gone before it answers.
async fn ask(http: Http, (key, path, body): (String, String, Value)) -> Option<(String, Answer)> {
    let answer = http.with("idempotency-key", &key).try_post(&path, body).await?;
    Some((key, answer))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_with_a_key_is_done_once_whenever_the_gateway_is_killed() {
    in_time(async {
        let place = Place::new().await;
        let first = serve(&place).await;
        let made = first.http.post("/v1/sessions", json!({"cwd": place.inside("work")})).await.expect(201);
        let session = format!("/v1/sessions/{}", made["id"].as_str().unwrap());
        // Everything else waits behind it.
        let hangs = first.http.post(&format!("{session}/messages"), json!({"text": "[hang]"})).await;
        assert_eq!(hangs.status, 202);
        let mut asking = JoinSet::new();
        for wanted in asked(&place, &session) {
            asking.spawn(ask(first.http.clone(), wanted));
        }
        // The first answer is the last that is waited for: of most deeds nobody knows whether they were done.
        let mut answered = vec![asking.join_next().await.unwrap().unwrap()];
        first.kill().await;
        answered.extend(asking.join_all().await);

        let second = serve(&place).await;
        let mut again = BTreeMap::new();
        for wanted in asked(&place, &session) {
            let (key, answer) = ask(second.http.clone(), wanted).await.unwrap();
            assert!(answer.status.is_success(), "{key}: {}", answer.json());
            again.insert(key, answer);
        }
        for (key, answer) in answered.into_iter().flatten() {
            assert_eq!(answer.json(), again[&key].json(), "{key}: it was answered before");
        }
        let messages = second.http.get(&format!("{session}/messages?limit=1000")).await.expect(200);
        assert_eq!(messages["items"].as_array().unwrap().len(), MANY + 1, "each message was accepted once");
        let sessions = second.http.get("/v1/sessions?limit=1000").await.expect(200);
        let sessions = sessions["items"].as_array().unwrap();
        let of_agent: Vec<_> = sessions.iter().filter(|it| it["labels"]["a2a_agent"] == "helper").collect();
        assert_eq!((sessions.len(), of_agent.len()), (2 * MANY + 1, MANY), "each session was made once");
        for it in of_agent {
            let path = format!("/v1/sessions/{}/messages", it["id"].as_str().unwrap());
            let letters = second.http.get(&path).await.expect(200);
            assert_eq!(letters["items"].as_array().unwrap().len(), 1, "each letter came once: {letters}");
        }
        second.kill().await;
    })
    .await;
}
