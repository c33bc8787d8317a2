//! MCP servers, as a browser of The Companion's sees them.

use std::fs;

use serde_json::json;

use crate::{
    socket::Socket,
    support::stage::{Stage, in_time},
};

/// An MCP server in a few lines of shell, with the tool `echo`.
const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  [ -n "$id" ] || continue
  version=$(printf '%s' "$line" | sed -n 's/.*"protocolVersion":"\([^"]*\)".*/\1/p')
  case $line in
    *'"initialize"'*) answer "$id" '{"protocolVersion":"'$version'","capabilities":{"tools":{}},"serverInfo":{"name":"demo","version":"1"}}' ;;
    *'"tools/list"'*) answer "$id" '{"tools":[{"name":"echo","description":"Echoes.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) answer "$id" '{"content":[{"type":"text","text":"from the server"}]}' ;;
    *) answer "$id" '{}' ;;
  esac
done
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_listed_with_its_tools() {
    in_time(async {
        let stage = Stage::real().await;
        let script = stage.work("server.sh");
        fs::write(&script, SERVER).unwrap();
        let servers = json!({"demo": {"command": "sh", "args": [script]}});
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
        assert_eq!(server["tools"], json!([{"name": "echo", "annotations": {"readOnly": true}}]));
        stage.close().await;
    })
    .await;
}
