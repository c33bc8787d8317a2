//! The larger parts of a session's settings: its own tools, and MCP servers.

use std::collections::BTreeMap;

use selvedge_session::{Code, Json, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::problem::Problem;

/// A tool that the caller runs: a call of it is answered at `/v1/tool-calls/{id}`.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    /// As the model calls it: letters, digits, `_` and `-`, and no name twice. `mcp`, and what begins with `mcp__`, is Codex's own.
    #[schema(pattern = "^(?!mcp$|mcp__)[a-zA-Z0-9_-]{1,128}$")]
    name: String,
    /// For the model.
    description: String,
    /// The JSON schema of its arguments.
    #[schema(value_type = Object)]
    input_schema: Map<String, Value>,
    /// How long a call may take; then it has failed.
    timeout_seconds: Option<u64>,
}

impl From<Tool> for ToolSpec {
    fn from(tool: Tool) -> Self {
        let Tool { name, description, input_schema, timeout_seconds } = tool;
        Self { name, description, input_schema: Json::from(Value::Object(input_schema)), timeout_seconds }
    }
}

/// An MCP server as Codex is configured with it: a program (`command`), or an address (`url`).
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub(super) struct McpServer {
    /// The program that is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// What it is started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    /// Put into its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<BTreeMap<String, String>>,
    /// Where it is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    /// The address, if it runs elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Sent with each request to the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    http_headers: Option<BTreeMap<String, String>>,
    /// The environment variable that holds a token for the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    bearer_token_env_var: Option<String>,
    /// Only these tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled_tools: Option<Vec<String>>,
    /// Not these tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_tools: Option<Vec<String>>,
    /// Whatever else Codex takes there.
    #[serde(flatten)]
    #[schema(ignore)]
    more: Map<String, Value>,
}

/// Servers as the runtime takes them; each is one kind.
pub(super) fn servers(given: Option<&BTreeMap<String, McpServer>>) -> Result<Map<String, Value>, Problem> {
    let mut servers = Map::new();
    for (name, server) in given.into_iter().flatten() {
        let wrong = |detail: String| {
            Problem::coded(Code::InvalidArgument, detail).field(format!("mcp_servers.{name}"))
        };
        if server.command.is_some() == server.url.is_some() {
            return Err(wrong("an MCP server has either a `command` or a `url`".to_owned()));
        }
        let server = serde_json::to_value(server).map_err(|error| wrong(error.to_string()))?;
        servers.insert(name.clone(), server);
    }
    Ok(servers)
}
