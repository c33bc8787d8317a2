//! A session's MCP servers, as the app-server says that has its thread.

use std::sync::Arc;

use selvedge_session::Json;
use serde::Deserialize;
use serde_json::json;

use super::SessionHandle;
use crate::{actor, asking, error::Error};

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
        let Some(seat) = house.fleet.seat_again(&environment, thread) else { return Ok(Vec::new()) };
        let reply =
            asking::ask_one(&seat.generation, "mcpServerStatus/list", &json!({"threadId": thread})).await?;
        let page: Option<Page> = serde_json::from_str(reply.result().get()).ok();
        Ok(page.map(|page| page.data).unwrap_or_default())
    }
}
