//! Older Codexes behind the sockets: a message, an approval, an interrupt, as a client of theirs says them.

use serde_json::json;

use crate::{
    socket::Socket,
    support::stage::{Stage, in_time},
};

async fn stage_and_session(version: &str) -> (Stage, String) {
    let stage = Stage::real_of(version).await;
    let id = stage.session(json!({"approval_policy": "on-request"})).await;
    (stage, id)
}

async fn a_browser(version: &str) {
    let (stage, id) = stage_and_session(version).await;
    let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
    socket.say(json!({"type": "user_message", "content": "[stream]"})).await;
    let told = socket.until("result").await;
    assert_eq!(told.last().unwrap()["data"]["subtype"], "success", "{version}");
    assert!(told.iter().any(|told| told["event"]["delta"]["text"].is_string()), "{version}: it is streamed");
    for (behavior, there) in [("deny", false), ("allow", true)] {
        socket.say(json!({"type": "user_message", "content": "[approve]"})).await;
        let asked = socket.until("permission_request").await;
        let request = &asked.last().unwrap()["request"];
        assert_eq!(request["tool_name"], "Bash", "{version}: {request}");
        let id = &request["request_id"];
        socket.say(json!({"type": "permission_response", "request_id": id, "behavior": behavior})).await;
        socket.until("result").await;
        assert_eq!(stage.work("approved.txt").exists(), there, "{version}: {behavior}");
    }
    socket.say(json!({"type": "user_message", "content": "[hang]"})).await;
    socket.until("user_message").await;
    socket.say(json!({"type": "interrupt"})).await;
    let told = socket.until("result").await;
    assert_eq!(told.last().unwrap()["data"]["stop_reason"], "interrupted", "{version}");
    stage.close().await;
}

async fn a_page_of_yaars(version: &str) {
    let (stage, id) = stage_and_session(version).await;
    let mut page = Socket::open(&stage.http, &format!("/ws/stream/{id}?dialect=yaar")).await;
    page.say(json!({"type": "USER_MESSAGE", "messageId": "m1", "content": "[stream]"})).await;
    let told = page.until("complete").await;
    assert!(told.iter().filter(|told| told["type"] == "text").count() > 1, "{version}: it is streamed");
    page.say(json!({"type": "USER_MESSAGE", "messageId": "m2", "content": "[approve]"})).await;
    let asked = page.until("approval_request").await;
    let dialog = &asked.last().unwrap()["dialogId"];
    page.say(json!({"type": "DIALOG_FEEDBACK", "dialogId": dialog, "confirmed": true})).await;
    let told = page.until("complete").await;
    assert!(told.iter().any(|told| told["type"] == "tool_result"), "{version}: {told:#?}");
    assert!(stage.work("approved.txt").exists(), "{version}");
    page.say(json!({"type": "USER_MESSAGE", "messageId": "m3", "content": "[hang]"})).await;
    page.until("done").await;
    page.say(json!({"type": "INTERRUPT"})).await;
    let ended = page.until("error").await;
    assert_eq!(ended.last().unwrap()["error"], "Turn was interrupted", "{version}");
    stage.close().await;
}

macro_rules! of_each_version {
    ($($name:ident: $version:literal),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread")]
            async fn a_browser_of_the_companions() {
                super::in_time(super::a_browser($version)).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn a_page_of_yaars() {
                super::in_time(super::a_page_of_yaars($version)).await;
            }
        }
    )+};
}

of_each_version!(codex_0_72: "0.72.0", codex_0_98: "0.98.0", codex_0_120: "0.120.0");
