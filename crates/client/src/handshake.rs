//! The handshake: who we are, what we can do, and which Codex answers.

use serde::Serialize;
use serde_json::{Value, value::RawValue};

use crate::{client::Client, error::CallError};

/// How we introduce ourselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Introduction {
    /// Who we are.
    client_info: ClientInfo,
    capabilities: Capabilities,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ClientInfo {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Capabilities {
    /// Dynamic tools, plan mode and background terminals are experimental; without this they are refused.
    experimental_api: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opt_out_notification_methods: Vec<String>,
}

impl Introduction {
    /// An introduction with the experimental API and every notification.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            client_info: ClientInfo { name: name.to_owned(), title: None, version: version.to_owned() },
            capabilities: Capabilities { experimental_api: true, opt_out_notification_methods: Vec::new() },
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.client_info.title = Some(title.to_owned());
        self
    }

    /// Does without the experimental API.
    #[must_use]
    pub fn stable_api_only(mut self) -> Self {
        self.capabilities.experimental_api = false;
        self
    }

    /// Does without these notifications, by their exact methods; unknown ones are ignored by Codex.
    #[must_use]
    pub fn without(mut self, methods: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.capabilities.opt_out_notification_methods.extend(methods.into_iter().map(Into::into));
        self
    }
}

/// What the app-server said of itself.
#[derive(Debug, Clone)]
pub struct ServerInfo {
    user_agent: String,
    codex_home: Option<String>,
    raw: Box<RawValue>,
}

impl ServerInfo {
    /// What an app-server said at its handshake, whenever that was.
    #[must_use]
    pub fn read(raw: &RawValue) -> Self {
        let value: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Self {
            user_agent: text("userAgent").unwrap_or_default(),
            codex_home: text("codexHome"),
            raw: raw.to_owned(),
        }
    }

    /// Its whole self-description, e.g. `my_client/0.166.0 (Debian 12.0.0; x86_64) …`.
    #[must_use]
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// Its version, which stands only in the user agent: after the first `/`, up to the next space.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        let (_name, rest) = self.user_agent.split_once('/')?;
        let version = rest.split([' ', '(']).next()?;
        version.starts_with(|first: char| first.is_ascii_digit()).then_some(version)
    }

    /// Where it keeps its files, if it says so.
    #[must_use]
    pub fn codex_home(&self) -> Option<&str> {
        self.codex_home.as_deref()
    }

    /// All it said.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }
}

impl Client {
    /// Introduces us: `initialize`, then `initialized`. Once per app-server.
    pub async fn initialize(&self, introduction: &Introduction) -> Result<ServerInfo, CallError> {
        let reply = self.request("initialize", introduction).await?;
        self.notify("initialized")?;
        Ok(ServerInfo::read(reply.result()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(user_agent: &str) -> ServerInfo {
        let raw = serde_json::json!({ "userAgent": user_agent }).to_string();
        ServerInfo::read(&RawValue::from_string(raw).unwrap())
    }

    #[test]
    fn the_version_is_read_from_the_user_agent() {
        let cases = [
            ("a/0.166.0 (Debian 12.0.0; x86_64) xterm (a; 1)", Some("0.166.0")),
            ("a/0.167.0-alpha.2 (x)", Some("0.167.0-alpha.2")),
            ("a/next (x)", None),
            ("", None),
        ];
        for (user_agent, version) in cases {
            assert_eq!(server(user_agent).version(), version, "{user_agent}");
        }
    }
}
