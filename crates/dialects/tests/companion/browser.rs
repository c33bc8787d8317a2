//! What else a browser says.

use selvedge_dialects::{Picture, Wish, companion::Heard};
use selvedge_session::{Patch, PermissionMode};
use serde_json::{Value, json};

use crate::stage::Stage;

fn hear(said: Value) -> Heard {
    Stage::running().speaker.understand(&said.to_string())
}

fn wishes(heard: Heard) -> Vec<Wish> {
    match heard {
        Heard::Wishes { wishes, .. } => wishes,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_message_is_sent_with_its_pictures_and_once() {
    let picture = json!({"media_type": "image/png", "data": "AA=="});
    let said = json!({"type": "user_message", "content": "Look", "images": [picture], "client_msg_id": "cmsg-1", "session_id": "x"});
    let pictures = vec![Picture { media_type: "image/png".into(), data: "AA==".into() }];
    let send = Wish::Send { text: "Look".into(), pictures, key: Some("cmsg-1".into()), when_busy: None };
    assert_eq!(hear(said), Heard::Wishes { key: Some("cmsg-1".into()), wishes: vec![send] });
    let said = json!({"type": "user_message", "content": "Look", "attachments": [{"name": "a", "media_type": "image/png", "data": "AA==", "size": 1}]});
    let sent = wishes(hear(said));
    assert!(matches!(sent.as_slice(), [Wish::Send { pictures, key: None, .. }] if pictures.len() == 1));
}

#[test]
fn the_model_and_the_mode_can_be_changed() {
    let patched = |said: Value| match wishes(hear(said)).remove(0) {
        Wish::Update(patch) => *patch,
        other => panic!("{other:?}"),
    };
    let model = patched(json!({"type": "set_model", "model": "gpt-x"}));
    assert_eq!(model, Patch { model: Some("gpt-x".into()), ..Patch::default() });
    for (mode, expected) in [
        ("plan", PermissionMode::Plan),
        ("acceptEdits", PermissionMode::AcceptEdits),
        ("bypassPermissions", PermissionMode::BypassPermissions),
        ("default", PermissionMode::Default),
    ] {
        let patch = patched(json!({"type": "set_permission_mode", "mode": mode}));
        assert_eq!(patch.permission_mode, Some(expected));
    }
    assert!(matches!(hear(json!({"type": "set_permission_mode", "mode": "yolo"})), Heard::Refused { .. }));
}

#[test]
fn after_planning_the_default_is_the_mode_before_it() {
    let mut stage = Stage::running();
    let set = |stage: &Stage| match stage
        .speaker
        .understand(r#"{"type":"set_permission_mode","mode":"default"}"#)
    {
        Heard::Wishes { wishes, .. } => match wishes.as_slice() {
            [Wish::Update(patch)] => patch.permission_mode,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    stage.happens("session.updated", json!({"cwd": "/w", "permission_mode": "bypassPermissions"}));
    assert_eq!(set(&stage), Some(PermissionMode::Default));
    stage.happens("session.updated", json!({"cwd": "/w", "permission_mode": "plan"}));
    assert_eq!(set(&stage), Some(PermissionMode::BypassPermissions));
    let mut planned = Stage::default();
    planned.happens("session.created", json!({"cwd": "/w", "permission_mode": "plan"}));
    assert_eq!(set(&planned), Some(PermissionMode::AcceptEdits), "one that began with planning");
}

#[test]
fn mcp_servers_are_switched_started_again_and_added() {
    let off =
        json!({"type": "mcp_toggle", "serverName": "docs", "enabled": false, "client_msg_id": "cmsg-1"});
    assert_eq!(wishes(hear(off)), [Wish::SwitchServer { name: "docs".into(), enabled: false }]);
    assert_eq!(wishes(hear(json!({"type": "mcp_reconnect", "serverName": "docs"}))), [Wish::RestartServers]);
    let servers = json!({
        "docs": {"type": "stdio", "command": "docs", "args": ["-v"], "env": {"KEY": "k"}},
        "far": {"type": "http", "url": "https://example.com/mcp"},
    });
    let added = wishes(hear(json!({"type": "mcp_set_servers", "servers": servers})));
    let expected = json!({
        "docs": {"command": "docs", "args": ["-v"], "env": {"KEY": "k"}},
        "far": {"url": "https://example.com/mcp"},
    });
    assert_eq!(added, [Wish::AddServers(expected.as_object().cloned().unwrap())]);
    for wrong in [json!({}), json!({"mine": {"type": "sdk"}}), json!({"mine": {"command": "a", "url": "b"}})]
    {
        let said = json!({"type": "mcp_set_servers", "servers": wrong});
        assert!(matches!(hear(said), Heard::Refused { .. }), "{wrong}");
    }
}

#[test]
fn everything_else_is_understood_refused_or_dropped() {
    assert_eq!(hear(json!({"type": "session_subscribe", "last_seq": 7})), Heard::Subscribe { last_seq: 7 });
    assert_eq!(hear(json!({"type": "session_subscribe", "last_seq": 7.9})), Heard::Subscribe { last_seq: 7 });
    assert_eq!(hear(json!({"type": "session_subscribe", "last_seq": -3})), Heard::Subscribe { last_seq: 0 });
    assert_eq!(hear(json!({"type": "session_subscribe"})), Heard::Subscribe { last_seq: 0 });
    assert_eq!(hear(json!({"type": "session_ack", "last_seq": 7})), Heard::Ack);
    assert_eq!(wishes(hear(json!({"type": "interrupt"}))), [Wish::Interrupt]);
    assert_eq!(hear(json!({"type": "mcp_get_status"})), Heard::McpStatus);
    for kind in ["end_session", "stop_task", "update_environment_variables", "set_ai_validation"] {
        assert!(matches!(hear(json!({ "type": kind })), Heard::Refused { .. }), "{kind}");
    }
    for frame in ["", "{", "7", "[]", r#"{"type":7}"#, r#"{"type":"magic_ui_sync"}"#] {
        assert_eq!(Stage::running().speaker.understand(frame), Heard::Nothing, "{frame}");
    }
    assert!(matches!(hear(json!({"type": "user_message"})), Heard::Refused { .. }));
}
