//! A Codex, or a stand-in, that is replaced on the disk while it runs, and what readers notice of it.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use selvedge_runtime::{SessionHandle, session::What};

use crate::{
    setup::{Setup, codex},
    watch::history,
};

/// A file by which it is started, as a package manager leaves it: replaced in one step.
pub(crate) struct Installed {
    directory: tempfile::TempDir,
}

impl Installed {
    pub(crate) fn of(version: &str) -> Self {
        let it = Self { directory: tempfile::tempdir().unwrap() };
        it.install(version);
        it
    }

    /// Between a setup and what it would start.
    pub(crate) fn within(setup: Setup) -> (Self, Setup) {
        let it = Self { directory: tempfile::tempdir().unwrap() };
        let setup = setup.config(|config| {
            let program =
                if config.is_rehearsal() { &mut config.rehearsal.program } else { &mut config.codex };
            it.run(&program.take().unwrap());
            *program = Some(it.program());
        });
        (it, setup)
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.directory.path().join("codex")
    }

    pub(crate) fn install(&self, version: &str) {
        self.run(&codex(version));
    }

    /// By another file with the same in it.
    pub(crate) fn replace(&self) {
        let same = fs::read(self.program()).unwrap();
        self.write(&same);
    }

    fn run(&self, real: &Path) {
        self.write(format!("#!/bin/sh\nexec '{}' \"$@\"\n", real.display()).as_bytes());
    }

    fn write(&self, script: &[u8]) {
        let next = self.directory.path().join("next");
        fs::write(&next, script).unwrap();
        fs::set_permissions(&next, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(next, self.program()).unwrap();
    }
}

/// The versions that a session's readers were told took over.
pub(crate) async fn taken_over(session: &SessionHandle) -> Vec<String> {
    let told = history(session).await.into_iter().filter_map(|event| match event.what {
        What::CodexRestarted(it) => it.version,
        _ => None,
    });
    told.collect()
}

/// Readers notice nothing of a move but that another Codex took over.
pub(crate) async fn noticed_nothing_else(session: &SessionHandle) {
    let events = history(session).await;
    for name in ["codex.exited", "session.warning"] {
        let told: Vec<_> = events.iter().filter(|event| event.what.name() == name).collect();
        assert!(told.is_empty(), "{told:?}");
    }
}
