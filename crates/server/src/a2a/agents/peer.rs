//! Other agents that an agent may talk to.

use std::{env, fmt};

use selvedge_runtime::Error;
use serde::Deserialize;

use super::wrong;
use crate::access::Secret;

/// Another agent that may be talked to.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Peer {
    /// Its JSON-RPC address, or where messages are fetched.
    pub(crate) url: String,
    pub(crate) description: String,
    token: Option<Secret>,
    /// The variable that holds its token.
    token_env: Option<String>,
    /// How long its answer is waited for.
    pub(crate) timeout_seconds: u64,
}

impl Default for Peer {
    fn default() -> Self {
        Self {
            url: String::new(),
            description: String::new(),
            token: None,
            token_env: None,
            timeout_seconds: 600,
        }
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Peer({})", self.url)
    }
}

impl Peer {
    /// What lets us in there.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_ref().map(Secret::reveal)
    }

    pub(super) fn take_token(&mut self, name: &str) -> Result<(), Error> {
        let Some(variable) = &self.token_env else { return Ok(()) };
        let secret = env::var(variable).ok().filter(|value| !value.is_empty()).map(Secret::new);
        let missing = || {
            wrong(
                format!("the peer `{name}` needs the variable {variable}, which is not set"),
                "set it where `selvedge serve` is started",
            )
        };
        self.token = Some(secret.ok_or_else(missing)?);
        Ok(())
    }
}
