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
