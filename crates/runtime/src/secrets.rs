//! stand-in
use std::{collections::BTreeMap, path::PathBuf};
use selvedge_session::SessionId;
use crate::error::Error;
#[derive(Default, Clone)]
pub struct SessionSecrets { pub env: BTreeMap<String, String>, pub mcp_servers: BTreeMap<String, serde_json::Value> }
impl SessionSecrets { pub fn values(&self) -> Vec<String> { Vec::new() } }
pub struct Secrets(PathBuf);
impl Secrets {
    pub fn new(d: PathBuf) -> Self { Self(d) }
    pub fn put(&self, _i: SessionId, _s: &SessionSecrets) -> Result<(), Error> { Ok(()) }
    pub fn get(&self, _i: SessionId) -> Result<Option<SessionSecrets>, Error> { Ok(None) }
    pub fn remove(&self, _i: SessionId) -> Result<(), Error> { let _ = &self.0; Ok(()) }
}
