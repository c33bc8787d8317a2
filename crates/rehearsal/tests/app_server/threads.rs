//! Threads and their histories, over processes; errors in Codex's words; who is told what.

use serde_json::json;

use super::{
    client::text,
    served::{home, served, silent},
};

#[tokio::test]
async fn it_says_that_it_is_a_rehearsal_and_of_which_version() {
    let home = home();
    let mut served = silent(home.path(), "");
    let result = served.client.initialize().await;
    let agent = text(&result["userAgent"]);
    assert!(agent.starts_with("selvedge-rehearsal/0.166.0 (rehearsal"), "{agent}");
    assert_eq!(result["codexHome"], json!(home.path()));
    let warning = served.client.until("configWarning").await;
    assert!(text(&warning["params"]["summary"]).contains("not Codex"));
}

#[tokio::test]
async fn a_cut_turn_is_interrupted_in_the_next_process() {
    let home = home();
    let mut first = served(home.path(), "").await;
    let thread = first.thread(json!({ "dynamicTools": [{ "type": "function", "name": "lookup" }] })).await;
    first.client.play(&thread, "hello").await;
    let input = json!([{ "type": "text", "text": "hang" }]);
    let params = json!({ "threadId": thread, "input": input, "clientUserMessageId": "mine" });
    first.client.call("turn/start", params).await;
    first.client.find(|m| m["params"]["item"]["clientId"] == "mine" && m["method"] == "item/completed").await;

    let mut second = served(home.path(), "").await;
    let busy = second.client.refused("thread/resume", json!({ "threadId": thread })).await;
    assert_eq!(busy.1, format!("thread {thread} already has an active writer"));
    first.server.abort();
    assert!(first.server.await.unwrap_err().is_cancelled());

    second.client.forget();
    let resumed = second.client.call("thread/resume", json!({ "threadId": thread })).await;
    let turns = resumed["thread"]["turns"].as_array().unwrap();
    assert_eq!(turns.iter().map(|turn| &turn["status"]).collect::<Vec<_>>(), ["completed", "interrupted"]);
    let items = turns[1]["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["clientId"]), (1, &json!("mine")));
    let usage = second.client.until("thread/tokenUsage/updated").await;
    assert_eq!(usage["params"]["tokenUsage"]["total"]["totalTokens"], 120);
    assert_eq!(second.client.play(&thread, "hello").await["status"], "completed");
}

#[tokio::test]
async fn histories_are_read_forked_reverted_archived_and_deleted() {
    let home = home();
    let mut served = served(home.path(), "").await;
    let thread = served.thread(json!({})).await;
    let of_thread = json!({ "threadId": thread });
    let early =
        served.client.refused("thread/read", json!({ "threadId": thread, "includeTurns": true })).await;
    assert_eq!(early, (-32601, "list_turns is not supported yet".to_owned()));
    for words in ["hello 1", "hello 2", "hello 3"] {
        served.client.play(&thread, words).await;
    }
    let page = json!({ "threadId": thread, "limit": 2 });
    let turns = served.client.call("thread/turns/list", page).await;
    assert_eq!(turns["data"][0]["items"][0]["content"][0]["text"], "hello 3");
    assert_eq!(turns["data"][0]["items"].as_array().unwrap().len(), 2);
    let rest = json!({ "threadId": thread, "cursor": turns["nextCursor"], "itemsView": "full" });
    let rest = served.client.call("thread/turns/list", rest).await;
    assert_eq!(rest["data"][0]["items"].as_array().unwrap().len(), 3);
    let first_turn = &rest["data"][0]["id"];
    let items =
        served.client.call("thread/items/list", json!({ "threadId": thread, "turnId": first_turn })).await;
    assert_eq!(items["data"][0]["item"]["type"], "userMessage");

    let fork = json!({ "threadId": thread, "lastTurnId": first_turn });
    let fork = served.client.call("thread/fork", fork).await["thread"].clone();
    assert_eq!((&fork["forkedFromId"], fork["turns"].as_array().unwrap().len()), (&json!(thread), 1));
    let revert = json!({ "threadId": thread, "beforeTurnId": turns["data"][0]["id"] });
    served.client.call("thread/revert", revert.clone()).await;
    served.client.until("thread/reverted").await;
    assert!(served.client.refused("thread/revert", revert).await.1.starts_with("turn not found: "));
    served.client.call("thread/name/set", json!({ "threadId": thread, "name": "Mine" })).await;

    served.client.call("thread/archive", of_thread.clone()).await;
    assert!(served.client.refused("thread/resume", of_thread.clone()).await.1.contains("is archived"));
    let archived = served.client.call("thread/list", json!({ "archived": true })).await;
    assert_eq!((&archived["data"][0]["id"], &archived["data"][0]["name"]), (&json!(thread), &json!("Mine")));
    served.client.call("thread/unarchive", of_thread.clone()).await;
    let resumed = served.client.call("thread/resume", of_thread.clone()).await;
    assert_eq!(resumed["thread"]["turns"].as_array().unwrap().len(), 2);
    let refused = served.client.refused("thread/delete", of_thread.clone()).await;
    assert!(refused.1.ends_with("forked history still references it"), "{}", refused.1);
    served.client.call("thread/delete", json!({ "threadId": fork["id"] })).await;
    served.client.call("thread/delete", of_thread.clone()).await;
    assert!(served.client.refused("thread/resume", of_thread).await.1.starts_with("no rollout found"));
    let left = served.client.call("thread/list", json!({})).await;
    assert_eq!(left["data"], json!([]));
}

#[tokio::test]
async fn errors_come_in_codex_s_words() {
    let home = home();
    let mut served = silent(home.path(), "");
    let thread = "01a1dddc-07b0-70d2-8edc-fcab2a02d72d";
    assert_eq!(served.client.refused("thread/list", json!({})).await, (-32600, "Not initialized".to_owned()));
    served.client.initialize_with(json!({})).await;
    let client_info = json!({ "name": "x", "version": "1" });
    let again = served.client.refused("initialize", json!({ "clientInfo": client_info })).await;
    assert_eq!(again.1, "Already initialized");
    for (method, params, words) in [
        ("no/such", json!({}), "Invalid request: unknown variant `no/such`, expected one of `initialize`, "),
        (
            "turn/start",
            json!({ "threadId": 5 }),
            "Invalid request: invalid type: integer `5`, expected a string",
        ),
        ("turn/start", json!({ "threadId": thread, "input": [] }), "thread not found: 01a1"),
        ("turn/start", json!({ "threadId": "nope", "input": [] }), "invalid thread id: invalid character"),
        (
            "thread/start",
            json!({ "approvalPolicy": "on-failure" }),
            "Invalid request: unknown variant `on-failure`, expected one of `untrusted`, `on-request`, `granular`, `never`",
        ),
        (
            "thread/start",
            json!({ "sandbox": "workspaceWrite" }),
            "Invalid request: unknown variant `workspaceWrite`, expected one of `read-only`, `workspace-write`, `danger-full-access`",
        ),
        (
            "thread/start",
            json!({ "dynamicTools": [] }),
            "thread/start.dynamicTools requires experimentalApi capability",
        ),
        (
            "thread/backgroundTerminals/list",
            json!({ "threadId": thread }),
            "thread/backgroundTerminals/list requires experimentalApi",
        ),
        (
            "turn/start",
            json!({ "threadId": thread, "input": [{ "type": "hologram" }] }),
            "Invalid request: unknown variant `hologram`, expected one of `text`, `image`",
        ),
        ("thread/resume", json!({ "threadId": thread }), "no rollout found for thread id 01a1"),
        ("thread/read", json!({ "threadId": thread }), "thread not loaded: 01a1"),
    ] {
        let (code, message) = served.client.refused(method, params).await;
        assert_eq!(code, -32600, "{message}");
        assert!(message.starts_with(words), "{method}: {message}");
    }
    served.client.send(&json!({ "id": 900, "method": "thread/read" })).await;
    let missing = served.client.answer_to(900).await;
    assert_eq!(missing["error"]["message"], "Invalid request: missing field `params`");
    let id = served.client.start_thread(json!({ "dynamicTools": null })).await;
    let input = json!([{ "type": "text", "text": "x".repeat(1_048_577) }]);
    let answer = served.client.try_call("turn/start", json!({ "threadId": id, "input": input })).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["actual_chars"]),
        (&json!(-32602), &json!(1_048_577))
    );
}

#[tokio::test]
async fn nothing_is_said_that_was_not_asked_for() {
    let home = home();
    let mut served = silent(home.path(), "");
    let unwanted = ["item/agentMessage/delta", "account/rateLimits/updated"];
    served.client.initialize_with(json!({ "optOutNotificationMethods": unwanted })).await;
    let thread = served.thread(json!({})).await;
    served.client.play(&thread, "hello").await;
    for method in unwanted.iter().chain(&["thread/readState/changed"]) {
        assert!(!served.client.methods().contains(&(*method).to_owned()), "{method}");
    }
    let of_thread = json!({ "threadId": thread });
    let status = served.client.call("thread/unsubscribe", of_thread.clone()).await;
    assert_eq!(status["status"], "unsubscribed");
    served.client.forget();
    served.client.start_turn(&thread, "hello").await;
    served.client.find(|message| message["params"]["status"]["type"] == "idle").await;
    assert_eq!(served.client.methods(), ["thread/status/changed", "thread/status/changed"]);
}
