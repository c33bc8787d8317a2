//! What a gateway is told: the table `[serve]` of `selvedge.toml`, and the flags of the same names.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use selvedge_runtime::{Config, Error};
use selvedge_session::Code;
use serde::Deserialize;
use serde_json::Value;

use crate::access::Secret;

/// Everything a gateway is told at its start. Every field is a key of `[serve]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The token of whoever started it; one is made and kept, unless given.
    pub token: Option<Secret>,
    /// Nobody is asked for a token; on loopback only.
    pub no_auth: bool,
    /// How many seconds running turns get at the end.
    pub drain: u64,
    /// Whether app-servers are held by relays, so that their turns outlive the gateway.
    pub relay: bool,
    /// After so many minutes without a gateway they end; never, if 0.
    pub relay_idle_minutes: u64,
    /// Names by which it is reached, beside its address and `localhost`.
    pub host: Vec<String>,
    /// Directories that sessions may work in and look at; everything, unless given.
    pub allow_root: Vec<PathBuf>,
    /// Connections at one time; more wait.
    pub max_connections: usize,
    /// The largest head of a request, in bytes.
    pub max_header_bytes: usize,
    /// How many seconds a request's head may take.
    pub header_seconds: u64,
    /// The largest body, in bytes.
    pub max_body_bytes: usize,
    /// How many seconds a body may take.
    pub body_seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7433)),
            token: None,
            no_auth: false,
            drain: 30,
            relay: true,
            relay_idle_minutes: 60,
            host: Vec::new(),
            allow_root: Vec::new(),
            max_connections: 4_096,
            max_header_bytes: 32 << 10,
            header_seconds: 10,
            max_body_bytes: 32 << 20,
            body_seconds: 60,
        }
    }
}

impl Settings {
    /// What the configuration says of a gateway.
    pub fn of(config: &Config) -> Result<Self, Error> {
        let said = Value::Object(config.serve.clone());
        serde_path_to_error::deserialize(&said).map_err(|error| {
            let path = error.path().to_string();
            let key = if path == "." { "serve".to_owned() } else { format!("serve.{path}") };
            let message = format!("`{key}` in the configuration: {}", error.inner());
            Error::coded(Code::InvalidArgument, message).hint("docs/configuration.md lists every key")
        })
    }

    /// How long running turns get at the end.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.drain)
    }

    /// A gateway that anybody may use is for this machine only.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.no_auth && !self.listen.ip().is_loopback() {
            let message = format!("without tokens it may not listen on {}", self.listen.ip());
            return Err(Error::coded(Code::InvalidArgument, message)
                .hint("leave `--no-auth` away, or listen on a loopback address"));
        }
        if self.no_auth && self.token.is_some() {
            return Err(Error::coded(Code::InvalidArgument, "a token was given, and that none is needed")
                .hint("say `--token` or `--no-auth`, not both"));
        }
        let limits = [("max_connections", self.max_connections), ("max_body_bytes", self.max_body_bytes)];
        if let Some((name, _)) = limits.into_iter().find(|(_, most)| *most == 0) {
            return Err(Error::coded(
                Code::InvalidArgument,
                format!("`serve.{name}` is 0: nobody would be answered"),
            )
            .hint("give at least 1, or leave it out"));
        }
        Ok(())
    }
}
