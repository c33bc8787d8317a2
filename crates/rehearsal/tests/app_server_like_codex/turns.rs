//! Turns of every kind on both sides.

use serde_json::{Value, json};

use super::{
    compare::{Order, compare},
    sides::{Side, both},
};

const COMMAND: &str = "item/commandExecution/requestApproval";
const DELTA: &str = "item/agentMessage/delta";
const FILES: &str = "item/fileChange/requestApproval";

/// Plays words on both sides and compares.
async fn play(sides: &mut [Side; 2], settings: &Value, words: &[&str]) {
    play_in(Order::Exact, sides, settings, words).await;
}

async fn play_in(order: Order, sides: &mut [Side; 2], settings: &Value, words: &[&str]) {
    for side in sides.iter_mut() {
        side.client.forget();
        let thread = side.thread(settings.clone()).await;
        for words in words {
            side.client.play(&thread, words).await;
        }
        hear_late_ends(side).await;
    }
    compare(&format!("{words:?} with {settings}"), order, sides);
}

/// The end of a short command may come late, even after the turn's: on a busy machine Codex tells them in that order.
async fn hear_late_ends(side: &mut Side) {
    let of_commands = |message: &&Value| message["params"]["item"]["type"] == "commandExecution";
    loop {
        let commands: Vec<_> = side.client.heard.iter().filter(of_commands).collect();
        let ended = commands.iter().filter(|message| message["method"] == "item/completed").count();
        if ended * 2 >= commands.len() {
            return;
        }
        side.client.until("item/completed").await;
    }
}

fn answer(sides: &mut [Side; 2], method: &'static str, result: &Value) {
    sides.iter_mut().for_each(|side| side.client.answer_always(method, result.clone()));
}

#[tokio::test]
async fn messages_reasoning_searches_plans_and_answers() {
    let mut sides = both().await;
    play(&mut sides, &json!({}), &["[stream]", "[think]", "[search]", "[answer fixed]"]).await;
    play(&mut sides, &json!({}), &["[plan]"]).await;
    play(&mut sides, &json!({ "ephemeral": true }), &["[think]"]).await;
}

#[tokio::test]
async fn usage_is_what_the_scenario_says() {
    let mut counted = Vec::new();
    for side in &mut both().await {
        let thread = side.thread(json!({})).await;
        side.client.play(&thread, "[stream]").await;
        side.client.play(&thread, "[think]").await;
        let usages =
            side.client.heard.iter().filter(|message| message["method"] == "thread/tokenUsage/updated");
        counted.push(usages.map(|usage| usage["params"]["tokenUsage"].clone()).collect::<Vec<_>>());
    }
    assert_eq!(counted[0], counted[1]);
}

#[tokio::test]
async fn a_structured_answer() {
    let mut sides = both().await;
    for side in &mut sides {
        let thread = side.thread(json!({})).await;
        let schema = json!({
            "type": "object", "properties": { "ok": { "type": "boolean" }, "why": { "type": "string" } },
            "required": ["ok", "why"], "additionalProperties": false,
        });
        let input = json!([{ "type": "text", "text": "[answer]" }]);
        let params = json!({
            "threadId": thread, "input": input, "outputSchema": schema, "clientUserMessageId": "mine",
            "effort": "low", "summary": "auto",
        });
        side.client.call("turn/start", params).await;
        side.client.until("turn/completed").await;
    }
    compare("[answer]", Order::Exact, &sides);
}

#[tokio::test]
async fn commands_and_what_is_decided_about_them() {
    let mut sides = both().await;
    for decision in ["accept", "decline", "cancel", "bogus"] {
        answer(&mut sides, COMMAND, &json!({ "decision": decision }));
        play_in(Order::PerItem, &mut sides, &json!({}), &["[approve]"]).await;
    }
    answer(&mut sides, COMMAND, &json!({ "error": { "code": -32000, "message": "no" } }));
    play_in(Order::PerItem, &mut sides, &json!({}), &["[approve]"]).await;
    answer(&mut sides, COMMAND, &json!({ "decision": "acceptForSession" }));
    play_in(Order::PerItem, &mut sides, &json!({}), &["[approve twice]"]).await;
    play_in(
        Order::PerItem,
        &mut sides,
        &json!({ "approvalPolicy": "never", "sandbox": "danger-full-access" }),
        &["[run]"],
    )
    .await;
}

#[tokio::test]
async fn files_and_what_is_decided_about_them() {
    let mut sides = both().await;
    for decision in ["decline", "cancel", "accept"] {
        answer(&mut sides, FILES, &json!({ "decision": decision }));
        play_in(Order::PerItem, &mut sides, &json!({ "approvalPolicy": "untrusted" }), &["[patch]"]).await;
    }
    play_in(Order::PerItem, &mut sides, &json!({ "approvalPolicy": "untrusted" }), &["[patch again]"]).await;
}

#[tokio::test]
async fn dynamic_tools() {
    let mut sides = both().await;
    let schema = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let tool =
        json!({ "type": "function", "name": "lookup", "description": "Looks up", "inputSchema": schema });
    let settings = json!({ "dynamicTools": [tool] });
    let content = json!([{ "type": "inputText", "text": "found" }]);
    for success in [true, false] {
        answer(&mut sides, "item/tool/call", &json!({ "contentItems": content, "success": success }));
        play(&mut sides, &settings, &["[tool]"]).await;
        play_in(Order::PerItem, &mut sides, &settings, &["[two tools]"]).await;
    }
    answer(&mut sides, "item/tool/call", &json!({ "error": { "code": -32000, "message": "no" } }));
    play(&mut sides, &settings, &["[tool]"]).await;
}

#[tokio::test]
async fn failures() {
    let mut sides = both().await;
    for kind in ["500", "overloaded", "429", "usage", "401", "400", "model", "cut"] {
        let fail = format!("[fail {kind}]");
        play(&mut sides, &json!({}), &[&fail, "[stream]", &fail]).await;
    }
    // Codex compacts before the next turn; the simulation does not, so there is none here.
    play(&mut sides, &json!({}), &["[fail context]"]).await;
    play(&mut sides, &json!({}), &["[stream]", "[fail context]"]).await;
}

#[tokio::test]
async fn interrupts() {
    let mut sides = both().await;
    for side in &mut sides {
        let thread = side.thread(json!({})).await;
        for (words, awaited) in [("[stop short]", DELTA), ("[approve]", COMMAND)] {
            let turn = side.client.start_turn(&thread, words).await;
            side.client.until(awaited).await;
            side.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
            side.client.until("turn/completed").await;
        }
        side.client.until("serverRequest/resolved").await;
        side.client.play(&thread, "[stream]").await;
    }
    compare("interrupts", Order::Cut, &sides);
}

#[tokio::test]
async fn interrupted_tools_and_commands() {
    let mut sides = both().await;
    let schema = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let tool =
        json!({ "type": "function", "name": "lookup", "description": "Looks up", "inputSchema": schema });
    let free = json!({ "approvalPolicy": "never", "sandbox": "danger-full-access", "dynamicTools": [tool] });
    for side in &mut sides {
        let thread = side.thread(free.clone()).await;
        let of_thread = json!({ "threadId": thread });
        for words in ["[tool]", "[long]"] {
            let turn = side.client.start_turn(&thread, words).await;
            side.client.find(is_tool_started).await;
            side.client.call("turn/interrupt", json!({ "threadId": thread, "turnId": turn })).await;
            side.client.until("turn/completed").await;
        }
        side.client.call("thread/backgroundTerminals/list", of_thread.clone()).await;
        side.client.call("thread/backgroundTerminals/clean", of_thread.clone()).await;
        side.client.until("item/completed").await;
        side.client.call("thread/backgroundTerminals/list", of_thread).await;
        // Whether the command had said something before it was cut depends on the machine.
        side.client
            .heard
            .iter_mut()
            .filter_map(|message| message.pointer_mut("/params/item/aggregatedOutput"))
            .for_each(|output| *output = Value::Null);
    }
    compare("interrupted tools", Order::Cut, &sides);
}

/// The tool call went out, or the command has begun.
fn is_tool_started(message: &Value) -> bool {
    let command = message["params"]["item"]["type"] == "commandExecution";
    message["method"] == "item/tool/call" || message["method"] == "item/started" && command
}

#[tokio::test]
async fn a_compaction() {
    let mut sides = both().await;
    for side in &mut sides {
        let thread = side.thread(json!({})).await;
        side.client.play(&thread, "[stream]").await;
        side.client.call("thread/compact/start", json!({ "threadId": thread })).await;
        side.client.until("turn/completed").await;
    }
    compare("compaction", Order::Cut, &sides);
}

#[tokio::test]
async fn steers() {
    let mut sides = both().await;
    for side in &mut sides {
        let thread = side.thread(json!({})).await;
        let turn = side.client.start_turn(&thread, "[stop short]").await;
        side.client.until(DELTA).await;
        let input = json!([{ "type": "text", "text": "[stream]" }]);
        let params = json!({
            "threadId": thread, "expectedTurnId": turn, "input": input, "clientUserMessageId": "steered",
        });
        side.client.call("turn/steer", params).await;
        side.client.until("turn/completed").await;
        side.client.start_turn(&thread, "[stop short]").await;
        side.client.until(DELTA).await;
        side.client.start_turn(&thread, "[think]").await;
        side.client.until("turn/completed").await;
    }
    compare("steers", Order::Cut, &sides);
}
