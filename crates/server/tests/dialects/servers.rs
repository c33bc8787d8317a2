//! MCP servers, as a browser of The Companion's sees them.

use std::fs;

use selvedge_rehearsal::mcp;
use serde_json::json;

use crate::{
    socket::Socket,
    support::stage::{Stage, in_time},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_listed_with_its_tools() {
    in_time(async {
        let stage = Stage::real().await;
        let script = stage.work("server.sh");
        fs::write(&script, mcp::SERVER).unwrap();
        let servers = json!({"demo": {"command": "sh", "args": [script], "env": {"READ_ONLY": "yes"}}});
        let id = stage.session(json!({"mcp_servers": servers, "approval_policy": "never"})).await;
        let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
        socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
        socket.say(json!({"type": "user_message", "content": "[mcp]"})).await;
        let told = socket.until("result").await;
        let used = told.iter().find(|told| told["message"]["content"][0]["name"] == "mcp:demo:echo");
        assert!(used.is_some(), "{told:#?}");
        socket.say(json!({"type": "mcp_get_status"})).await;
        // Those that came while it started have no tools yet.
        let status = socket.until("mcp_status").await;
        let server = &status.last().unwrap()["servers"][0];
        assert_eq!((&server["name"], &server["status"]), (&json!("demo"), &json!("connected")), "{server}");
        let echo = json!({"name": "echo", "annotations": {"readOnly": true}});
        assert!(server["tools"].as_array().unwrap().contains(&echo), "{server}");
        stage.close().await;
    })
    .await;
}

/// Whether the model was told of a server: 0.166 lets it search among these sources.
fn hears_of(stage: &Stage, server: &str) -> bool {
    stage.last_asked()["tools"].to_string().contains(&format!("\\n- {server}\\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_switches_a_server_off_and_on_adds_one_and_has_them_started_again() {
    in_time(async {
        let stage = Stage::real().await;
        let script = stage.work("server.sh");
        fs::write(&script, mcp::SERVER).unwrap();
        let server = json!({"command": "sh", "args": [script]});
        let id = stage.session(json!({"mcp_servers": {"demo": server}, "approval_policy": "never"})).await;
        let mut socket = Socket::open(&stage.http, &format!("/ws/browser/{id}")).await;
        socket.say(json!({"type": "session_subscribe", "last_seq": 0})).await;
        socket.say(json!({"type": "user_message", "content": "[stream]"})).await;
        socket.until("result").await;
        assert!(hears_of(&stage, "demo"));
        for (enabled, status) in [(false, "disabled"), (true, "connecting")] {
            let toggle = json!({"type": "mcp_toggle", "serverName": "demo", "enabled": enabled});
            socket.say(toggle).await;
            let told = socket.until("mcp_status").await;
            let server = &told.last().unwrap()["servers"][0];
            assert_eq!((&server["name"], &server["status"]), (&json!("demo"), &json!(status)), "{server}");
            socket.say(json!({"type": "user_message", "content": "[stream]"})).await;
            socket.until("result").await;
            assert_eq!(hears_of(&stage, "demo"), enabled);
        }
        let more = json!({"more": {"type": "stdio", "command": "sh", "args": [stage.work("server.sh")]}});
        socket.say(json!({"type": "mcp_set_servers", "servers": more})).await;
        socket.say(json!({"type": "mcp_reconnect", "serverName": "demo"})).await;
        socket.say(json!({"type": "user_message", "content": "[stream]"})).await;
        socket.until("result").await;
        assert!(hears_of(&stage, "demo") && hears_of(&stage, "more"));
        socket.say(json!({"type": "mcp_toggle", "serverName": "nobody", "enabled": false})).await;
        let refused = socket.until("error").await;
        let words = refused.last().unwrap()["message"].as_str().unwrap();
        assert!(words.contains("there is no MCP server `nobody`"), "{words}");
        stage.close().await;
    })
    .await;
}
