//! The relays of a data directory, for people who look.

use std::{fs, path::Path};

use selvedge_relay::{Place, Standing};
use uuid::Uuid;

use super::{Note, has_living_owner};

/// An app-server behind a relay.
#[derive(Debug, Clone)]
pub struct RelayInfo {
    /// Its marker, which is the name of its directory.
    pub id: Uuid,
    /// The version of its Codex.
    pub version: Option<String>,
    /// The relay's process.
    pub pid: Option<i32>,
    /// How it stands.
    pub state: RelayState,
}

/// How a relay stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayState {
    /// A program works with it.
    InUse,
    /// It runs, and nobody works with it: whoever opens the data directory next does.
    Alone,
    /// It has ended; what it said last is read by whoever opens the data directory next.
    Ended,
}

/// All of them. It asks each, and may take a moment.
#[must_use]
pub fn list(data_dir: &Path) -> Vec<RelayInfo> {
    let Ok(entries) = fs::read_dir(super::directory(data_dir)) else { return Vec::new() };
    entries.filter_map(|entry| look(&entry.ok()?.path())).collect()
}

fn look(path: &Path) -> Option<RelayInfo> {
    let id = path.file_name()?.to_str()?.parse().ok()?;
    let place = Place::at(path).ok()?;
    let version = Note::read(path).and_then(|note| note.info().version().map(str::to_owned));
    let state = match place.standing() {
        Standing::Running if has_living_owner(&path.join("owner")) => RelayState::InUse,
        Standing::Running => RelayState::Alone,
        _ => RelayState::Ended,
    };
    Some(RelayInfo { id, version, pid: place.process(), state })
}
