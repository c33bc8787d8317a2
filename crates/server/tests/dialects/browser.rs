//! A browser of The Companion's, unchanged: it opens a session, talks, answers, interrupts, and changes how it works.

use serde_json::{Value, json};

use crate::{
    on_both,
    socket::Socket,
    support::stage::{Stage, in_time},
};

on_both!(
    a_session_is_opened_and_talked_to,
    a_question_is_answered_by_one_browser_and_closed_in_all,
    a_turn_is_interrupted_and_what_is_sent_twice_is_done_once,
    the_model_and_the_mode_are_changed,
    git_is_told_on_open_and_after_each_turn,
);

fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
}

async fn open(stage: &Stage, id: &str) -> Socket {
    let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    let opened = socket.next().await;
    assert_eq!(opened["type"], "session_init");
    socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
    socket
}

fn assistant_texts(messages: &[Value]) -> Vec<String> {
    let blocks = messages.iter().filter(|message| message["type"] == "assistant");
    let blocks = blocks.flat_map(|message| message["message"]["content"].as_array().unwrap());
    blocks.filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
}

async fn a_session_is_opened_and_talked_to(stage: Stage) {
    let id = stage.session(json!({"model": "gpt-5.5", "name": "Mine"})).await;
    let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    let opened = socket.next().await;
    let session = &opened["session"];
    assert_eq!((&session["session_id"], &session["backend_type"]), (&json!(id), &json!("codex")));
    assert_eq!((&session["model"], &session["permissionMode"]), (&json!("gpt-5.5"), &json!("default")));
    assert!(opened.get("seq").is_none(), "how it stands has no number");
    socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
    socket.say(json!({"type": "user_message", "content": "Please [think]", "client_msg_id": "cmsg-1"})).await;
    let told = socket.until("result").await;
    let said = told.iter().find(|message| message["type"] == "user_message").unwrap();
    assert_eq!(said["content"], "Please [think]");
    let thinking: Vec<_> =
        told.iter().filter_map(|message| message["event"]["delta"]["thinking"].as_str()).collect();
    assert!(!thinking.is_empty(), "thoughts are streamed: {:?}", types(&told));
    assert_eq!(assistant_texts(&told), ["This way."]);
    let result = &told.last().unwrap()["data"];
    assert_eq!((&result["subtype"], &result["num_turns"]), (&json!("success"), &json!(1)));
    assert_eq!(result["usage"]["output_tokens"], 30);
    let update =
        told.iter().rfind(|message| message["session"].get("codex_token_details").is_some()).unwrap();
    assert_eq!(update["session"]["codex_token_details"]["reasoningOutputTokens"], 12);
    let seqs: Vec<_> = told.iter().filter_map(|message| message["seq"].as_u64()).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{seqs:?}");
    let phases = socket.until("session_phase").await;
    assert_eq!(phases.last().unwrap()["phase"], "ready");
    stage.close().await;
}

async fn a_question_is_answered_by_one_browser_and_closed_in_all(stage: Stage) {
    let id = stage.session(json!({"approval_policy": "on-request"})).await;
    let (mut one, mut other) = (open(&stage, &id).await, open(&stage, &id).await);
    one.say(json!({"type": "user_message", "content": "Do it [approve]"})).await;
    let asked = one.until("permission_request").await;
    let request = &asked.last().unwrap()["request"];
    assert_eq!(request["tool_name"], "Bash");
    assert!(request["input"]["command"].as_str().unwrap().contains("approved.txt"), "{request}");
    other.until("permission_request").await;
    let mut late = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    late.until("permission_request").await;
    let answer = json!({"type": "permission_response", "request_id": request["request_id"], "behavior": "allow", "client_msg_id": "cmsg-2"});
    one.say(answer.clone()).await;
    for socket in [&mut other, &mut late] {
        let closed = socket.until("permission_cancelled").await;
        assert_eq!(closed.last().unwrap()["request_id"], request["request_id"]);
    }
    // Sent again, as a browser does that lost its socket: nothing is refused, for it was done.
    one.say(answer).await;
    other
        .say(json!({"type": "permission_response", "request_id": request["request_id"], "behavior": "deny"}))
        .await;
    let refused = other.until("error").await;
    assert!(refused.last().unwrap()["message"].as_str().unwrap().contains("answered already"), "{refused:?}");
    let told = one.until("result").await;
    assert!(!types(&told).contains(&"error"), "{told:#?}");
    let gave = told.iter().find(|message| message["message"]["content"][0]["type"] == "tool_result").unwrap();
    assert_eq!(gave["message"]["content"][0]["content"].as_str().unwrap().lines().next(), Some("approved"));
    stage.close().await;
}

async fn a_turn_is_interrupted_and_what_is_sent_twice_is_done_once(stage: Stage) {
    let id = stage.session(json!({"approval_policy": "on-request"})).await;
    let mut socket = open(&stage, &id).await;
    let message = json!({"type": "user_message", "content": "Do it [approve]", "client_msg_id": "cmsg-7"});
    socket.say(message.clone()).await;
    socket.say(message).await;
    socket.until("permission_request").await;
    socket.say(json!({"type": "interrupt"})).await;
    let told = socket.until("result").await;
    assert_eq!(told.last().unwrap()["data"]["stop_reason"], "interrupted");
    socket.say(json!({"type": "interrupt"})).await;
    let listed = stage.http.get(&format!("/v1/sessions/{id}/messages")).await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "once: {listed}");
    let by = &stage.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200)["events"];
    let accepted = by.as_array().unwrap().iter().find(|event| event["type"] == "message.accepted").unwrap();
    assert!(accepted["data"]["sender"].as_str().unwrap().ends_with("/companion"), "{accepted}");
    stage.close().await;
}

async fn the_model_and_the_mode_are_changed(stage: Stage) {
    let id = stage.session(json!({"permission_mode": "default"})).await;
    let mut socket = open(&stage, &id).await;
    socket.say(json!({"type": "set_model", "model": "gpt-5.4"})).await;
    let told = socket.until("session_update").await;
    assert_eq!(told.last().unwrap()["session"], json!({"model": "gpt-5.4"}));
    socket.say(json!({"type": "set_permission_mode", "mode": "plan"})).await;
    let told = socket.until("session_update").await;
    assert_eq!(told.last().unwrap()["session"], json!({"permissionMode": "plan"}));
    socket.say(json!({"type": "mcp_get_status"})).await;
    assert_eq!(socket.until("mcp_status").await.last().unwrap()["servers"], json!([]));
    socket.say(json!({"type": "end_session"})).await;
    socket.until("error").await;
    stage.close().await;
}

async fn git_is_told_on_open_and_after_each_turn(stage: Stage) {
    std::fs::write(stage.work("before.txt"), "old\n").unwrap();
    for arguments in [
        &["init", "-q", "-b", "trunk"][..],
        &["add", "."],
        &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"],
    ] {
        let mut git = std::process::Command::new("git");
        assert!(git.current_dir(stage.work("")).args(arguments).status().unwrap().success());
    }
    let fields = json!({"approval_policy": "never", "sandbox": "danger-full-access"});
    let id = stage.session(fields).await;
    let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
    let session = socket.next().await["session"].clone();
    assert_eq!(
        (&session["git_branch"], &session["total_lines_added"]),
        (&json!("trunk"), &json!(0)),
        "{session}"
    );
    socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
    socket.say(json!({"type": "user_message", "content": "[patch]"})).await;
    socket.until("result").await;
    let update = socket.until("session_update").await.pop().unwrap();
    assert_eq!((&update["session"]["total_lines_added"], update.get("seq")), (&json!(2), None), "{update}");
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_reaches_the_session_and_a_broken_one_is_refused() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let id = stage.session(json!({})).await;
        let mut socket = open(&stage, &id).await;
        let broken = json!({"media_type": "image/png", "data": "no base64"});
        socket.say(json!({"type": "user_message", "content": "Look", "images": [broken]})).await;
        socket.until("error").await;
        let picture = json!({"media_type": "image/png", "data": "iVBORw0KGgo="});
        socket.say(json!({"type": "user_message", "content": "Look", "images": [picture]})).await;
        let told = socket.until("user_message").await;
        assert_eq!(told.last().unwrap()["content"], "Look");
        let events = stage.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200);
        let events = events["events"].as_array().unwrap();
        let accepted = events.iter().find(|event| event["type"] == "message.accepted").unwrap();
        assert_eq!(accepted["data"]["input"][1]["media_type"], "image/png");
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_session_or_no_socket_is_refused_before_it_opens() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let nobody = "/ws/browser/01a1e353-0000-7000-8000-000000000001";
        assert_eq!(Socket::try_open(&stage.http, nobody).await.err(), Some(404));
        assert_eq!(Socket::try_open(&stage.http, "/ws/browser/x").await.err(), Some(404));
        let id = stage.session(json!({})).await;
        assert_eq!(stage.http.get(&format!("/ws/browser/{id}")).await.problem(400), "invalid_argument");
        stage.close().await;
    })
    .await;
}

/// A browser that never subscribes is told what happens all the same.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_says_nothing_is_told_what_happens() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let id = stage.session(json!({})).await;
        let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
        stage
            .http
            .post(&format!("/v1/sessions/{id}/messages"), json!({"text": "[stream]"}))
            .await
            .expect(202);
        socket.until("result").await;
        stage.close().await;
    })
    .await;
}
