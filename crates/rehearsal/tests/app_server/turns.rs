//! What a turn shows: its order, usage, approvals, tools, failures.

use serde_json::json;

use super::served::{home, items_of, served};

#[tokio::test]
async fn a_turn_is_told_in_codex_s_order() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let params = json!({
        "threadId": thread, "input": [{ "type": "text", "text": "hello" }], "clientUserMessageId": "mine",
        "effort": "high",
    });
    served.client.call("turn/start", params).await;
    let turn = served.client.until("turn/completed").await["params"]["turn"].clone();
    assert_eq!(
        served.client.methods(),
        [
            "thread/settings/updated",
            "thread/status/changed",
            "turn/started",
            "item/started",
            "item/completed",
            "item/started",
            "item/reasoning/summaryPartAdded",
            "item/reasoning/summaryTextDelta",
            "item/reasoning/summaryTextDelta",
            "item/reasoning/summaryTextDelta",
            "item/completed",
            "item/started",
            "item/agentMessage/delta",
            "item/agentMessage/delta",
            "item/completed",
            "thread/tokenUsage/updated",
            "account/rateLimits/updated",
            "thread/readState/changed",
            "thread/status/changed",
            "turn/completed",
        ]
    );
    assert_eq!((&turn["status"], &turn["items"][0]["text"]), (&json!("completed"), &json!("Hello there")));
    let user = items_of(&served.client, "item/completed", "userMessage")[0];
    assert_eq!((&user["clientId"], &user["content"][0]["text"]), (&json!("mine"), &json!("hello")));
    assert!(served.client.heard.iter().all(|m| m.get("method").is_none() || m["emittedAtMs"].is_i64()));
}

#[tokio::test]
async fn usage_is_counted_per_response_and_in_total() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    served.client.play(&thread, "hello").await;
    served.client.forget();
    served.client.play(&thread, "hello again").await;
    let usage = served.client.heard.iter().find(|m| m["method"] == "thread/tokenUsage/updated").unwrap();
    let usage = &usage["params"]["tokenUsage"];
    assert_eq!((&usage["total"]["totalTokens"], &usage["last"]["totalTokens"]), (&json!(240), &json!(120)));
}

#[tokio::test]
async fn a_command_runs_only_when_accepted() {
    for (decision, status, ran) in [
        (json!("accept"), "completed", true),
        (json!("acceptForSession"), "completed", true),
        (json!({ "acceptWithExecpolicyAmendment": { "execpolicy_amendment": ["echo"] } }), "completed", true),
        (json!("decline"), "declined", false),
        (json!("cancel"), "declined", false),
        (json!("bogus"), "failed", false),
    ] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({})).await;
        served.client.answer_always("item/commandExecution/requestApproval", json!({ "decision": decision }));
        let turn = served.client.play(&thread, "run it").await;
        let item = items_of(&served.client, "item/completed", "commandExecution")[0];
        assert_eq!(item["status"], status, "{decision}");
        assert_eq!(served.dir.join("ran.txt").exists(), ran, "{decision}");
        let ended = if decision == "cancel" { "interrupted" } else { "completed" };
        assert_eq!(turn["status"], ended, "{decision}");
        assert!(served.client.methods().contains(&"serverRequest/resolved".to_owned()));
        if ran {
            assert_eq!((&item["aggregatedOutput"], &item["exitCode"]), (&json!("done\n"), &json!(0)));
        }
    }
}

#[tokio::test]
async fn the_policy_says_who_is_asked() {
    let asked = "item/commandExecution/requestApproval".to_owned();
    for (policy, words, asks) in [
        ("never", "run it", false),
        ("on-request", "run it", true),
        ("untrusted", "run it", true),
        ("on-request", "plan it", false),
    ] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({ "approvalPolicy": policy })).await;
        served.client.answer_always("item/commandExecution/requestApproval", json!({ "decision": "accept" }));
        served.client.play(&thread, words).await;
        assert_eq!(served.client.methods().contains(&asked), asks, "{policy} {words}");
    }
}

#[tokio::test]
async fn what_was_accepted_for_the_session_is_not_asked_again() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let decision = json!({ "decision": "acceptForSession" });
    served.client.answer_always("item/commandExecution/requestApproval", decision);
    served.client.play(&thread, "run it").await;
    served.client.forget();
    served.client.play(&thread, "run it").await;
    assert!(!served.client.methods().contains(&"item/commandExecution/requestApproval".to_owned()));
}

#[tokio::test]
async fn an_open_approval_blocks_only_its_turn_and_is_repeated_on_resume() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let waiting = served.thread(json!({})).await;
    let other = served.thread(json!({})).await;
    served.client.start_turn(&waiting, "run it").await;
    let asked = served.client.until("item/commandExecution/requestApproval").await;
    assert_eq!(asked["id"], 0);
    assert_eq!(served.client.play(&other, "hello").await["status"], "completed");
    served.client.call("thread/resume", json!({ "threadId": waiting, "excludeTurns": true })).await;
    let again = served.client.until("item/commandExecution/requestApproval").await;
    assert_eq!(asked, again);
    served.client.reply(&json!(0), json!({ "decision": "accept" })).await;
    served.client.reply(&json!(0), json!({ "decision": "cancel" })).await;
    let turn = served.client.until("turn/completed").await;
    assert_eq!(turn["params"]["turn"]["status"], "completed");
}

#[tokio::test]
async fn files_are_changed_only_when_accepted() {
    for (decision, status, made) in [("accept", "completed", true), ("decline", "declined", false)] {
        let home = home();
        let mut served = served(home.path(), "").await;
        let thread = served.thread(json!({ "approvalPolicy": "untrusted" })).await;
        served.client.answer_always("item/fileChange/requestApproval", json!({ "decision": decision }));
        served.client.play(&thread, "patch it").await;
        let item = items_of(&served.client, "item/completed", "fileChange")[0];
        assert_eq!(item["status"], status);
        assert_eq!(item["changes"][0]["kind"]["type"], "add");
        assert_eq!(served.dir.join("new.txt").exists(), made);
        assert_eq!(served.client.methods().contains(&"turn/diff/updated".to_owned()), made);
    }
}

#[tokio::test]
async fn tools_plans_and_answers_are_played() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({ "dynamicTools": [] })).await;
    let content = json!([{ "type": "inputText", "text": "open" }]);
    served.client.answer_always("item/tool/call", json!({ "contentItems": content, "success": true }));
    assert_eq!(served.client.play(&thread, "tool").await["items"][0]["text"], "looked up");
    let item = items_of(&served.client, "item/completed", "dynamicToolCall")[0];
    assert_eq!((&item["status"], &item["contentItems"]), (&json!("completed"), &content));
    assert!(!served.client.methods().contains(&"serverRequest/resolved".to_owned()));
    served.client.play(&thread, "plan").await;
    let plan = served.client.heard.iter().find(|m| m["method"] == "turn/plan/updated").unwrap();
    assert_eq!(plan["params"]["plan"], json!([{ "step": "one", "status": "inProgress" }]));
    let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } } });
    let input = json!([{ "type": "text", "text": "answer" }]);
    let params = json!({ "threadId": thread, "input": input, "outputSchema": schema });
    served.client.call("turn/start", params).await;
    let turn = served.client.until("turn/completed").await;
    assert_eq!(turn["params"]["turn"]["items"][0]["text"], r#"{"ok":false}"#);
    assert_eq!(
        served.client.play(&thread, "echo what was found").await["items"][0]["text"],
        "what was found"
    );
}

#[tokio::test]
async fn a_failure_is_an_error_and_a_failed_turn() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let turn = served.client.play(&thread, "fail").await;
    assert_eq!(
        (&turn["status"], &turn["error"]["codexErrorInfo"]),
        (&json!("failed"), &json!("internalServerError"))
    );
    let tail = served.client.methods().split_off(4);
    assert_eq!(tail, ["thread/status/changed", "error", "thread/readState/changed", "turn/completed"]);
    let read = served.client.call("thread/read", json!({ "threadId": thread })).await;
    assert_eq!(read["thread"]["status"]["type"], "systemError");
}
