//! Of a play that failed: how it is repeated, and what was told in it.

use std::fs;

use tempfile::TempDir;

use super::driver::Ended;

/// Kept on a failure, else removed.
pub(super) struct Evidence {
    seed: u64,
    folder: Option<TempDir>,
}

impl Evidence {
    pub(super) fn of(seed: u64) -> Self {
        let folder = tempfile::Builder::new().prefix("selvedge-killed-").tempdir().unwrap();
        Self { seed, folder: Some(folder) }
    }

    /// Writes down what every session told, and what Codex had said.
    pub(super) fn keep(&self, ended: &Ended) {
        let Some(folder) = &self.folder else { return };
        for (number, session) in ended.sessions.iter().enumerate() {
            fs::write(folder.path().join(format!("session-{number}.jsonl")), session.again.join("\n"))
                .unwrap();
        }
        let said: Vec<_> = ended.output.lines().iter().map(ToString::to_string).collect();
        fs::write(folder.path().join("codex.jsonl"), said.join("\n")).unwrap();
        fs::write(folder.path().join("ran.txt"), ended.ran.join("\n")).unwrap();
    }
}

impl Drop for Evidence {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(folder) = self.folder.take()
        {
            eprintln!(
                "SELVEDGE_SEED={} repeats it; what was told is in {}",
                self.seed,
                folder.keep().display()
            );
        }
    }
}
