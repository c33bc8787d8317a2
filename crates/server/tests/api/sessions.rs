//! Sessions: made, listed, changed, removed.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::stage::Stage,
    ways::{say, talking, until},
};

on_both!(
    a_session_is_made_and_works_as_it_was_made,
    what_is_changed_holds_from_the_next_turn_on,
    a_removed_session_is_gone_with_its_turn
);

on_the_stand_in!(
    a_session_shows_what_it_was_made_with,
    a_session_has_the_defaults_of_the_gateway,
    no_secret_comes_back,
    a_list_goes_on_where_its_page_ended,
    a_list_is_narrowed_by_state_and_label,
    a_wrong_directory_is_named,
    tools_and_instructions_are_fixed,
    other_instructions_begin_a_new_thread_if_asked_to,
    a_bare_session_needs_no_directory,
    what_is_unknown_is_not_found,
);

async fn a_session_is_made_and_works_as_it_was_made(stage: Stage) {
    let fields = json!({
        "cwd": stage.work(""), "name": "first", "labels": {"team": "a"}, "approval_policy": "never",
        "sandbox": "danger-full-access", "developer_instructions": "Be brief.",
    });
    let made = stage.http.post("/v1/sessions", fields).await;
    let place = made.headers["location"].to_str().unwrap().to_owned();
    let made = made.expect(201);
    let id = made["id"].as_str().unwrap();
    assert_eq!(place, format!("/v1/sessions/{id}"));
    assert_eq!((&made["name"], &made["labels"]), (&json!("first"), &json!({"team": "a"})));
    assert_eq!(say(&stage, id, "[patch]").await["state"], "completed", "nobody is asked");
    assert!(stage.work("judged.txt").exists(), "it works there");
    let shown = stage.http.get(&place).await.expect(200);
    assert!(shown["thread_id"].is_string() && shown["state"] == "idle", "{shown}");
    let kind = if stage.runtime.config().is_rehearsal() { "rehearsal" } else { "codex" };
    assert_eq!(shown["backend"]["kind"], kind);
    assert!(shown["backend"]["version"].as_str().unwrap().starts_with("0."), "{shown}");
    stage.close().await;
}

async fn a_session_shows_what_it_was_made_with(stage: Stage) {
    let given = json!({
        "name": "mender", "model": "gpt-5.4", "effort": "high", "summary": "auto", "personality": "friendly",
        "approval_policy": "on-request", "sandbox": "read-only", "base_instructions": "Be brief.",
        "developer_instructions": "Be kind.", "busy_policy": "steer", "isolation": "isolated", "ephemeral": true,
        "config": {"web_search": "disabled"}, "labels": {"team": "a"}, "deadline_seconds": 60,
        "budget": {"max_total_tokens": 1000, "max_output_tokens": 100}, "approval_timeout_seconds": 30,
        "stall_seconds": 20, "unattended": "decline", "on_lost": "continue", "bare": true,
        "tools": [{"name": "lookup", "description": "Looks up.", "input_schema": {"type": "object"}, "timeout_seconds": 5}],
    });
    let mut body = given.clone();
    body["cwd"] = json!(stage.work(""));
    body["backend"] = json!("rehearsal");
    let answer = stage.http.post("/v1/sessions", body).await;
    let place = answer.headers["location"].to_str().unwrap().to_owned();
    let made = answer.expect(201);
    assert_eq!(place, format!("/v1/sessions/{}", made["id"].as_str().unwrap()));
    let shown = stage.http.get(&place).await.expect(200);
    for (field, value) in given.as_object().unwrap() {
        assert_eq!((&made[field], &shown[field]), (value, value), "{field}");
    }
    assert_eq!((&shown["backend"]["kind"], &shown["queued"]), (&json!("rehearsal"), &json!(0)));
    assert_eq!((&shown["id"], &shown["created_at"]), (&made["id"], &made["created_at"]));
    stage.close().await;
}

async fn a_session_has_the_defaults_of_the_gateway(stage: Stage) {
    let made = stage.session(json!({})).await;
    let shown = stage.http.get(&format!("/v1/sessions/{made}")).await.expect(200);
    assert_eq!(
        [&shown["permission_mode"], &shown["sandbox"], &shown["busy_policy"], &shown["unattended"]],
        ["default", "workspace-write", "queue", "wait"]
    );
    assert_eq!((&shown["approval_policy"], &shown["git"]), (&Value::Null, &Value::Null));
    stage.close().await;
}

async fn no_secret_comes_back(stage: Stage) {
    let body = json!({
        "env": {"API_KEY": "hush-1"},
        "mcp_servers": {"demo": {"command": "demo", "args": ["hush-2"], "env": {"TOKEN": "hush-3"}, "enabled_tools": ["a"]}},
    });
    let made = stage.session(body).await;
    let shown = stage.http.get(&format!("/v1/sessions/{made}")).await.expect(200);
    assert_eq!((&shown["env"], &shown["mcp_servers"]), (&json!(["API_KEY"]), &json!(["demo"])));
    let list = stage.http.get("/v1/sessions").await.expect(200);
    let created = until(&stage, &made, "session.created").await;
    for text in [shown.to_string(), list.to_string(), created.to_string()] {
        assert!(!text.contains("hush-"), "{text}");
    }
    stage.close().await;
}

async fn a_list_goes_on_where_its_page_ended(stage: Stage) {
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(stage.session(json!({"name": n.to_string()})).await);
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = stage.http.get(&format!("/v1/sessions?limit=2{cursor}")).await.expect(200);
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 2);
        seen.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, made, "each once, in the order in which they were made");
    for limit in ["0", "1001", "many"] {
        let answer = stage.http.get(&format!("/v1/sessions?limit={limit}")).await;
        assert_eq!(answer.problem(400), "query_invalid");
        assert_eq!(answer.json()["field"], "limit");
    }
    stage.close().await;
}

async fn a_list_is_narrowed_by_state_and_label(stage: Stage) {
    let first = stage.session(json!({"labels": {"team": "a", "urgent": "yes"}})).await;
    let second = stage.session(json!({"labels": {"team": "b"}})).await;
    stage.http.post(&format!("/v1/sessions/{second}/stop"), json!({})).await.expect(202);
    let asked = [
        ("label=team=a", vec![&first]),
        ("label=team:b", vec![&second]),
        ("label=team=a,urgent=yes", vec![&first]),
        ("label=team=a,urgent=no", vec![]),
        ("state=stopped", vec![&second]),
        ("state=stopped&label=team=a", vec![]),
    ];
    for (query, wanted) in asked {
        let list = stage.http.get(&format!("/v1/sessions?{query}")).await.expect(200);
        let found: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        assert_eq!(json!(found), json!(wanted), "{query}");
    }
    for (query, field) in [("state=asleep", "state"), ("label=team", "label"), ("colour=red", "colour")] {
        let answer = stage.http.get(&format!("/v1/sessions?{query}")).await;
        assert_eq!((answer.problem(400).as_str(), &answer.json()["field"]), ("query_invalid", &json!(field)));
    }
    stage.close().await;
}

async fn what_is_changed_holds_from_the_next_turn_on(stage: Stage) {
    let session = stage.session(json!({"approval_policy": "never", "sandbox": "danger-full-access"})).await;
    let path = format!("/v1/sessions/{session}");
    say(&stage, &session, "[stream]").await;
    let patch = json!({"name": "renamed", "permission_mode": "default", "labels": {"a": "b"}, "busy_policy": "reject"});
    let changed = stage.http.patch(&path, patch).await.expect(200);
    assert_eq!((&changed["name"], &changed["labels"]), (&json!("renamed"), &json!({"a": "b"})));
    assert_eq!((&changed["permission_mode"], &changed["approval_policy"]), (&json!("default"), &Value::Null));
    stage.http.post(&format!("{path}/messages"), json!({"text": "[patch]"})).await.expect(202);
    let asked = until(&stage, &session, "approval.requested").await;
    assert_eq!(asked["data"]["kind"], "file_change", "what was never asked is asked now");
    let refused = stage.http.post(&format!("{path}/messages"), json!({"text": "[stream]"})).await;
    assert_eq!(refused.problem(409), "busy");
    stage.http.delete(&path).await.expect(204);
    stage.close().await;
}

async fn a_removed_session_is_gone_with_its_turn(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}");
    stage.http.delete(&path).await.expect(204);
    for path in [path.clone(), format!("{path}/messages"), format!("{path}/messages/{message}")] {
        assert_eq!(stage.http.get(&path).await.problem(404), "not_found");
    }
    assert_eq!(stage.http.delete(&path).await.problem(404), "not_found");
    let list = stage.http.get("/v1/sessions").await.expect(200);
    assert_eq!(list["items"], json!([]));
    stage.close().await;
}

async fn a_wrong_directory_is_named(stage: Stage) {
    std::fs::write(stage.work("file"), "").unwrap();
    let wrong = [
        (json!(stage.work("nowhere")), "create the directory"),
        (json!(stage.work("file")), "the directory it lies in"),
        (json!("work"), "from `/` on"),
        (json!(""), "from `/` on"),
    ];
    for (cwd, hint) in wrong {
        let answer = stage.http.post("/v1/sessions", json!({"cwd": cwd})).await;
        assert_eq!(
            (answer.problem(400).as_str(), &answer.json()["field"]),
            ("invalid_argument", &json!("cwd"))
        );
        assert!(answer.json()["hint"].as_str().is_some_and(|said| said.contains(hint)), "{}", answer.json());
    }
    let both = json!({"cwd": stage.work(""), "approval_policy": "never", "permission_mode": "plan"});
    assert_eq!(stage.http.post("/v1/sessions", both).await.problem(400), "invalid_argument");
    let neither = json!({"cwd": stage.work(""), "mcp_servers": {"demo": {"args": []}}});
    let answer = stage.http.post("/v1/sessions", neither).await;
    assert_eq!(
        (answer.problem(400).as_str(), &answer.json()["field"]),
        ("invalid_argument", &json!("mcp_servers.demo"))
    );
    let nul = json!({"cwd": stage.work(""), "env": {"A=B": "c"}});
    assert_eq!(stage.http.post("/v1/sessions", nul).await.problem(400), "invalid_argument");
    stage.close().await;
}

async fn tools_and_instructions_are_fixed(stage: Stage) {
    let tools = json!([{"name": "lookup", "description": "", "input_schema": {}}]);
    let adopted = json!({"cwd": stage.work(""), "thread_id": uuid::Uuid::now_v7(), "tools": tools});
    let answer = stage.http.post("/v1/sessions", adopted).await;
    assert_eq!(answer.problem(409), "tools_fixed");
    assert_eq!(answer.json()["hint"], "make a new session");
    let session = stage.session(json!({})).await;
    let changes =
        [("tools", tools), ("base_instructions", json!("Sing.")), ("developer_instructions", json!("Hum."))];
    for (field, value) in changes {
        let answer = stage.http.patch(&format!("/v1/sessions/{session}"), json!({field: value})).await;
        assert_eq!((answer.problem(409).as_str(), &answer.json()["field"]), ("tools_fixed", &json!(field)));
    }
    stage.close().await;
}

async fn other_instructions_begin_a_new_thread_if_asked_to(stage: Stage) {
    let session = stage.session(json!({"developer_instructions": "Sing."})).await;
    let place = format!("/v1/sessions/{session}");
    say(&stage, &session, "[stream]").await;
    let old = stage.http.get(&place).await.expect(200)["thread_id"].clone();
    for (field, value) in [("developer_instructions", "Hum."), ("base_instructions", "Be a choir.")] {
        let changed = stage.http.patch(&place, json!({field: value, "new_thread": true})).await.expect(200);
        assert_eq!((&changed[field], &changed["thread_id"]), (&json!(value), &Value::Null));
        say(&stage, &session, "[stream]").await;
    }
    let page = stage.http.get(&format!("{place}/events?limit=1000")).await.expect(200);
    let events = page["events"].as_array().unwrap().iter();
    let told: Vec<_> =
        events.filter(|event| event["type"] == "session.warning").map(|event| &event["data"]).collect();
    assert!(told.iter().all(|told| told["code"] == "new_thread") && told.len() == 2, "{told:?}");
    assert!(told[0]["message"].as_str().unwrap().contains(old.as_str().unwrap()), "it says which was left");
    stage.close().await;
}

async fn a_bare_session_needs_no_directory(stage: Stage) {
    let without = stage.http.post("/v1/sessions", json!({"name": "nowhere"})).await;
    assert_eq!((without.problem(400).as_str(), &without.json()["field"]), ("body_invalid", &json!("cwd")));
    let made = stage.http.post("/v1/sessions", json!({"bare": true})).await.expect(201);
    let (id, cwd) = (made["id"].as_str().unwrap(), made["cwd"].as_str().unwrap());
    assert!(std::path::Path::new(cwd).is_dir() && cwd.ends_with(id), "{cwd}");
    assert_eq!(say(&stage, id, "[stream]").await["state"], "completed");
    stage.http.delete(&format!("/v1/sessions/{id}")).await.expect(204);
    assert!(!std::path::Path::new(cwd).exists());
    stage.close().await;
}

async fn what_is_unknown_is_not_found(stage: Stage) {
    let unknown = uuid::Uuid::now_v7();
    let session = stage.session(json!({})).await;
    let got = [
        format!("/v1/sessions/{unknown}"),
        "/v1/sessions/none".to_owned(),
        format!("/v1/sessions/{unknown}/messages"),
        format!("/v1/sessions/{session}/messages/{unknown}"),
        format!("/v1/sessions/{session}/messages/{unknown}?wait=5"),
    ];
    for path in got {
        assert_eq!(stage.http.get(&path).await.problem(404), "not_found", "{path}");
    }
    let posted = [
        (format!("/v1/sessions/{unknown}/messages"), json!({"text": "a"})),
        (format!("/v1/sessions/{unknown}/interrupt"), json!({})),
        (format!("/v1/sessions/{unknown}/fork"), json!({})),
        (format!("/v1/approvals/{unknown}"), json!({"decision": "accept"})),
        (format!("/v1/tool-calls/{unknown}"), json!({"success": true, "content": []})),
    ];
    for (path, body) in posted {
        assert_eq!(stage.http.post(&path, body).await.problem(404), "not_found", "{path}");
    }
    let message = format!("/v1/sessions/{session}/messages/{unknown}");
    assert_eq!(stage.http.patch(&message, json!({"position": 0})).await.problem(404), "not_found");
    assert_eq!(stage.http.delete(&message).await.problem(404), "not_found");
    stage.close().await;
}
