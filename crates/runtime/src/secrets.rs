//! Secrets of sessions: values of their environment and of their MCP servers. They lie in files of their own, and nowhere
//! else.

mod inherited;
mod servers;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_session::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::private;
pub(crate) use inherited::inherited;

/// Shorter values are words, not secrets: to cut them out would cut up everything.
const SHORTEST: usize = 6;
/// Where things lie is no secret: a path that is cut out of a tool's arguments leads nowhere.
const PLACES: [&str; 2] = ["HOME", "CODEX_HOME"];

/// The secrets of all sessions.
#[derive(Debug, Clone)]
pub struct Secrets {
    dir: Arc<Path>,
}

/// The secrets of one session. They are never printed.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionSecrets {
    /// What its app-server's environment gets.
    pub env: BTreeMap<String, String>,
    /// Its MCP servers, as Codex is told of them.
    pub mcp_servers: Map<String, Value>,
}

impl fmt::Debug for SessionSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionSecrets(…)")
    }
}

impl SessionSecrets {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.mcp_servers.is_empty()
    }

    /// The values that are to be cut out of everything that is written or shown, the longest first.
    #[must_use]
    pub fn values(&self) -> Vec<String> {
        let secret = self.env.iter().filter(|(name, _)| !PLACES.contains(&name.as_str()));
        let mut found: BTreeSet<&str> = secret.map(|(_, value)| value.as_str()).collect();
        found.extend(servers::secrets(&self.mcp_servers));
        let mut values: Vec<String> =
            found.into_iter().filter(|value| value.len() >= SHORTEST).map(str::to_owned).collect();
        // A secret that holds another goes first, or its rest would stay.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values
    }
}

impl Secrets {
    /// In a directory of its own, which nobody else may read.
    pub fn new(dir: impl Into<PathBuf>) -> io::Result<Self> {
        let dir = dir.into();
        private::directory(&dir)?;
        Ok(Self { dir: dir.into() })
    }

    /// Keeps the secrets of a session instead of those it had.
    pub async fn put(&self, session: SessionId, secrets: &SessionSecrets) -> io::Result<()> {
        let (path, bytes) = (self.path(session), serde_json::to_vec(secrets)?);
        blocking(move || private::write(&path, &bytes)).await
    }

    /// The secrets of a session; none if it has none.
    pub async fn get(&self, session: SessionId) -> io::Result<SessionSecrets> {
        let path = self.path(session);
        blocking(move || match fs::read(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(SessionSecrets::default()),
            Err(error) => Err(error),
        })
        .await
    }

    /// Removes the secrets of a session.
    pub async fn remove(&self, session: SessionId) -> io::Result<()> {
        let path = self.path(session);
        blocking(move || private::gone(fs::remove_file(&path))).await
    }

    fn path(&self, session: SessionId) -> PathBuf {
        self.dir.join(format!("{session}.json"))
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    const ID: SessionId = SessionId(Uuid::from_u128(1));

    fn secrets() -> SessionSecrets {
        let servers = json!({
            "one": {"command": "server", "args": ["--port", "443000"], "env": {"KEY": "of-the-server"}},
            "two": {
                "url": "https://example.com/mcp",
                "http_headers": {"Authorization": "Bearer of-the-header"},
                "bearer_token": "of-the-bearer",
                "bearer_token_env_var": "NAME_OF_A_VARIABLE",
            },
        });
        SessionSecrets {
            env: [("TOKEN", "of-the-env"), ("LEVEL", "debug"), ("HOME", "/home-of-codex")]
                .map(|(k, v)| (k.into(), v.into()))
                .into(),
            mcp_servers: servers.as_object().cloned().unwrap(),
        }
    }

    #[test]
    fn what_is_cut_out_is_what_is_secret_and_long_enough() {
        let expected =
            ["Bearer of-the-header", "of-the-bearer", "of-the-header", "of-the-server", "of-the-env"];
        assert_eq!(secrets().values(), expected);
        assert_eq!(format!("{:?}", secrets()), "SessionSecrets(…)");
    }

    #[tokio::test]
    async fn they_are_kept_private_and_go_with_their_session() {
        let dir = tempfile::tempdir().unwrap();
        let all = Secrets::new(dir.path().join("secrets")).unwrap();
        assert!(all.get(ID).await.unwrap().is_empty());
        all.put(ID, &SessionSecrets::default()).await.unwrap();
        all.put(ID, &secrets()).await.unwrap();
        assert_eq!(all.get(ID).await.unwrap(), secrets());
        let file = all.path(ID);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
        all.remove(ID).await.unwrap();
        assert!(all.get(ID).await.unwrap().is_empty());
        all.remove(ID).await.unwrap();
    }
}
