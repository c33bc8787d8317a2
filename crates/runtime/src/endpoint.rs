//! Where Codex reaches a session's tools over MCP, and the secret by which it may: one per session, so that a call knows
//! whose it is however many turns run at once.
//!
//! Secrets are made of one key and the session's id: a fork has another one, nothing has to be kept for each, and the next
//! gateway on the data directory makes the same. Whoever serves the tools asks, beside the secret, whether the session is
//! still there.

use std::{fs, io, path::Path};

use selvedge_session::{SessionId, Settings, ToolSpec, ToolsVia};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::{files::hex, private, secrets::SessionSecrets};

/// What the server is called in a thread's configuration.
pub const TOOLS_SERVER: &str = "selvedge";

const KEY: usize = 32;
/// How long a call may take as far as Codex is concerned: its limit is the tool's own, and that is kept here.
const LONGEST_CALL_SECONDS: u64 = 366 * 24 * 3600;
/// How long Codex waits for the list of tools, also on a machine that has much else to do.
const START_SECONDS: u64 = 60;

/// The endpoints of all sessions; none where nobody serves them.
pub(crate) struct Endpoints(Option<Served>);

struct Served {
    at: String,
    key: [u8; KEY],
}

impl Endpoints {
    /// At this address, with the key that lies in this directory, or a new one.
    pub(crate) fn open(directory: &Path, at: Option<String>) -> io::Result<Self> {
        let Some(at) = at else { return Ok(Self(None)) };
        let key = key(&directory.join("endpoints.key"))?;
        Ok(Self(Some(Served { at, key })))
    }

    /// Whether anybody serves them.
    pub(crate) fn are_served(&self) -> bool {
        self.0.is_some()
    }

    /// Where a session that wants its tools by MCP has them.
    pub(crate) fn place_for(&self, settings: &Settings) -> Option<&str> {
        self.0.as_ref().filter(|_| is_wanted(settings)).map(|served| served.at.as_str())
    }

    /// Whether this is a session's secret; the time it takes says nothing about how much of it is right.
    pub(crate) fn knows(&self, session: SessionId, given: &str) -> bool {
        let Some(served) = &self.0 else { return false };
        let sum = |text: &str| Sha256::digest(text.as_bytes()).into();
        private::same(&sum(&served.secret(session)), &sum(given))
    }

    /// Adds the server of a session that wants its tools by MCP to the others it has.
    pub(crate) fn add_to(&self, secrets: &mut SessionSecrets, session: SessionId, settings: &Settings) {
        let Some(served) = self.0.as_ref().filter(|_| is_wanted(settings)) else { return };
        secrets.mcp_servers.insert(TOOLS_SERVER.to_owned(), served.server(session, settings));
    }
}

impl Served {
    /// As Codex is configured with it. Whoever runs a tool decides what it may do, so nobody is asked twice.
    /// Older versions know only what is said of each tool.
    fn server(&self, session: SessionId, settings: &Settings) -> Value {
        let approve = |tool: &ToolSpec| (tool.name.clone(), json!({"approval_mode": "approve"}));
        json!({
            "url": format!("{}{session}", self.at),
            "http_headers": {"Authorization": format!("Bearer {}", self.secret(session))},
            "tool_timeout_sec": LONGEST_CALL_SECONDS,
            "startup_timeout_sec": START_SECONDS,
            "default_tools_approval_mode": "approve",
            "tools": settings.tools.iter().map(approve).collect::<Map<_, _>>(),
        })
    }

    fn secret(&self, session: SessionId) -> String {
        let part = |data: &[u8]| {
            Sha256::new()
                .chain_update(b"selvedge tools\0")
                .chain_update(self.key)
                .chain_update(data)
                .finalize()
        };
        // Twice, so that nobody who has one can go on from where it ends.
        hex(&part(&part(session.to_string().as_bytes())))
    }
}

/// Whether a session has tools that are to be served.
pub(crate) fn is_wanted(settings: &Settings) -> bool {
    settings.tools_via == Some(ToolsVia::Mcp) && !settings.tools.is_empty()
}

/// The key that lies there. Of two programs that make one at the same time, both take the first.
fn key(file: &Path) -> io::Result<[u8; KEY]> {
    if !file.exists() {
        let mut key = [0; KEY];
        getrandom::fill(&mut key).map_err(io::Error::other)?;
        let new = file.with_extension("new");
        private::write(&new, &key)?;
        let _there_is_one = fs::hard_link(&new, file);
        private::gone(fs::remove_file(&new))?;
    }
    fs::read(file)?.try_into().map_err(|_| {
        let message = format!("{} is no key: remove it, and another is made", file.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use selvedge_session::Json;
    use uuid::Uuid;

    use super::*;

    const ONE: SessionId = SessionId(Uuid::from_u128(1));
    const OTHER: SessionId = SessionId(Uuid::from_u128(2));

    fn wanting() -> Settings {
        let tool = ToolSpec {
            name: "look".into(),
            description: String::new(),
            input_schema: Json::from(json!({"type": "object"})),
            timeout_seconds: None,
        };
        Settings { tools: vec![tool], tools_via: Some(ToolsVia::Mcp), ..Settings::default() }
    }

    #[test]
    fn each_session_has_its_own_secret_and_the_next_program_makes_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let open = |directory: &Path| Endpoints::open(directory, Some("http://127.0.0.1:1/mcp/".into()));
        let first = open(directory.path()).unwrap();
        let secret = first.0.as_ref().unwrap().secret(ONE);
        assert_eq!(secret.len(), 64);
        assert!(first.knows(ONE, &secret) && !first.knows(OTHER, &secret));
        for wrong in ["", &secret[1..], &secret.to_uppercase(), "Bearer"] {
            assert!(!first.knows(ONE, wrong), "{wrong:?}");
        }
        let file = directory.path().join("endpoints.key");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(open(directory.path()).unwrap().knows(ONE, &secret));
        fs::write(&file, "short").unwrap();
        assert!(open(directory.path()).is_err());
        let elsewhere = tempfile::tempdir().unwrap();
        assert!(!open(elsewhere.path()).unwrap().knows(ONE, &secret));
    }

    #[test]
    fn whoever_wants_it_has_a_server_whose_secret_is_cut_out_of_everything() {
        let directory = tempfile::tempdir().unwrap();
        let endpoints = Endpoints::open(directory.path(), Some("http://127.0.0.1:1/mcp/".into())).unwrap();
        let mut secrets = SessionSecrets::default();
        endpoints.add_to(&mut secrets, ONE, &Settings::default());
        endpoints.add_to(&mut secrets, ONE, &Settings { tools_via: None, ..wanting() });
        assert!(secrets.is_empty(), "nobody wanted it");
        endpoints.add_to(&mut secrets, ONE, &wanting());
        assert_eq!(secrets.mcp_servers[TOOLS_SERVER]["url"], format!("http://127.0.0.1:1/mcp/{ONE}"));
        assert!(secrets.values().iter().any(|secret| endpoints.knows(ONE, secret)));
        let alone = Endpoints::open(directory.path(), None).unwrap();
        let mut none = SessionSecrets::default();
        alone.add_to(&mut none, ONE, &wanting());
        assert!(none.is_empty() && !alone.are_served());
    }
}
