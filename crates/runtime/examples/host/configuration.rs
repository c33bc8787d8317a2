//! What the host is told at its start: a runtime's configuration, and who holds its app-servers.

use std::{error::Error, path::PathBuf, time::Duration};

use selvedge_runtime::{Config, Relay};
use serde::Deserialize;
use serde_json::Value;

/// `relay` of the file: no key of `selvedge.toml`, because there the command line decides.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    program: PathBuf,
    idle_seconds: Option<u64>,
}

/// Reads it.
pub(crate) fn read(text: &str) -> Result<Config, Box<dyn Error>> {
    let mut said: Value = serde_json::from_str(text)?;
    let relay = said.as_object_mut().and_then(|said| said.remove("relay"));
    let relay: Option<Held> = relay.map(serde_json::from_value).transpose()?;
    let relay = relay.map(|it| Relay { program: it.program, idle: it.idle_seconds.map(Duration::from_secs) });
    Ok(Config { relay, ..serde_json::from_value(said)? })
}
