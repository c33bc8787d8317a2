//! Recordings of what is said to app-servers and by them, if they were asked for.

use std::{path::Path, sync::Arc, time::Duration};

use selvedge_client::{Listener, Redactions, ServerInfo};
pub use selvedge_recording::Counts as Recorded;
use selvedge_recording::{Conversation, Direction, Limits, Recorder, Recordings};
use serde::Deserialize;

use crate::config::Config;

/// How long the last lines may take to be written when everything rests.
pub(crate) const LAST_LINES: Duration = Duration::from_secs(5);
const DAY: u64 = 24 * 60 * 60;

/// How much of the recordings is kept: the table `[recordings]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordingLimits {
    /// A file that has so many bytes, before they are compressed, is followed by another part.
    pub file_bytes: u64,
    /// So many files are kept,
    pub keep_files: usize,
    /// for so many days,
    pub keep_days: u64,
    /// and so many bytes together.
    pub keep_bytes: u64,
}

impl Default for RecordingLimits {
    fn default() -> Self {
        let Limits { file_bytes, files, age, bytes } = Limits::default();
        Self { file_bytes, keep_files: files, keep_days: age.as_secs() / DAY, keep_bytes: bytes }
    }
}

impl From<RecordingLimits> for Limits {
    fn from(limits: RecordingLimits) -> Self {
        Self {
            file_bytes: limits.file_bytes,
            files: limits.keep_files,
            age: Duration::from_secs(limits.keep_days.saturating_mul(DAY)),
            bytes: limits.keep_bytes,
        }
    }
}

/// The recordings of a data directory, if the configuration asks for them.
pub(crate) fn recordings(config: &Config) -> Option<Recordings> {
    let tell = |trouble: &str| tracing::warn!("{trouble}; what is said goes on without being recorded");
    config.record.then(|| Recordings::new(place(&config.data_dir), config.recordings.into(), Arc::new(tell)))
}

fn place(data_dir: &Path) -> std::path::PathBuf {
    data_dir.join("recordings")
}

/// Listens to one conversation.
#[derive(Debug)]
pub(crate) struct Ear(Recorder);

impl Ear {
    pub(crate) fn begin(
        recordings: &Recordings,
        conversation: &Conversation,
        redactions: &Redactions,
    ) -> Arc<Self> {
        let redactions = redactions.clone();
        Arc::new(Self(recordings.begin(conversation, Box::new(move |text| redactions.apply(text)))))
    }

    /// Codex has said who it is, or has not.
    pub(crate) fn introduced(&self, info: Option<&ServerInfo>) {
        match info {
            Some(info) => self.0.introduce(info.version()),
            None => self.0.not_introduced(),
        }
    }
}

impl Listener for Ear {
    fn received(&self, line: &[u8]) {
        self.0.line(Direction::Received, line);
    }

    fn sent(&self, line: &[u8]) {
        self.0.line(Direction::Sent, line);
    }
}
