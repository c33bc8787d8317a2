//! What Codex tells beside its turns: limits, servers, models, its coming and going, and what nobody knows.

use selvedge_session::{Event, Json, data};
use serde_json::{Map, Value, json};

use super::{Message, Speaker, Update};
use crate::companion::{
    message::McpServer,
    state::{Connected, RateLimit, RateLimits},
};

/// Times below this are seconds.
const MILLISECONDS: u64 = 1_000_000_000_000;

impl Speaker {
    pub(super) fn noticed(&mut self, event: &Event, it: &data::Notice, said: &mut Vec<Message>) {
        let params: Value = serde_json::from_str(it.params.text()).unwrap_or_default();
        match it.method.as_str() {
            "account/rateLimits/updated" => {
                let limits = limits(&params["rateLimits"]);
                self.update(Update { codex_rate_limits: Some(limits), ..Update::default() }, said);
            }
            "mcpServer/startupStatus/updated" => self.server_starts(&params, said),
            "thread/settings/updated" => self.model(&params["threadSettings"]["model"], said),
            "model/rerouted" => self.model(&params["toModel"], said),
            "thread/name/updated" if self.name.is_none() => {
                let name = params["threadName"].as_str().or(params["name"].as_str());
                said.extend(name.map(|name| Message::SessionNameUpdate { name: name.to_owned() }));
            }
            "item/mcpToolCall/progress" | "item/commandExecution/terminalInteraction" => {
                let place = self.place(event, params["itemId"].as_str().unwrap_or_default());
                said.extend(self.progress(&place));
            }
            _ => {}
        }
    }

    fn model(&mut self, model: &Value, said: &mut Vec<Message>) {
        let model = model.as_str().map(str::to_owned);
        self.update(Update { model, ..Update::default() }, said);
    }

    fn server_starts(&mut self, params: &Value, said: &mut Vec<Message>) {
        let Some(name) = params["name"].as_str() else { return };
        let status = match params["status"].as_str() {
            Some("starting") => "connecting",
            Some("ready") => "connected",
            Some("disabled") => "disabled",
            _ => "failed",
        };
        self.mcp_errors.remove(name);
        if let Some(error) = params["error"].as_str() {
            self.mcp_errors.insert(name.to_owned(), error.to_owned());
        }
        let mut servers = self.state.mcp_servers.clone();
        let status = status.to_owned();
        match servers.iter_mut().find(|server| server.name == name) {
            Some(server) => server.status = status,
            None => servers.push(Connected { name: name.to_owned(), status }),
        }
        let before = said.len();
        self.update(Update { mcp_servers: Some(servers), ..Update::default() }, said);
        if said.len() > before {
            said.push(self.mcp_status());
        }
    }

    pub(super) fn mcp_status(&self) -> Message {
        self.mcp_servers(&[])
    }

    /// MCP servers as Codex told of them while they started, and with their tools as it lists them now.
    #[must_use]
    pub fn mcp_servers(&self, listed: &[Json]) -> Message {
        let listed: Vec<Value> =
            listed.iter().filter_map(|server| serde_json::from_str(server.text()).ok()).collect();
        let mut servers = self.state.mcp_servers.clone();
        for name in listed.iter().filter_map(|server| server["name"].as_str()) {
            if !servers.iter().any(|server| server.name == name) {
                servers.push(Connected { name: name.to_owned(), status: "connected".to_owned() });
            }
        }
        let server = |server: Connected| McpServer {
            error: self.mcp_errors.get(&server.name).cloned(),
            tools: match server.status.as_str() {
                // Codex may still have it, until its thread is loaded again.
                "disabled" => Vec::new(),
                _ => {
                    listed.iter().find(|it| it["name"] == server.name.as_str()).map(tools).unwrap_or_default()
                }
            },
            name: server.name,
            status: server.status,
            config: json!({"type": "stdio"}),
            scope: "session".to_owned(),
        };
        Message::McpStatus { servers: servers.into_iter().map(server).collect() }
    }

    /// An app-server that ends between two turns is not missed.
    pub(super) fn exited(&mut self, said: &mut Vec<Message>) {
        if self.phase.is_busy() && !self.disconnected {
            self.disconnected = true;
            said.push(Message::CliDisconnected);
        }
    }

    pub(super) fn restarted(&mut self, it: &data::Restarted, said: &mut Vec<Message>) {
        let update = Update { claude_code_version: it.version.clone(), ..Update::default() };
        self.update(update, said);
        if std::mem::take(&mut self.disconnected) {
            said.push(Message::CliConnected);
        }
    }

    /// What nobody knows is told once per method; all of it is in the session's events.
    pub(super) fn unknown(&mut self, it: &data::Unknown, said: &mut Vec<Message>) {
        let line: Value = serde_json::from_str(&it.raw).unwrap_or_default();
        let Some(method) = line["method"].as_str() else { return };
        // A line that says more than we know was told as far as we know it.
        let is_known = KNOWN.iter().any(|known| method.starts_with(known));
        if is_known || !self.unknown.insert(method.to_owned()) {
            return;
        }
        let refused = if line["id"].is_null() { "" } else { " It was refused." };
        let message = format!("Codex said something that this version does not know: `{method}`.{refused}");
        said.push(Message::Error { message });
    }
}

/// How methods begin that are told in another way.
const KNOWN: [&str; 6] = ["item/", "turn/", "thread/", "codex/event/", "serverRequest/", "error"];

/// The tools of a server, with what it says about them.
fn tools(server: &Value) -> Vec<Value> {
    let tools = server["tools"].as_object().into_iter().flatten();
    let tool = |(name, tool): (&String, &Value)| {
        let hints = &tool["annotations"];
        let named = [
            ("readOnly", "readOnlyHint"),
            ("destructive", "destructiveHint"),
            ("openWorld", "openWorldHint"),
        ];
        let hints = named.into_iter().filter(|(_, key)| hints[key].is_boolean());
        let annotations: Map<String, Value> =
            hints.map(|(name, key)| (name.to_owned(), tool["annotations"][key].clone())).collect();
        json!({"name": name, "annotations": annotations})
    };
    tools.map(tool).collect()
}

fn limits(limits: &Value) -> RateLimits {
    RateLimits { primary: limit(&limits["primary"]), secondary: limit(&limits["secondary"]) }
}

fn limit(limit: &Value) -> Option<RateLimit> {
    let resets = limit["resetsAt"].as_u64().unwrap_or(0);
    Some(RateLimit {
        used_percent: limit["usedPercent"].as_f64()?,
        window_duration_mins: limit["windowDurationMins"].as_u64().unwrap_or(0),
        resets_at: if resets < MILLISECONDS { resets * 1000 } else { resets },
    })
}
