//! A browser that comes back: at every number of a long session, and again and again while it runs.

use selvedge_dialects::{
    Numbered,
    companion::{Message, Past, Speaker},
};
use selvedge_session::Event;
use serde_json::{Value, json};

use crate::{
    on_both,
    socket::Socket,
    support::stage::{Stage, in_time},
};

on_both!(what_was_missed_arrives_wherever_the_socket_is_opened);

/// What a speaker says of everything that is in the journal.
async fn spoken(stage: &Stage, id: &str) -> (Vec<Numbered<Message>>, Past, Speaker) {
    let (mut said, mut past, mut speaker) = (Vec::new(), Past::default(), Speaker::default());
    let mut after = 0;
    loop {
        let page = stage.http.get(&format!("/v1/sessions/{id}/events?after={after}")).await.expect(200);
        let events: Vec<Event> = serde_json::from_value(page["events"].clone()).unwrap();
        let Some(last) = events.last() else { return (said, past, speaker) };
        after = last.seq;
        for event in &events {
            let told = speaker.hear(event);
            said.extend(told.iter().cloned());
            past.keep(told);
        }
    }
}

async fn finished(stage: &Stage, id: &str, text: &str) {
    let sent =
        stage.http.post(&format!("/v1/sessions/{id}/messages"), json!({ "text": text })).await.expect(202);
    let path = format!("/v1/sessions/{id}/messages/{}?wait=60", sent["message_id"].as_str().unwrap());
    assert_eq!(stage.http.get(&path).await.expect(200)["state"], "completed", "{text}");
}

async fn what_was_missed_arrives_wherever_the_socket_is_opened(stage: Stage) {
    let id = stage.session(json!({"approval_policy": "never", "sandbox": "danger-full-access"})).await;
    for text in ["[stream]", "[think]", "[run]", "[stream]"] {
        finished(&stage, &id, text).await;
    }
    let (said, past, _) = spoken(&stage, &id).await;
    let all: Vec<Value> = said.iter().map(|said| serde_json::to_value(&said.message).unwrap()).collect();
    assert!(said.len() > 40, "a long session: {}", said.len());
    for (place, told) in said.iter().enumerate().take(said.len() - 1) {
        let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
        socket.say(json!({"type": "session_subscribe", "last_seq": told.seq})).await;
        let opened = socket.until("event_replay").await;
        let kinds: Vec<_> = opened.iter().map(|message| message["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["session_init", "message_history", "event_replay"]);
        let replayed = opened[2]["events"].as_array().unwrap();
        let expected = said[place + 1..].iter().map(|told| told.seq).zip(&all[place + 1..]);
        let expected: Vec<_> =
            expected.map(|(seq, message)| json!({"seq": seq, "message": message})).collect();
        assert_eq!(*replayed, expected, "after {}", told.seq);
        assert_eq!(socket.next().await["status"], "idle");
        assert_eq!(socket.next().await["phase"], "ready");
    }
    // One that has everything is told nothing until something happens.
    let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    socket.say(json!({"type": "session_subscribe", "last_seq": past.newest()})).await;
    assert_eq!(socket.next().await["type"], "session_init");
    assert_eq!(socket.next().await["type"], "message_history");
    finished(&stage, &id, "[stream]").await;
    let next = socket.next().await;
    assert!(next["seq"].as_u64().unwrap() > past.newest(), "{next}");
    stage.close().await;
}

const STEADY: &str = r#"
name = "steady"
[[rule]]
contains = "[flood]"
step = [ { do = [ { flood = { deltas = 1500, every_ms = 1 } } ] } ]
"#;

/// The socket breaks a hundred times while a message runs: every numbered message arrives, once, in order.
#[tokio::test(flavor = "multi_thread")]
async fn again_and_again_while_a_turn_runs() {
    in_time(async {
        let stage = Stage::playing(STEADY).await;
        let id = stage.session(json!({})).await;
        stage.http.post(&format!("/v1/sessions/{id}/messages"), json!({"text": "[flood]"})).await.expect(202);
        let mut seen: Vec<(u64, Value)> = Vec::new();
        let (mut connections, mut over) = (0_usize, false);
        while !over {
            connections += 1;
            let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
            let last = seen.last().map_or(0, |(seq, _)| *seq);
            socket.say(json!({"type": "session_subscribe", "last_seq": last})).await;
            let mut heard = 0;
            while heard < 1 + connections % 17 && !over {
                let message = socket.next().await;
                let news = match message["type"].as_str().unwrap() {
                    "event_replay" => message["events"].as_array().unwrap().clone(),
                    _ if message.get("seq").is_some() => {
                        let mut plain = message.clone();
                        let seq = plain.as_object_mut().unwrap().remove("seq").unwrap();
                        vec![json!({"seq": seq, "message": plain})]
                    }
                    _ => Vec::new(),
                };
                for one in news {
                    heard += 1;
                    over |= one["message"]["type"] == "result";
                    seen.push((one["seq"].as_u64().unwrap(), one["message"].clone()));
                }
            }
        }
        let (said, ..) = spoken(&stage, &id).await;
        // The first connection had nothing to replay: it was told how things stood.
        let first = seen[0].0;
        let expected: Vec<_> = said
            .iter()
            .filter(|told| told.seq > first && told.seq <= seen.last().unwrap().0)
            .map(|told| (told.seq, serde_json::to_value(&told.message).unwrap()))
            .collect();
        assert_eq!(&seen[1..], expected, "over {connections} connections");
        assert!(connections > 10, "{connections}");
        stage.close().await;
    })
    .await;
}
