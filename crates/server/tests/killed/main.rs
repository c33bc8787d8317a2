//! The gateway's own process is killed in a turn, on the real Codex: the next one goes on, and nobody misses anything.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks and children end with it")]

#[path = "../events/following.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod following;
mod keys;
#[path = "../support/mod.rs"]
mod support;

use following::{Following, Frame};
use serde_json::{Value, json};
use support::serving::{Place, Serving};
use support::stage::in_time;

/// Somebody who reads one session over several gateways.
struct Reader {
    path: String,
    seen: Vec<Frame>,
}

impl Reader {
    /// Goes on where it was, up to the first event of a type.
    async fn until(&mut self, serving: &Serving, event: &str) -> Value {
        let last = self.seen.last().map(|last| last.id.clone());
        let path = format!("{}/events", self.path);
        let mut stream = Following::open(&serving.http, &path, last.as_deref()).await;
        self.seen.extend(stream.until(event).await);
        self.seen.last().unwrap().json()
    }

    fn count(&self, event: &str) -> usize {
        self.seen.iter().filter(|frame| frame.event == event).count()
    }

    /// Everything came once and in order, and is what is kept.
    async fn check(&self, serving: &Serving) {
        let kept = serving.http.get(&format!("{}/events", self.path)).await.expect(200);
        for (index, frame) in self.seen.iter().enumerate() {
            assert_eq!(frame.id, (index + 1).to_string(), "nothing lost, nothing twice");
            assert_eq!(frame.json(), kept["events"][index]);
        }
    }
}

async fn session(place: &Place, serving: &Serving) -> Reader {
    let fields = json!({"cwd": place.inside("work"), "approval_policy": "on-request"});
    let made = serving.http.post("/v1/sessions", fields).await.expect(201);
    Reader { path: format!("/v1/sessions/{}", made["id"].as_str().unwrap()), seen: Vec::new() }
}

async fn say(serving: &Serving, session: &str, text: &str) -> String {
    let sent = serving.http.post(&format!("{session}/messages"), json!({"text": text})).await.expect(202);
    format!("{session}/messages/{}", sent["message_id"].as_str().unwrap())
}

async fn end(serving: &Serving, message: &str) -> Value {
    serving.http.get(&format!("{message}?wait=80")).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_talks_the_turn_goes_on() {
    in_time(async {
        let place = Place::new().await;
        let first = Serving::start(&place).await;
        let mut reader = session(&place, &first).await;
        let streamed = say(&first, &reader.path, "[stream]").await;
        reader.until(&first, "item.delta").await;
        first.kill().await;
        let second = Serving::start(&place).await;
        assert_eq!(end(&second, &streamed).await["state"], "completed");
        reader.until(&second, "message.finished").await;
        assert_eq!((reader.count("message.started"), reader.count("codex.exited")), (1, 0));
        reader.check(&second).await;
        second.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_asks_it_asks_on() {
    in_time(async {
        let place = Place::new().await;
        let first = Serving::start(&place).await;
        let mut reader = session(&place, &first).await;
        let asking = say(&first, &reader.path, "[approve]").await;
        let waits = say(&first, &reader.path, "[stream]").await;
        let asked = reader.until(&first, "approval.requested").await;
        first.kill().await;
        let second = Serving::start(&place).await;
        let open = second.http.get("/v1/approvals?state=pending").await.expect(200);
        assert_eq!(open["items"][0]["approval_id"], asked["data"]["approval_id"]);
        let answer = format!("/v1/approvals/{}", asked["data"]["approval_id"].as_str().unwrap());
        second.http.post(&answer, json!({"decision": "accept"})).await.expect(200);
        assert_eq!(end(&second, &asking).await["state"], "completed");
        assert_eq!(end(&second, &waits).await["state"], "completed", "and the queue goes on");
        reader.until(&second, "message.finished").await;
        reader.until(&second, "message.finished").await;
        assert_eq!(std::fs::read_to_string(place.inside("work").join("approved.txt")).unwrap(), "approved\n");
        assert_eq!((reader.count("approval.resolved"), reader.count("codex.exited")), (1, 0));
        reader.check(&second).await;
        second.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_relay_a_message_cut_in_its_words_is_run_again() {
    in_time(async {
        let place = Place::new().await;
        let first = Serving::alone(&place).await;
        let mut reader = session(&place, &first).await;
        let slow = say(&first, &reader.path, "[slow]").await;
        reader.until(&first, "item.delta").await;
        first.kill().await;
        let second = Serving::alone(&place).await;
        let again = reader.until(&second, "message.started").await;
        assert_eq!(again["data"]["attempt"], 2, "it had done nothing that cannot be done again");
        reader.until(&second, "item.delta").await;
        second.http.post(&format!("{}/interrupt", reader.path), json!({})).await.expect(202);
        assert_eq!(end(&second, &slow).await["state"], "interrupted");
        reader.until(&second, "message.finished").await;
        let next = say(&second, &reader.path, "[stream]").await;
        assert_eq!(end(&second, &next).await["state"], "completed");
        reader.until(&second, "message.finished").await;
        assert_eq!(reader.count("message.finished"), 2, "each message has one end");
        reader.check(&second).await;
        second.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_relay_a_message_cut_in_its_question_is_lost_and_the_session_goes_on() {
    in_time(async {
        let place = Place::new().await;
        let first = Serving::alone(&place).await;
        let mut reader = session(&place, &first).await;
        let asking = say(&first, &reader.path, "[approve]").await;
        let waits = say(&first, &reader.path, "[stream]").await;
        reader.until(&first, "approval.requested").await;
        first.kill().await;
        let second = Serving::alone(&place).await;
        let lost = end(&second, &asking).await;
        assert_eq!(lost["state"], "lost", "nobody knows whether it acted: {lost}");
        reader.until(&second, "message.finished").await;
        assert_eq!(second.http.get("/v1/approvals").await.expect(200)["items"], json!([]));
        assert_eq!(second.http.get(&waits).await.expect(200)["state"], "queued", "the queue is held");
        second.http.post(&format!("{}/start", reader.path), json!({})).await.expect(202);
        assert_eq!(end(&second, &waits).await["state"], "completed");
        reader.until(&second, "message.finished").await;
        assert!(!place.inside("work").join("approved.txt").exists(), "what nobody approved was not done");
        assert_eq!((reader.count("approval.resolved"), reader.count("message.finished")), (1, 2));
        reader.check(&second).await;
        second.stop().await;
    })
    .await;
}
