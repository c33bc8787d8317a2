//! What the proxies of a stage did, in order.

use std::{fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::stage::Stage;

/// One thing that a proxy did.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Did {
    pub(crate) did: String,
    pub(crate) pid: i32,
    pub(crate) name: String,
    pub(crate) thread: Option<String>,
    pub(crate) path: String,
    pub(crate) mark: String,
    pub(crate) value: Value,
}

/// Where they write it down.
pub(crate) fn place(stage: &Stage) -> PathBuf {
    stage.directory.path().join("codex.log")
}

/// Everything they did.
pub(crate) fn read(stage: &Stage) -> Vec<Did> {
    let log = fs::read_to_string(place(stage)).unwrap();
    log.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
