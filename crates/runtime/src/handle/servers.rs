//! A session's MCP servers: as the app-server says that has its thread, and as the session wants them.

use std::{collections::BTreeMap, sync::Arc};

use selvedge_session::{Code, Json, Patch, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::SessionHandle;
use crate::{actor, asking, error::Error, fleet::Again};

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    data: Vec<Json>,
}

impl SessionHandle {
    /// Its MCP servers with their tools, in Codex's own words; none while its thread is not loaded.
    pub async fn mcp_servers(&self) -> Result<Vec<Json>, Error> {
        let session = self.look().await?.session;
        let house = &self.runtime.house;
        let environment = Arc::new(actor::environment(house, self.id, session.settings()).await?);
        let thread = session.thread_id().unwrap_or_default();
        let Some(loaded) = house.fleet.seat_again(&environment, thread) else { return Ok(Vec::new()) };
        let (Again::There(seat) | Again::InThePast(seat)) = loaded;
        let reply =
            asking::ask_one(&seat.generation, "mcpServerStatus/list", &json!({"threadId": thread})).await?;
        let page: Option<Page> = serde_json::from_str(reply.result().get()).ok();
        Ok(page.map(|page| page.data).unwrap_or_default())
    }

    /// Uses a server from the next turn on, or uses it no more; its own, or one that Codex's configuration names. That file
    /// is not touched: no other session notices.
    pub async fn switch_mcp_server(&self, name: &str, enabled: bool) -> Result<(), Error> {
        let settings = self.reloadable().await?;
        // A word about a server that is nowhere would be a server without a program: the thread could not be loaded.
        if !is_named(&settings, name) && !Box::pin(self.is_configured(name, &settings.cwd)).await? {
            return Err(Error::coded(Code::NotFound, format!("there is no MCP server `{name}`")));
        }
        let mcp_enabled = BTreeMap::from([(name.to_owned(), enabled)]);
        self.update(Patch { mcp_enabled, ..Patch::default() }).await
    }

    /// Has these servers as well from the next turn on, or others under names it has. As Codex is configured with them.
    pub async fn add_mcp_servers(&self, servers: Map<String, Value>) -> Result<(), Error> {
        self.reloadable().await?;
        // One at a time: of two at once none is lost.
        let _one_at_a_time = self.runtime.house.switching.lock().await;
        let kept = &self.runtime.house.secrets;
        let before = kept.get(self.id).await?;
        let mut secrets = before.clone();
        let mcp_enabled = servers.keys().map(|name| (name.clone(), true)).collect();
        secrets.mcp_servers.extend(servers);
        let names = secrets.mcp_servers.keys().cloned().collect();
        kept.put(self.id, &secrets).await?;
        let patch = Patch { mcp_servers: Some(names), mcp_enabled, reload: true, ..Patch::default() };
        let done = self.update(patch).await;
        if done.is_err() {
            kept.put(self.id, &before).await?;
        }
        done
    }

    /// Starts its servers again: all of them, for they are started with its thread.
    pub async fn restart_mcp_servers(&self) -> Result<(), Error> {
        self.reloadable().await?;
        self.update(Patch { reload: true, ..Patch::default() }).await
    }

    /// Its settings, if its thread can be loaded again.
    async fn reloadable(&self) -> Result<Settings, Error> {
        let settings = self.settings().await?;
        if settings.ephemeral {
            let message = "an ephemeral session keeps the MCP servers it was made with";
            return Err(Error::coded(Code::InvalidArgument, message).hint("make a session that is stored"));
        }
        Ok(settings)
    }

    /// Whether Codex's own configuration has a server of this name.
    async fn is_configured(&self, name: &str, cwd: &str) -> Result<bool, Error> {
        let params = json!({"includeLayers": false, "cwd": cwd});
        let reply = asking::ask(&self.runtime.house, "config/read", &params).await?;
        let read: Value = serde_json::from_str(reply.result().get()).unwrap_or_default();
        Ok(read["config"]["mcp_servers"][name].is_object())
    }
}

/// Whether the session itself has a server of this name.
fn is_named(settings: &Settings, name: &str) -> bool {
    let configured = settings.config.get("mcp_servers").and_then(|servers| servers.get(name));
    settings.mcp_servers.iter().any(|server| server == name) || configured.is_some()
}
