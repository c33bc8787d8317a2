//! What cannot be asked again of an app-server that outlived its program.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use selvedge_client::ServerInfo;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::fleet::{environment::Environment, stamp::Stamp};

const NAME: &str = "note.json";

/// Lies in the relay's directory, and is replaced as a whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::fleet) struct Note {
    /// By what its sessions find it again: its environment, without any of its values.
    pub(in crate::fleet) environment: String,
    /// Who plays Codex there.
    #[serde(default)]
    pub(in crate::fleet) backend: Backend,
    /// The binary that was started.
    pub(in crate::fleet) stamp: Option<Stamp>,
    /// What it said at the handshake, which happens once.
    info: Box<RawValue>,
    /// How many programs have worked with it; each begins its request ids where no other does.
    pub(in crate::fleet) epoch: u32,
    /// Whether it is one session's alone.
    #[serde(default)]
    pub(in crate::fleet) isolated: bool,
    /// Where threads of it were told that their tools are, if any was.
    #[serde(default)]
    pub(in crate::fleet) tools_at: Option<String>,
    /// Everything it said before this byte is in the journal.
    pub(in crate::fleet) durable: u64,
}

/// Who plays Codex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::fleet) enum Backend {
    #[default]
    Codex,
    Rehearsal,
}

impl Backend {
    pub(in crate::fleet) fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Rehearsal => "rehearsal",
        }
    }
}

impl Note {
    pub(super) fn new(environment: &Environment, info: &ServerInfo) -> Self {
        Self {
            environment: environment.digest(),
            backend: environment.program.backend(),
            stamp: environment.stamp(),
            info: info.raw().to_owned(),
            epoch: 1,
            isolated: false,
            tools_at: None,
            durable: 0,
        }
    }

    pub(in crate::fleet) fn info(&self) -> ServerInfo {
        ServerInfo::read(&self.info)
    }

    /// Of one that was never finished there is none.
    pub(super) fn read(directory: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(directory.join(NAME)).ok()?).ok()
    }

    pub(in crate::fleet) fn write(&self, directory: &Path) -> io::Result<()> {
        let new = directory.join("note.new");
        let mut file = fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        fs::rename(&new, directory.join(NAME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::Program;

    #[test]
    fn what_was_noted_is_read_by_whoever_comes_next() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Note::read(folder.path()).is_none());
        let said = RawValue::from_string(r#"{"userAgent":"a/0.166.0 (b)"}"#.to_owned()).unwrap();
        let program = Program::Rehearsal { program: "/stand-in".into(), arguments: Vec::new() };
        let environment = Environment {
            program,
            codex_home: None,
            env: Vec::new(),
            config: Vec::new(),
            bare: None,
            login: None,
        };
        let note = Note::new(&environment, &ServerInfo::read(&said));
        Note { epoch: 7, durable: 99, ..note }.write(folder.path()).unwrap();
        let read = Note::read(folder.path()).unwrap();
        assert_eq!(
            (read.epoch, read.durable, read.environment.as_str()),
            (7, 99, environment.digest().as_str())
        );
        assert_eq!((read.info().version(), read.backend.name()), (Some("0.166.0"), "rehearsal"));
    }
}
