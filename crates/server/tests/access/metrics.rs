//! What Prometheus reads after something has happened: each number moves with what it counts.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{
    gate::Gate,
    support::{http::Http, stage::in_time},
};

/// Every metric by its name and labels.
async fn all(gate: &Gate) -> HashMap<String, f64> {
    let answer = gate.owner().get("/metrics").await;
    assert_eq!(answer.status, 200);
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(text.ends_with("# EOF\n"), "{text}");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair =
        |line: &str| line.rsplit_once(' ').map(|(name, value)| (name.to_owned(), value.parse().unwrap()));
    lines.map(|line| pair(line).unwrap()).collect()
}

/// What a metric says now; labels stand in its name.
pub(crate) async fn value(gate: &Gate, name: &str) -> f64 {
    *all(gate).await.get(name).unwrap_or_else(|| panic!("{name} is missing"))
}

/// Waits until it says this.
pub(crate) async fn until(gate: &Gate, name: &str, wanted: f64) {
    while value(gate, name).await != wanted {
        tokio::task::yield_now().await;
    }
}

/// Looks that these say so, all at one time.
async fn say(gate: &Gate, wanted: &[(&str, f64)]) {
    let all = all(gate).await;
    for (name, wanted) in wanted {
        assert_eq!(all.get(&format!("selvedge_{name}")), Some(wanted), "{name} in {all:#?}");
    }
}

async fn session(gate: &Gate, mut fields: Value) -> String {
    fields["cwd"] = json!(gate.work());
    let made = gate.owner().post("/v1/sessions", fields).await.expect(201);
    format!("/v1/sessions/{}", made["id"].as_str().unwrap())
}

async fn send(owner: &Http, session: &str, text: &str) -> String {
    let sent = owner.post(&format!("{session}/messages"), json!({"text": text})).await.expect(202);
    format!("{session}/messages/{}", sent["message_id"].as_str().unwrap())
}

async fn end(owner: &Http, message: &str) -> Value {
    owner.get(&format!("{message}?wait=80")).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_queues_and_questions_are_counted_as_they_stand() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        let zero = [("sessions{state=\"idle\"}", 0.0), ("queued_messages", 0.0), ("app_servers", 0.0)];
        say(&gate, &zero).await;
        let asking = session(&gate, json!({"approval_policy": "on-request"})).await;
        let other = session(&gate, json!({})).await;
        end(&owner, &send(&owner, &other, "[stream]").await).await;
        let first = send(&owner, &asking, "[approve]").await;
        let second = send(&owner, &asking, "[stream]").await;
        until(&gate, "selvedge_approvals_pending", 1.0).await;
        let wanted = [
            ("sessions{state=\"idle\"}", 1.0),
            ("sessions{state=\"waiting\"}", 1.0),
            ("sessions{state=\"failed\"}", 0.0),
            ("queued_messages", 1.0),
            ("app_servers", 1.0),
            ("app_server_threads", 2.0),
            ("tool_calls_pending", 0.0),
        ];
        say(&gate, &wanted).await;
        assert!(value(&gate, "selvedge_approvals_oldest_seconds").await > 0.0);
        let asked = owner.get("/v1/approvals").await.expect(200);
        let answer = format!("/v1/approvals/{}", asked["items"][0]["approval_id"].as_str().unwrap());
        owner.post(&answer, json!({"decision": "accept"})).await.expect(200);
        for message in [first, second] {
            assert_eq!(end(&owner, &message).await["state"], "completed");
        }
        owner.post(&format!("{other}/archive"), json!({})).await.expect(202);
        until(&gate, "selvedge_sessions{state=\"idle\"}", 1.0).await;
        let wanted = [
            ("sessions{state=\"waiting\"}", 0.0),
            ("sessions_archived", 1.0),
            ("queued_messages", 0.0),
            ("approvals_pending", 0.0),
            ("approvals_oldest_seconds", 0.0),
        ];
        say(&gate, &wanted).await;
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_tokens_and_money_add_up() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        let session = session(&gate, json!({"model": "gpt-5.5"})).await;
        let mut cost = 0.0;
        for (text, status) in
            [("[stream]", "completed"), ("[think]", "completed"), ("[fail usage]", "failed")]
        {
            let name = format!("selvedge_messages_finished_total{{status=\"{status}\"}}");
            let before = value(&gate, &name).await;
            let ended = end(&owner, &send(&owner, &session, text).await).await;
            cost += ended["cost_usd"].as_f64().unwrap_or_default();
            assert_eq!((&ended["state"], value(&gate, &name).await), (&json!(status), before + 1.0));
        }
        let hanging = send(&owner, &session, "[hang]").await;
        until(&gate, "selvedge_sessions{state=\"running\"}", 1.0).await;
        owner.post(&format!("{session}/interrupt"), json!({})).await.expect(202);
        assert_eq!(end(&owner, &hanging).await["state"], "interrupted");
        let used = owner.get(&session).await.expect(200)["usage"].clone();
        let all = all(&gate).await;
        for kind in ["input", "cached_input", "cache_write_input", "output", "reasoning_output"] {
            let counted = all[&format!("selvedge_tokens_total{{kind=\"{kind}\"}}")];
            assert_eq!(Some(counted), used[kind].as_f64(), "{kind}");
        }
        assert!(used["input"].as_f64() > Some(0.0) && cost > 0.0, "{used} {cost}");
        assert!((all["selvedge_cost_usd_total"] - cost).abs() < 1e-9);
        assert_eq!(all["selvedge_messages_finished_total{status=\"interrupted\"}"], 1.0);
        assert_eq!(all["selvedge_messages_finished_total{status=\"lost\"}"], 0.0);
        assert_eq!(all["selvedge_turns_total"], 4.0);
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_commits_and_answers_are_counted() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        let before = all(&gate).await;
        let session = session(&gate, json!({})).await;
        end(&owner, &send(&owner, &session, "[stream]").await).await;
        assert_eq!(owner.get("/v1/nothing").await.status, 404);
        let last = owner.get(&session).await.expect(200)["last_seq"].as_f64().unwrap();
        let all = all(&gate).await;
        let moved = |name: &str| all[name] - before[name];
        assert_eq!(moved("selvedge_events_total"), last, "every event of the session");
        let commits = moved("selvedge_commits_total");
        assert!(commits >= 5.0, "{commits}");
        for part in
            ["selvedge_commit_duration_seconds_count", "selvedge_commit_duration_seconds_bucket{le=\"+Inf\"}"]
        {
            assert_eq!(moved(part), commits, "{part}");
        }
        assert!(moved("selvedge_commit_duration_seconds_sum") > 0.0);
        let parts =
            all.iter().filter(|(name, _)| name.starts_with("selvedge_commit_duration_seconds_bucket"));
        assert!(
            parts.clone().count() > 10
                && parts.clone().all(|(_, count)| *count <= all["selvedge_commits_total"])
        );
        assert_eq!(moved("selvedge_http_answers_total{class=\"4xx\"}"), 1.0);
        assert!(moved("selvedge_http_answers_total{class=\"2xx\"}") >= 5.0);
        assert!(all["selvedge_resident_memory_bytes"] > 1e6);
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn app_servers_that_ended_and_their_successors_are_counted() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        let session = session(&gate, json!({"on_lost": "continue"})).await;
        let slow = send(&owner, &session, "[slow]").await;
        until(&gate, "selvedge_app_servers", 1.0).await;
        until(&gate, "selvedge_sessions{state=\"running\"}", 1.0).await;
        say(&gate, &[("app_server_exits_total", 0.0), ("app_server_restarts_total", 0.0)]).await;
        owner.post(&format!("{session}/interrupt"), json!({"force": true})).await.expect(202);
        end(&owner, &slow).await;
        assert_eq!(end(&owner, &send(&owner, &session, "[stream]").await).await["state"], "completed");
        say(&gate, &[("app_server_exits_total", 1.0), ("app_server_restarts_total", 1.0)]).await;
        say(&gate, &[("codex_ignored_total{what=\"told_twice\"}", 0.0)]).await;
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_tools_are_counted_while_they_wait() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        let tool = json!({"name": "lookup", "description": "Looks up.", "input_schema": {"type": "object"}});
        let session = session(&gate, json!({"tools": [tool]})).await;
        let message = send(&owner, &session, "[tool]").await;
        until(&gate, "selvedge_tool_calls_pending", 1.0).await;
        assert!(value(&gate, "selvedge_tool_calls_oldest_seconds").await > 0.0);
        let calls = owner.get("/v1/tool-calls").await.expect(200);
        let call = format!("/v1/tool-calls/{}", calls["items"][0]["tool_call_id"].as_str().unwrap());
        owner.post(&call, json!({"success": true, "content": []})).await.expect(200);
        end(&owner, &message).await;
        say(&gate, &[("tool_calls_pending", 0.0), ("tool_calls_oldest_seconds", 0.0)]).await;
        gate.close().await;
    })
    .await;
}
