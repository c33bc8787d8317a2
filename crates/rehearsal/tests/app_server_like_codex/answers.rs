//! What requests are answered with, on both sides: histories, forks, other processes, errors.

use serde_json::{Value, json};

use super::{
    compare::{Order, compare},
    sides::{Side, both},
};

#[tokio::test]
async fn histories_forks_and_reverts() {
    let mut sides = both().await;
    for side in &mut sides {
        histories(side).await;
    }
    compare("histories", Order::Exact, &sides);
}

async fn histories(side: &mut Side) {
    let thread = side.thread(json!({})).await;
    let of_thread = json!({ "threadId": thread });
    let early = json!({ "threadId": thread, "includeTurns": true });
    side.client.call("thread/read", of_thread.clone()).await;
    side.client.try_call("thread/turns/list", of_thread.clone()).await;
    side.client.try_call("thread/read", early.clone()).await;
    side.client.try_call("thread/items/list", of_thread.clone()).await;
    side.client.play(&thread, "[stream]").await;
    let first = side.client.play(&thread, "[think]").await["id"].clone();
    let last = side.client.play(&thread, "[stream]").await["id"].clone();
    side.client.call("thread/loaded/list", json!({})).await;
    side.client.call("thread/turns/list", of_thread.clone()).await;
    side.client
        .call("thread/turns/list", json!({ "threadId": thread, "itemsView": "full", "limit": 1 }))
        .await;
    side.client.call("thread/items/list", of_thread.clone()).await;
    side.client.call("thread/read", early).await;
    side.client.call("thread/read", of_thread.clone()).await;
    side.client.call("thread/resume", of_thread.clone()).await;
    side.client.until("thread/goal/cleared").await;
    side.client.call("thread/resume", json!({ "threadId": thread, "excludeTurns": true })).await;
    side.client.until("thread/goal/cleared").await;
    side.client.call("thread/fork", json!({ "threadId": thread, "lastTurnId": first })).await;
    side.client.until("thread/started").await;
    side.client
        .call("thread/fork", json!({ "threadId": thread, "ephemeral": true, "excludeTurns": true }))
        .await;
    side.client.until("thread/started").await;
    side.client.call("thread/revert", json!({ "threadId": thread, "beforeTurnId": last })).await;
    side.client.until("thread/reverted").await;
    side.client.try_call("thread/revert", json!({ "threadId": thread, "beforeTurnId": last })).await;
    side.client.call("thread/name/set", json!({ "threadId": thread, "name": "Mine" })).await;
    side.client.until("thread/name/updated").await;
    side.client.call("thread/unsubscribe", of_thread.clone()).await;
    side.client.call("thread/unsubscribe", of_thread.clone()).await;
    side.client.call("thread/archive", of_thread.clone()).await;
    side.client.until("thread/archived").await;
    side.client.try_call("thread/resume", of_thread.clone()).await;
    side.client.call("thread/unarchive", of_thread.clone()).await;
    side.client.until("thread/unarchived").await;
    // A fork still refers to it.
    side.client.try_call("thread/delete", of_thread).await;
    let other = side.thread(json!({})).await;
    side.client.play(&other, "[stream]").await;
    side.client.call("thread/delete", json!({ "threadId": other })).await;
    side.client.until("thread/deleted").await;
}

#[tokio::test]
async fn a_killed_process_and_a_resume() {
    let mut resumed = Vec::new();
    for mut side in both().await {
        let thread = side.thread(json!({})).await;
        side.client.play(&thread, "[stream]").await;
        let input = json!([{ "type": "text", "text": "[hang]" }]);
        let params = json!({ "threadId": thread, "input": input, "clientUserMessageId": "mine" });
        side.client.call("turn/start", params).await;
        side.client.until("item/completed").await;
        let mut side = side.killed().await;
        side.client.call("thread/resume", json!({ "threadId": thread })).await;
        side.client.until("thread/goal/cleared").await;
        side.client.play(&thread, "[stream]").await;
        let heard = side.client.heard.clone();
        let mut side = side.killed().await;
        side.client.call("thread/resume", json!({ "threadId": thread, "excludeTurns": true })).await;
        side.client.until("thread/goal/cleared").await;
        side.client.heard.splice(0..0, heard);
        resumed.push(side);
    }
    let sides: [Side; 2] = resumed.try_into().unwrap_or_else(|_| unreachable!("two sides"));
    compare("killed and resumed", Order::Exact, &sides);
}

#[tokio::test]
async fn errors() {
    let unknown = "01a1dddc-07b0-70d2-8edc-fcab2a02d72d";
    let of_unknown = json!({ "threadId": unknown });
    let cases: Vec<(&str, Value)> = vec![
        ("initialize", json!({ "clientInfo": { "name": "x", "version": "1" } })),
        ("turn/start", json!({ "threadId": 5 })),
        ("turn/start", json!({ "threadId": unknown, "input": [] })),
        ("turn/start", json!({ "threadId": unknown, "input": [{ "type": "hologram" }] })),
        ("turn/interrupt", json!({ "threadId": unknown, "turnId": unknown })),
        ("turn/steer", json!({ "threadId": unknown, "expectedTurnId": unknown, "input": [] })),
        ("thread/start", json!({ "approvalPolicy": "on-failure" })),
        ("thread/start", json!({ "sandbox": "workspaceWrite" })),
        ("thread/resume", of_unknown.clone()),
        ("thread/read", of_unknown.clone()),
        ("thread/fork", of_unknown.clone()),
        ("thread/archive", of_unknown.clone()),
        ("thread/unarchive", of_unknown.clone()),
        ("thread/delete", of_unknown.clone()),
        ("thread/unsubscribe", of_unknown.clone()),
        ("thread/turns/list", of_unknown.clone()),
        ("thread/compact/start", of_unknown.clone()),
        ("thread/backgroundTerminals/list", of_unknown.clone()),
        ("thread/backgroundTerminals/clean", of_unknown.clone()),
        ("thread/name/set", json!({ "threadId": unknown, "name": "x" })),
        ("thread/revert", json!({ "threadId": unknown, "beforeTurnId": unknown })),
        ("thread/list", json!({})),
        ("account/read", json!({})),
        ("account/login/start", json!({ "type": "apiKey", "apiKey": "none" })),
    ];
    let mut sides = both().await;
    for side in &mut sides {
        for (method, params) in &cases {
            side.client.try_call(method, params.clone()).await;
        }
        let thread = side.thread(json!({})).await;
        for (method, params) in [
            ("turn/interrupt", json!({ "threadId": thread, "turnId": unknown })),
            ("turn/interrupt", json!({ "threadId": thread, "turnId": "" })),
            ("turn/steer", json!({ "threadId": thread, "expectedTurnId": unknown, "input": [] })),
        ] {
            side.client.try_call(method, params).await;
        }
    }
    compare("errors", Order::Exact, &sides);
}
