//! Faults: they strike as asked, and nothing else breaks.

use selvedge_rehearsal::app_server::End;
use serde_json::json;

use super::{
    client::text,
    served::{home, items_of, served, silent},
};

#[tokio::test]
async fn a_flood_arrives_whole_and_in_order() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.start_turn(&thread, "flood").await;
    served.client.until("turn/completed").await;
    let deltas = served.client.heard.iter().filter(|m| m["method"] == "item/agentMessage/delta");
    let mut count = 0;
    for (at, delta) in deltas.enumerate() {
        assert_eq!(delta["params"]["turnId"], json!(turn));
        assert!(text(&delta["params"]["delta"]).starts_with(&format!("{at:018}")), "{delta}");
        count = at + 1;
    }
    assert_eq!(count, 5000);
}

#[tokio::test]
async fn broken_lines_are_broken_and_the_next_are_whole() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    for (words, broken) in [("garbage", 1), ("half", 1), ("huge", 0)] {
        served.client.forget();
        assert_eq!(served.client.play(&thread, words).await["items"][0]["text"], "fine again");
        let garbage = served.client.heard.iter().filter(|message| message.get("garbage").is_some()).count();
        assert_eq!(garbage, broken, "{words}");
    }
    assert!(served.client.heard.iter().any(|message| message.to_string().len() > 2_900_000));
}

#[tokio::test]
async fn a_crash_ends_the_stream_with_its_code() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    served.client.start_turn(&thread, "crash").await;
    while served.client.next().await.is_some() {}
    assert_eq!(served.server.await.unwrap().unwrap(), End::Crashed(3));
    let last = items_of(&served.client, "item/completed", "agentMessage");
    assert_eq!(last[0]["text"], "last words");
}

#[tokio::test]
async fn faults_of_the_process_are_played() {
    let home = home();
    let mut overloaded = served(home.path(), "overload-first=1,no-turn-completed,ignore-interrupt").await;
    assert_eq!(overloaded.client.refused("thread/list", json!({})).await.0, -32001);
    let thread = overloaded.thread(json!({})).await;
    let turn = overloaded.client.start_turn(&thread, "hello").await;
    overloaded.client.find(|message| message["params"]["status"]["type"] == "idle").await;
    let turns = overloaded.client.call("thread/turns/list", json!({ "threadId": thread })).await;
    assert_eq!((&turns["data"][0]["id"], &turns["data"][0]["status"]), (&json!(turn), &json!("completed")));
    assert!(!overloaded.client.methods().contains(&"turn/completed".to_owned()));

    let mut crashing = silent(home.path(), "crash-after=2");
    let client_info = json!({ "name": "x", "version": "1" });
    crashing.client.send_request("initialize", json!({ "clientInfo": client_info })).await;
    while crashing.client.next().await.is_some() {}
    assert_eq!(crashing.client.heard.len(), 2);
    assert_eq!(crashing.server.await.unwrap().unwrap(), End::Crashed(101));

    let mut mute = silent(home.path(), "silent");
    mute.client.send_request("initialize", json!({})).await;
    mute.client.hang_up().await;
    assert!(mute.client.heard.is_empty());
}
