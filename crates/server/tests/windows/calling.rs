//! A session's endpoint as any client of MCP sees it, on the stand-in: nobody needs Codex to call a tool.

use serde_json::{Value, json};

use crate::{
    desk::made,
    gate::{Gate, OWN},
    mcp::{Mcp, read},
    socket::Socket,
    support::stage::in_time,
};

/// Somebody who hears of a session's calls.
pub(crate) async fn listening(gate: &Gate, id: &str) -> Socket {
    Socket::open(&gate.stranger, &format!("/ws/stream/{id}?token={}", OWN.replace('\'', "%27"))).await
}

async fn answer(gate: &Gate, call: &Value, success: bool, text: &str) -> u16 {
    let content = json!([{"type": "text", "text": text}]);
    let path = format!("/v1/tool-calls/{}", call.as_str().unwrap());
    gate.owner().post(&path, json!({"success": success, "content": content})).await.status.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_tools_are_listed_called_and_answered_like_any_other() {
    in_time(async {
        let gate = Gate::open().await;
        let id = made(&gate.owner(), &gate.work(), json!({})).await;
        let mcp = Mcp::at(&gate.owner(), &id);
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let hello = mcp.ask("initialize", hello).await;
        assert_eq!(hello["result"]["serverInfo"]["name"], "selvedge");
        assert!(hello["result"]["capabilities"]["tools"].is_object(), "{hello}");
        let tools = mcp.ask("tools/list", json!({})).await;
        let tool = &tools["result"]["tools"][0];
        assert_eq!((&tool["name"], &tool["description"]), (&json!("look"), &json!("Looks.")));
        assert_eq!(tool["inputSchema"]["properties"]["mark"]["type"], "string");
        for (success, is_error) in [(true, false), (false, true)] {
            let mut runner = listening(&gate, &id).await;
            let called = mcp.look("abc").await;
            let waiting = loop {
                let event = runner.until("tool.requested").await.pop().unwrap();
                let open = gate.owner().get("/v1/tool-calls").await.expect(200);
                if open["items"][0]["tool_call_id"] == event["data"]["tool_call_id"] {
                    assert_eq!(open["items"][0]["arguments"], json!({"mark": "abc"}));
                    assert_eq!(open["items"][0]["session_id"], json!(id));
                    break event;
                }
            };
            assert_eq!(waiting["turn_id"], Value::Null, "no turn runs: {waiting}");
            drop(runner);
            let call = &waiting["data"]["tool_call_id"];
            assert_eq!(answer(&gate, call, success, "seen").await, 200, "whoever answers may have been away");
            let gave = read(called).await;
            assert_eq!(gave["result"]["content"], json!([{"type": "text", "text": "seen"}]));
            assert_eq!(gave["result"]["isError"], is_error);
            assert_eq!(answer(&gate, call, true, "again").await, 409);
        }
        let unknown = mcp.ask("tools/call", json!({"name": "other"})).await;
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        let unknown = mcp.ask("prompts/get", json!({"name": "x"})).await;
        assert!(unknown["error"].is_object(), "{unknown}");
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_ends_with_its_time_its_caller_or_its_session() {
    in_time(async {
        let gate = Gate::open().await;
        let hasty = json!({"name": "look", "description": "", "input_schema": {}, "timeout_seconds": 0});
        let hasty = made(&gate.owner(), &gate.work(), json!({"tools": [hasty]})).await;
        let late = read(Mcp::at(&gate.owner(), &hasty).look("a").await).await;
        assert_eq!(late["result"]["isError"], true);
        assert!(late["result"]["content"][0]["text"].as_str().unwrap().contains("in time"), "{late}");
        let id = made(&gate.owner(), &gate.work(), json!({})).await;
        let mut runner = listening(&gate, &id).await;
        let called = Mcp::at(&gate.owner(), &id).look("b").await;
        let call = runner.until("tool.requested").await.pop().unwrap()["data"]["tool_call_id"].clone();
        drop(called);
        let ended = runner.until("tool.resolved").await.pop().unwrap();
        assert_eq!((&ended["data"]["tool_call_id"], &ended["data"]["success"]), (&call, &json!(false)));
        assert!(ended["data"]["content"][0]["text"].as_str().unwrap().contains("has gone"), "{ended}");
        assert_eq!(answer(&gate, &call, true, "late").await, 409);
        let called = Mcp::at(&gate.owner(), &id).look("c").await;
        runner.until("tool.requested").await;
        gate.owner().post(&format!("/v1/sessions/{id}/stop"), json!({})).await.expect(202);
        let stopped = read(called).await;
        assert!(stopped["result"]["content"][0]["text"].as_str().unwrap().contains("stopped"), "{stopped}");
        let refused = read(Mcp::at(&gate.owner(), &id).look("d").await).await;
        assert_eq!(refused["result"]["isError"], true, "a stopped session takes none: {refused}");
        gate.close().await;
    })
    .await;
}
