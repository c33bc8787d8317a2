//! What a session brings along: pictures, and MCP servers whose calls are asked about.

use std::fs;

use selvedge_protocol::calls;
use selvedge_rehearsal::mcp;
use selvedge_runtime::{
    files::{Files, picture_of_url},
    to_codex::{self, ThreadExtras, TurnStart},
};
use selvedge_session::{
    InputPart, Options, PermissionMode, SessionId, Settings,
    data::{ApprovalKind, Decision},
};
use serde_json::json;
use uuid::Uuid;

use crate::stage::{Stage, fresh};

/// One dot.
const DOT: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

#[tokio::test]
async fn a_picture_reaches_the_model_from_its_file() {
    let mut stage = Stage::open().await;
    let files = Files::new(stage.home.join("files")).unwrap();
    let session = SessionId(Uuid::now_v7());
    let sha256 = files.put(session, picture_of_url(DOT).unwrap()).await.unwrap();
    let settings = stage.settings();
    let (thread, now) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    let input = [
        InputPart::Image { sha256, media_type: "image/png".to_owned() },
        InputPart::Text { text: "[stream]".to_owned() },
    ];
    let start = TurnStart {
        thread_id: &thread,
        message_id: fresh(),
        input: &input,
        options: &Options::default(),
        after: None,
        settings: &settings,
        now: &now,
    };
    let params = to_codex::turn_start(&start, &|sha256| files.path(session, sha256));
    stage.client.call::<calls::TurnStart>(&params).await.expect("a turn");
    stage.until_method("turn/completed").await;
    assert!(
        stage.last_request().contains("data:image/png;base64,"),
        "the file has no ending, and needs none"
    );
    stage.close().await;
}

#[tokio::test]
async fn a_call_of_an_mcp_server_is_asked_about_and_accepted_for_the_session_only_once() {
    let mut stage = Stage::open().await;
    let script = stage.home.join("server.sh");
    fs::write(&script, mcp::SERVER).unwrap();
    let servers = json!({"demo": {"command": "sh", "args": [script]}});
    let extras = ThreadExtras { mcp_servers: servers.as_object().cloned().unwrap(), ..Default::default() };
    let settings = Settings { permission_mode: Some(PermissionMode::Default), ..stage.settings() };
    let (thread, _) = stage.thread_of(&settings, &extras).await;
    stage.turn(&thread, fresh(), "[mcp]").await;
    stage.decide(ApprovalKind::Elicitation, Decision::Decline, json!(null)).await;
    stage.until_method("turn/completed").await;
    assert!(stage.last_output().contains("rejected"), "{}", stage.last_output());
    stage.turn(&thread, fresh(), "[mcp]").await;
    stage.decide(ApprovalKind::Elicitation, Decision::AcceptForSession, json!(null)).await;
    stage.until_method("turn/completed").await;
    assert!(stage.last_output().contains("from the server"), "{}", stage.last_output());
    let (_, end) = stage.play(&thread, "[mcp]").await;
    assert_eq!(end["status"], "completed", "nobody was asked again");
    stage.close().await;
}
