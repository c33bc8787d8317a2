//! Where a recording is played: a directory of its own, with a runtime that finds the player in Codex's place.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf, absolute},
};

use selvedge_runtime::Config;
use selvedge_server::Settings;
use tempfile::TempDir;

use super::Options;
use crate::failure::Failure;

/// So long a session that rests stays as it is: longer than any recording pauses.
const NEVER: u64 = 10 * 365 * 24 * 60 * 60;

pub(super) struct Place {
    /// Removed with everything in it, at the end.
    own: TempDir,
    data: PathBuf,
    file: PathBuf,
}

impl Place {
    pub(super) fn make(options: &Options) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            Failure::failed(format!("there is no place to play it: {error}"), "look at TMPDIR and its disk")
        };
        let own = tempfile::Builder::new().prefix("selvedge-replay-").tempdir().map_err(failed)?;
        fs::create_dir(own.path().join("work")).map_err(failed)?;
        let file = absolute(&options.file).map_err(failed)?;
        let data = match &options.data_dir {
            Some(named) => empty(named)?,
            None => own.path().join("data"),
        };
        Ok(Self { own, data, file })
    }

    /// Where sessions work whose own directory is not here.
    pub(super) fn work(&self) -> PathBuf {
        self.own.path().join("work")
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.own.path().join("conductor.sock")
    }

    /// One player plays all threads, and nothing of it is kept ready, put away or recorded again.
    pub(super) fn config(&self, options: &Options) -> Config {
        let mut config = Config::new(&self.data);
        config.codex = Some("rehearsal".into());
        config.rehearsal.arguments = self.player(options);
        config.keep_warm = false;
        config.threads_per_process = usize::MAX;
        config.idle_seconds = NEVER;
        config
    }

    pub(super) fn settings(&self, options: &Options) -> Settings {
        Settings { listen: options.listen, no_auth: options.no_auth, drain: 0, ..Settings::default() }
    }

    fn player(&self, options: &Options) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["rehearse".into(), "recording".into(), (&self.file).into()];
        words.extend(["--conductor".into(), self.socket().into()]);
        if options.speed.step {
            words.push("--step".into());
        } else if options.speed.at_once {
            words.push("--at-once".into());
        } else {
            words.extend(["--speed".into(), options.speed.speed.to_string().into()]);
        }
        words
    }
}

/// Sessions that are there would be taken up, and answered by the recording.
fn empty(named: &Path) -> Result<PathBuf, Failure> {
    let is_empty = fs::read_dir(named).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty {
        let what = format!(
            "{} is not empty, and a recording is played into a directory of its own",
            named.display()
        );
        return Err(Failure::bad_input(what, "name a new directory with --data-dir, or leave it away"));
    }
    absolute(named).map_err(|error| {
        Failure::bad_input(format!("{} is no path: {error}", named.display()), "give an absolute path")
    })
}
