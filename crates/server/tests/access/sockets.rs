//! Sockets: a token also on localhost, only what its scopes say, and an end when it is taken away or the gateway ends.

use selvedge_server::Settings;
use serde_json::json;

use crate::{
    gate::{Gate, OWN, settings, token_of},
    socket::Socket,
    support::stage::in_time,
};

fn path(id: &str, token: &str) -> String {
    format!("/ws/browser/{id}?token={token}")
}

async fn session(gate: &Gate) -> String {
    let new = json!({"cwd": gate.work(), "approval_policy": "on-request"});
    let made = gate.owner().post("/v1/sessions", new).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_needs_a_token_and_may_what_its_scopes_say() {
    in_time(async {
        let gate = Gate::with_tokens(&[("looks", "'read'"), ("talks", "'read', 'write'")]).await;
        let id = session(&gate).await;
        assert_eq!(Socket::try_open(&gate.stranger, &format!("/ws/browser/{id}")).await.err(), Some(401));
        assert_eq!(Socket::try_open(&gate.stranger, &path(&id, "guess")).await.err(), Some(401));
        let mut looks = Socket::open(&gate.stranger, &path(&id, &token_of("looks"))).await;
        looks.say(json!({"type": "user_message", "content": "[approve]"})).await;
        let refused = looks.until("error").await;
        assert!(refused.last().unwrap()["message"].as_str().unwrap().contains("`write`"), "{refused:?}");
        let mut talks = Socket::open(&gate.stranger, &path(&id, &token_of("talks"))).await;
        talks.say(json!({"type": "user_message", "content": "[approve]"})).await;
        let asked = talks.until("permission_request").await;
        let request = &asked.last().unwrap()["request"]["request_id"];
        let answer = json!({"type": "permission_response", "request_id": request, "behavior": "allow"});
        talks.say(answer.clone()).await;
        let refused = talks.until("error").await;
        assert!(refused.last().unwrap()["message"].as_str().unwrap().contains("`approve`"), "{refused:?}");
        let mut owner = Socket::open(&gate.stranger, &path(&id, OWN)).await;
        owner.until("permission_request").await;
        owner.say(answer).await;
        talks.until("result").await;
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_with_its_token_and_with_the_gateway() {
    in_time(async {
        let gate = Gate::with_tokens(&[("wall", "'read'"), ("desk", "'read'")]).await;
        let id = session(&gate).await;
        let mut wall = Socket::open(&gate.stranger, &path(&id, &token_of("wall"))).await;
        let mut desk = Socket::open(&gate.stranger, &path(&id, &token_of("desk"))).await;
        wall.until("session_init").await;
        gate.name_tokens(&[("desk", "'read'")]);
        assert!(wall.ends().await);
        desk.until("session_init").await;
        gate.close().await;
        assert!(desk.ends().await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_sockets_are_opened_than_there_may_be_connections() {
    in_time(async {
        let gate = Gate::with(Settings { max_connections: 2, ..settings() }).await;
        let id = session(&gate).await;
        let mut first = Socket::open(&gate.stranger, &path(&id, OWN)).await;
        let second = Socket::open(&gate.stranger, &path(&id, OWN)).await;
        assert_eq!(Socket::try_open(&gate.stranger, &path(&id, OWN)).await.err(), Some(429));
        first.until("session_init").await;
        drop(second);
        // That one is gone is noticed when it is read from.
        while Socket::try_open(&gate.stranger, &path(&id, OWN)).await.is_err() {
            tokio::task::yield_now().await;
        }
        gate.close().await;
    })
    .await;
}
