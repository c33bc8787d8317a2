//! The session itself: what it is, what it does, what went wrong, what Codex tells beside its turns.

use serde_json::{Value, json};

use crate::stage::{SESSION, Stage, at, id, message};

fn phases(said: &[Value]) -> Vec<&str> {
    said.iter()
        .filter(|said| said["type"] == "session_phase")
        .map(|said| said["phase"].as_str().unwrap())
        .collect()
}

#[test]
fn a_session_begins_with_what_is_known_of_it() {
    let mut stage = Stage::default();
    let settings = json!({"cwd": "/w/tree", "model": "m", "name": "Mine", "worktree": "b", "repository": "/w/repo",
        "permission_mode": "plan", "mcp_servers": ["docs"], "tools": [{"name": "look", "description": "", "input_schema": {}}]});
    let said = stage.happens("session.created", settings);
    let session = json!({"model": "m", "cwd": "/w/tree", "permissionMode": "plan", "tools": ["look"], "is_worktree": true,
        "repo_root": "/w/repo", "mcp_servers": [{"name": "docs", "status": "connecting"}]});
    assert_eq!(
        said,
        [
            json!({"type": "session_update", "session": session}),
            json!({"type": "session_name_update", "name": "Mine"})
        ]
    );
    let state = serde_json::to_value(stage.speaker.state()).unwrap();
    assert_eq!((&state["session_id"], &state["backend_type"]), (&json!(SESSION), &json!("codex")));
    assert_eq!(state.as_object().unwrap().len(), 25, "every field that a browser reads of a Codex session");
}

#[test]
fn modes_are_told_as_they_are_and_policies_in_their_words() {
    for (settings, mode) in [
        (json!({"permission_mode": "acceptEdits"}), "acceptEdits"),
        (json!({"permission_mode": "bypassPermissions"}), "bypassPermissions"),
        (json!({"approval_policy": "never"}), "bypassPermissions"),
        (json!({"approval_policy": "untrusted"}), "default"),
        (json!({}), "default"),
    ] {
        let mut stage = Stage::default();
        stage.happens("session.created", settings.clone());
        assert_eq!(stage.speaker.state().permission_mode, mode, "{settings}");
    }
}

#[test]
fn what_changes_is_told_and_nothing_else() {
    let mut stage = Stage::running();
    let same = json!({"cwd": "/w", "model": "m", "permission_mode": "default"});
    assert_eq!(stage.happens("session.updated", same), Vec::<Value>::new());
    let said = stage.happens(
        "session.updated",
        json!({"cwd": "/w", "model": "n", "permission_mode": "plan", "name": "N"}),
    );
    assert_eq!(
        said,
        [
            json!({"type": "session_update", "session": {"model": "n", "permissionMode": "plan"}}),
            json!({"type": "session_name_update", "name": "N"}),
        ]
    );
}

#[test]
fn what_a_session_does_is_one_of_eight_phases_and_every_move_is_one_that_upstream_allows() {
    let mut stage = Stage::default();
    stage.happens("session.created", json!({"cwd": "/w"}));
    for (state, expected) in [
        ("idle", &["initializing", "ready"][..]),
        ("starting", &["streaming", "initializing"]),
        ("running", &["streaming"]),
        ("waiting", &["awaiting_permission"]),
        ("running", &["streaming"]),
        ("recovering", &["reconnecting"]),
        ("running", &["streaming"]),
        ("idle", &["ready"]),
        ("failed", &["terminated"]),
        ("idle", &["starting", "initializing", "ready"]),
        ("waiting", &["streaming", "awaiting_permission"]),
        ("stopped", &["terminated"]),
    ] {
        assert_eq!(phases(&stage.state(state, "idle")), expected, "{state}");
    }
}

#[test]
fn what_was_said_to_the_agent_is_told_with_its_id_and_again_if_it_is_changed() {
    let mut stage = Stage::default();
    stage.happens("session.created", json!({"cwd": "/w"}));
    let said = stage.happens("message.accepted", message(1));
    assert_eq!(said, [json!({"type": "user_message", "content": "Do it", "timestamp": at(2), "id": id(1)})]);
    let input = json!([{"type": "text", "text": "Do"}, {"type": "image", "sha256": "x", "media_type": "image/png"}, {"type": "text", "text": "that"}]);
    let said = stage.happens("message.updated", json!({"message_id": id(1), "input": input}));
    assert_eq!(
        said,
        [json!({"type": "user_message", "content": "Do\nthat", "timestamp": at(3), "id": id(1)})]
    );
    assert_eq!(
        stage.happens("message.updated", json!({"message_id": id(1), "position": 2})),
        Vec::<Value>::new()
    );
}

#[test]
fn a_warning_is_told_but_not_that_codex_tries_again_or_is_quiet() {
    let mut stage = Stage::running();
    let warning = |code: &str| json!({"code": code, "message": "oh", "hint": "do this"});
    assert_eq!(
        stage.happens("session.warning", warning("sandbox_unavailable")),
        [json!({"type": "error", "message": "oh\nhint: do this"})]
    );
    for code in ["retrying", "quiet"] {
        assert_eq!(stage.happens("session.warning", warning(code)), Vec::<Value>::new(), "{code}");
    }
    let failed = json!({"state": "failed", "previous": "running", "reason": "Codex does not start"});
    assert_eq!(stage.happens("session.state", failed)[0]["message"], "Codex does not start");
}

#[test]
fn an_app_server_that_dies_in_a_turn_is_missed_until_another_is_there() {
    let mut stage = Stage::running();
    let exited = json!({"reason": "killed", "stderr_tail": ""});
    assert_eq!(stage.happens("codex.exited", exited.clone()), [json!({"type": "cli_disconnected"})]);
    stage.state("recovering", "running");
    let said = stage.happens("codex.restarted", json!({"attempt": 1, "version": "0.166.0"}));
    let update = json!({"type": "session_update", "session": {"claude_code_version": "0.166.0"}});
    assert_eq!(said, [update, json!({"type": "cli_connected"})]);
    stage.state("idle", "recovering");
    assert_eq!(stage.happens("codex.exited", exited), Vec::<Value>::new(), "between turns nobody needs one");
}

#[test]
fn limits_models_names_and_servers_are_told_from_notices() {
    let mut stage = Stage::running();
    let mut notice = |method: &str, params: Value| {
        stage.happens("codex.notice", json!({"method": method, "params": params}))
    };
    let none = json!({"rateLimits": {"primary": null, "secondary": null}});
    assert_eq!(notice("account/rateLimits/updated", none), Vec::<Value>::new());
    let limits = json!({"rateLimits": {"primary": {"usedPercent": 12.5, "windowDurationMins": 300, "resetsAt": 1_794_000_000},
        "secondary": {"usedPercent": 1, "windowDurationMins": 10080, "resetsAt": 1_794_000_000_000_u64}}});
    let said = notice("account/rateLimits/updated", limits);
    let expected = json!({"primary": {"usedPercent": 12.5, "windowDurationMins": 300, "resetsAt": 1_794_000_000_000_u64},
        "secondary": {"usedPercent": 1.0, "windowDurationMins": 10080, "resetsAt": 1_794_000_000_000_u64}});
    assert_eq!(said[0]["session"]["codex_rate_limits"], expected);
    let said = notice("thread/settings/updated", json!({"threadSettings": {"model": "gpt-x"}}));
    assert_eq!(said[0]["session"], json!({"model": "gpt-x"}));
    assert_eq!(notice("model/rerouted", json!({"toModel": "gpt-y"}))[0]["session"]["model"], "gpt-y");
    assert_eq!(notice("thread/name/updated", json!({"threadName": "Tidy"}))[0]["name"], "Tidy");
    assert_eq!(notice("skills/changed", json!({})), Vec::<Value>::new());
}

#[test]
fn mcp_servers_are_told_as_they_start() {
    let mut stage = Stage::running();
    let mut starts = |name: &str, status: &str, error: Value| {
        let params = json!({"name": name, "status": status, "error": error});
        stage.happens("codex.notice", json!({"method": "mcpServer/startupStatus/updated", "params": params}))
    };
    let said = starts("docs", "starting", Value::Null);
    assert_eq!(said[0]["session"]["mcp_servers"], json!([{"name": "docs", "status": "connecting"}]));
    assert_eq!(said[1]["servers"][0]["status"], "connecting");
    assert_eq!(starts("docs", "ready", Value::Null)[1]["servers"][0]["status"], "connected");
    let said = starts("docs", "failed", json!("no such program"));
    assert_eq!(
        (&said[1]["servers"][0]["status"], &said[1]["servers"][0]["error"]),
        (&json!("failed"), &json!("no such program"))
    );
}

#[test]
fn mcp_servers_are_listed_with_their_tools() {
    let mut stage = Stage::running();
    let params = json!({"name": "docs", "status": "ready"});
    stage.happens("codex.notice", json!({"method": "mcpServer/startupStatus/updated", "params": params}));
    let tools =
        json!({"look": {"name": "look", "annotations": {"readOnlyHint": true}}, "write": {"name": "write"}});
    let listed = [json!({"name": "docs", "tools": tools}), json!({"name": "other", "tools": {}})];
    let told =
        serde_json::to_value(stage.speaker.mcp_servers(&listed.map(selvedge_session::Json::from))).unwrap();
    let expected =
        json!([{"name": "look", "annotations": {"readOnly": true}}, {"name": "write", "annotations": {}}]);
    assert_eq!(
        (&told["servers"][0]["status"], &told["servers"][0]["tools"]),
        (&json!("connected"), &expected)
    );
    assert_eq!(
        (&told["servers"][1]["name"], &told["servers"][1]["status"]),
        (&json!("other"), &json!("connected"))
    );
}

#[test]
fn a_server_that_was_switched_off_is_told_as_disabled_until_it_is_switched_on() {
    let mut stage = Stage::running();
    let params = json!({"name": "docs", "status": "ready"});
    stage.happens("codex.notice", json!({"method": "mcpServer/startupStatus/updated", "params": params}));
    let mut switched = |enabled: bool| {
        let said = stage.happens("session.updated", json!({"cwd": "/w", "mcp_enabled": {"docs": enabled}}));
        let told = said.iter().find(|said| said["type"] == "mcp_status").expect("how it is now");
        let listed = [json!({"name": "docs", "tools": {"look": {"name": "look"}}})];
        let tools = stage.speaker.mcp_servers(&listed.map(selvedge_session::Json::from));
        let tools =
            serde_json::to_value(tools).unwrap()["servers"][0]["tools"].as_array().map_or(0, Vec::len);
        (told["servers"][0]["status"].clone(), tools)
    };
    assert_eq!(switched(false), (json!("disabled"), 0));
    assert_eq!(switched(true), (json!("connecting"), 1), "how it starts is told when it does");
    // One of which nothing was told before: older versions do not say how servers start.
    let mut stage = Stage::running();
    let said = stage.happens("session.updated", json!({"cwd": "/w", "mcp_enabled": {"house": false}}));
    let told = said.iter().find(|said| said["type"] == "mcp_status").expect("how it is now");
    assert_eq!(told["servers"][0]["status"], "disabled");
}

#[test]
fn what_nobody_knows_is_told_once_and_breaks_nothing() {
    let mut stage = Stage::running();
    let mut unknown =
        |raw: &str| stage.happens("codex.unknown", json!({"direction": "from_codex", "raw": raw}));
    let said = unknown(r#"{"method":"weather/changed","params":{}}"#);
    assert!(said[0]["message"].as_str().unwrap().contains("`weather/changed`"), "{said:?}");
    assert_eq!(unknown(r#"{"method":"weather/changed","params":{}}"#), Vec::<Value>::new(), "once");
    let said = unknown(r#"{"method":"weather/ask","id":3,"params":{}}"#);
    assert!(said[0]["message"].as_str().unwrap().ends_with("It was refused."), "{said:?}");
    assert_eq!(
        unknown(r#"{"method":"turn/completed","params":{"new":1}}"#),
        Vec::<Value>::new(),
        "told as far as known"
    );
    assert_eq!(unknown("not JSON"), Vec::<Value>::new());
    assert_eq!(stage.event(json!({"type": "of.tomorrow", "data": {}})), Vec::<Value>::new());
}
