//! What the app-servers said, as their relays wrote it down: copied as it comes, because what is durable is given back to the disk.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde_json::Value;

/// All logs there ever were, whole.
#[derive(Default)]
pub(super) struct Output {
    relays: PathBuf,
    logs: BTreeMap<PathBuf, Vec<u8>>,
}

impl Output {
    pub(super) fn of(data: &Path) -> Self {
        Self { relays: data.join("relays"), logs: BTreeMap::new() }
    }

    /// Copies what is new.
    pub(super) fn copy(&mut self) {
        let Ok(relays) = fs::read_dir(&self.relays) else { return };
        for log in relays.flatten().map(|relay| relay.path().join("output.jsonl")) {
            let Ok(mut file) = File::open(&log) else { continue };
            let copied = self.logs.entry(log).or_default();
            file.seek(SeekFrom::Start(copied.len() as u64)).unwrap();
            file.read_to_end(copied).unwrap();
        }
    }

    /// How many app-servers there were.
    pub(super) fn logs(&self) -> usize {
        self.logs.len()
    }

    /// Every line, in its order.
    pub(super) fn lines(&self) -> Vec<Value> {
        let lines = self.logs.values().flat_map(|log| log.split(|byte| *byte == b'\n'));
        lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_slice(line).unwrap()).collect()
    }
}
