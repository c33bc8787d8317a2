//! Whether what is said to app-servers and by them is recorded, and how much of that is kept.

use clap::Args;
use selvedge_runtime::{Config, Recorded};

/// Options of what starts app-servers.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Recordings")]
pub(crate) struct Record {
    /// Records what is said to Codex and by it, without secrets, in DATA_DIR/recordings
    #[arg(long, env = "SELVEDGE_RECORD")]
    record: bool,
    /// So many bytes, before they are compressed, stand in one file; what follows in the next [default: 268435456]
    #[arg(long, value_name = "BYTES", env = "SELVEDGE_RECORD_FILE_BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    record_file_bytes: Option<u64>,
    /// So many files are kept [default: 500]
    #[arg(long, value_name = "FILES", env = "SELVEDGE_RECORD_KEEP_FILES")]
    record_keep_files: Option<usize>,
    /// For so long [default: 30]
    #[arg(long, value_name = "DAYS", env = "SELVEDGE_RECORD_KEEP_DAYS")]
    record_keep_days: Option<u64>,
    /// So many bytes together [default: 4294967296]
    #[arg(long, value_name = "BYTES", env = "SELVEDGE_RECORD_KEEP_BYTES")]
    record_keep_bytes: Option<u64>,
}

impl Record {
    /// A flag beats the environment beats the file.
    pub(crate) fn put_into(&self, config: &mut Config) {
        config.record |= self.record;
        let limits = &mut config.recordings;
        limits.file_bytes = self.record_file_bytes.unwrap_or(limits.file_bytes);
        limits.keep_files = self.record_keep_files.unwrap_or(limits.keep_files);
        limits.keep_days = self.record_keep_days.unwrap_or(limits.keep_days);
        limits.keep_bytes = self.record_keep_bytes.unwrap_or(limits.keep_bytes);
    }

    /// Whether it was asked for here, and not in a file.
    pub(crate) fn is_wanted(&self) -> bool {
        self.record
    }
}

/// What a person is told who has no log: that something is missing.
pub(crate) fn warn(recorded: Option<Recorded>) {
    let Some(Recorded { failed, missing, .. }) = recorded else { return };
    if failed > 0 {
        eprintln!(
            "warning: the recording could not be written\nhint: look at DATA_DIR/recordings and its disk"
        );
    } else if missing > 0 {
        eprintln!(
            "warning: {missing} lines came faster than they could be recorded; the recording says where"
        );
    }
}
