//! Turns that the client cuts or steers, and what becomes of their commands.

use std::time::Duration;

use selvedge_rehearsal::app_server::End;
use serde_json::json;
use tokio::{io::AsyncReadExt, net::unix::pipe, time::timeout};

use super::served::{fifo, home, items_of, served};

#[tokio::test]
async fn an_interrupt_has_codex_s_traps() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let interrupt = |turn: &str| json!({ "threadId": thread, "turnId": turn });
    let none = (-32600, "no active turn to interrupt".to_owned());
    assert_eq!(served.client.refused("turn/interrupt", interrupt("x")).await, none);
    assert_eq!(served.client.call("turn/interrupt", interrupt("")).await, json!({}));
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("item/completed").await;
    let wrong = served.client.refused("turn/interrupt", interrupt("x")).await;
    assert_eq!(wrong.1, format!("expected active turn id x but found {turn}"));
    assert_eq!(served.client.call("turn/interrupt", interrupt(&turn)).await, json!({}));
    let ended = served.client.until("turn/completed").await;
    assert_eq!(
        (&ended["params"]["turn"]["status"], &ended["params"]["turn"]["items"]),
        (&json!("interrupted"), &json!([]))
    );
    // The second one waits for the end of the next turn.
    let second = served.client.send_request("turn/interrupt", interrupt(&turn)).await;
    served.client.forget();
    served.client.start_turn(&thread, "hello").await;
    served.client.answer_to(second).await;
    assert_eq!(served.client.next().await.unwrap()["params"]["status"]["type"], "idle");
    assert_eq!(served.client.next().await.unwrap()["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn an_interrupt_before_the_turn_has_started_finds_nothing() {
    let home = home();
    let mut served = served(home.path(), "slow-turn-start=300").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "hello").await;
    let early = served.client.refused("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    assert_eq!(early.1, "no active turn to interrupt");
    let ended = served.client.until("turn/completed").await;
    assert_eq!(ended["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn an_interrupted_approval_is_resolved_after_the_turn() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "run it").await;
    served.client.until("item/commandExecution/requestApproval").await;
    served.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    served.client.until("turn/completed").await;
    let resolved = served.client.next().await.unwrap();
    assert_eq!(
        (&resolved["method"], &resolved["params"]["requestId"]),
        (&json!("serverRequest/resolved"), &json!(0))
    );
    assert!(!served.dir.join("ran.txt").exists());
}

#[tokio::test]
async fn a_steer_cuts_the_stream_and_the_turn_goes_on() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let input = json!([{ "type": "text", "text": "hello instead" }]);
    let steer = |turn: &str| json!({ "threadId": thread, "expectedTurnId": turn, "input": input });
    let refused = served.client.refused("turn/steer", steer("x")).await;
    assert_eq!(refused.1, "no active turn to steer");
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("item/completed").await;
    let refused = served.client.refused("turn/steer", steer("x")).await;
    assert_eq!(refused.1, format!("expected active turn id `x` but found `{turn}`"));
    let steered = served.client.call("turn/steer", steer(&turn)).await;
    assert_eq!(steered["turnId"], json!(turn));
    let ended = served.client.until("turn/completed").await["params"]["turn"].clone();
    assert_eq!((&ended["id"], &ended["items"][0]["text"]), (&json!(turn), &json!("Hello there")));
    assert_eq!(items_of(&served.client, "item/completed", "userMessage").len(), 2);
}

#[tokio::test]
async fn a_start_on_a_busy_thread_steers() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "hang").await;
    served.client.until("turn/started").await;
    assert_eq!(served.client.start_turn(&thread, "hello").await, turn);
    assert_eq!(served.client.until("turn/completed").await["params"]["turn"]["id"], json!(turn));
}

#[tokio::test]
async fn a_steer_lets_a_command_finish() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let fifo = fifo(&served.dir);
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let turn = served.client.start_turn(&thread, "short").await;
    served
        .client
        .find(|m| m["method"] == "item/started" && m["params"]["item"]["type"] == "commandExecution")
        .await;
    let input = json!([{ "type": "text", "text": "hello" }]);
    let params = json!({ "threadId": thread, "expectedTurnId": turn, "input": input });
    served.client.call("turn/steer", params).await;
    tokio::task::spawn_blocking(move || std::fs::write(fifo, "read\n")).await.unwrap().unwrap();
    let ended = served.client.until("turn/completed").await;
    assert_eq!(ended["params"]["turn"]["items"][0]["text"], "Hello there");
    let item = items_of(&served.client, "item/completed", "commandExecution")[0];
    assert_eq!((&item["status"], &item["aggregatedOutput"]), (&json!("completed"), &json!("read\n")));
}

#[tokio::test]
async fn an_interrupted_command_lives_on_until_it_is_cleaned() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let turn = served.client.start_turn(&thread, "sleep").await;
    served.client.until("item/commandExecution/outputDelta").await;
    served.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
    served.client.until("turn/completed").await;
    let of_thread = json!({ "threadId": thread });
    let listed = served.client.call("thread/backgroundTerminals/list", of_thread.clone()).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    served.client.call("thread/backgroundTerminals/clean", of_thread.clone()).await;
    let ended = served.client.until("item/completed").await;
    assert_eq!(
        (&ended["params"]["item"]["status"], &ended["params"]["item"]["exitCode"]),
        (&json!("failed"), &json!(-1))
    );
    let listed = served.client.call("thread/backgroundTerminals/list", of_thread).await;
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn the_end_of_input_ends_it_and_its_commands() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "approvalPolicy": "never" })).await;
    let mut held = pipe::OpenOptions::new().open_receiver(fifo(&served.dir)).unwrap();
    served.client.start_turn(&thread, "hold").await;
    served.client.until("item/commandExecution/outputDelta").await;
    served.client.hang_up().await;
    assert_eq!(served.server.await.unwrap().unwrap(), End::Eof);
    assert!(!served.client.methods().contains(&"turn/completed".to_owned()));
    // The command and its child hold the pipe open as long as they live.
    let ended = timeout(Duration::from_secs(10), held.read(&mut [0; 1])).await;
    assert_eq!(ended.expect("the command is dead").unwrap(), 0);
}
