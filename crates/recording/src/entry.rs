//! The lines of a recording.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The format that is written. A file of a later one is refused.
pub const VERSION: u32 = 1;

/// The first line of each file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version; that it is there says that this is a recording of ours.
    #[serde(rename = "selvedge_recording")]
    pub version: u32,
    /// Codex's version, once it had introduced itself.
    pub codex: Option<String>,
    /// When the conversation began, RFC 3339.
    pub started_at: String,
    /// `codex`, or `rehearsal` if a stand-in spoke.
    pub backend: String,
    /// The marker of the process that spoke.
    pub process: String,
    /// Which part of the conversation this is, from 1.
    pub part: u32,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// We, to Codex.
    #[serde(rename = "->")]
    Sent,
    /// Codex, to us.
    #[serde(rename = "<-")]
    Received,
}

/// One line of the conversation, or how many are missing here.
#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    /// Seconds since the start.
    pub(crate) t: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dir: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) msg: Option<&'a RawValue>,
    /// What is not JSON, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<&'a str>,
    /// So many lines came faster than they could be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<u64>,
}

impl<'a> Line<'a> {
    pub(crate) fn said(at: Duration, direction: Direction, text: &'a str) -> Self {
        let msg = serde_json::from_str::<&RawValue>(text).ok();
        let raw = msg.is_none().then_some(text);
        Self { t: seconds(at), dir: Some(direction), msg, raw, missing: None }
    }

    pub(crate) fn missing(at: Duration, lines: u64) -> Self {
        Self { t: seconds(at), dir: None, msg: None, raw: None, missing: Some(lines) }
    }
}

/// To the microsecond: more digits are noise.
fn seconds(at: Duration) -> f64 {
    (at.as_secs_f64() * 1e6).round() / 1e6
}
