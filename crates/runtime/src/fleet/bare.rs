//! The home of sessions without what their user wrote for all of them: links to everything in Codex's directory but that.
//!
//! Threads, login and configuration are where they always are, so that a bare session's thread can be loaded by any other,
//! and a new login holds for both. Nothing that lasts lies here: it can be removed whenever nobody uses it.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

use super::relays;
use crate::private;

/// What a user wrote, or installed, to be told to every model.
const LEFT_OUT: [&str; 6] = ["AGENTS.md", "AGENTS.override.md", "skills", "plugins", "prompts", "memories"];
/// Made in Codex's directory if they are not there yet: what Codex would make in the private one would go with it.
const DIRECTORIES: [&str; 5] =
    ["sessions", "archived_sessions", "thread-writer-locks", "shell_snapshots", "rules"];
/// Written through their links, wherever they begin.
const FILES: [&str; 4] = ["auth.json", "auth.lock", "config.toml", "history.jsonl"];

/// The private homes that this program uses, each held so that no other one removes it.
#[derive(Debug, Default)]
pub(super) struct BareHomes {
    held: Mutex<HashMap<PathBuf, File>>,
}

impl BareHomes {
    /// Makes one, or mends it, and holds it from now on.
    pub(super) fn prepare(&self, place: &Path, codex_home: &Path) -> io::Result<()> {
        self.hold(place)?;
        furnish(place, codex_home)
    }

    /// Keeps others from removing one: an app-server that an earlier program left may be at home there.
    pub(super) fn hold(&self, place: &Path) -> io::Result<()> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.contains_key(place) {
            return Ok(());
        }
        if let Some(all) = place.parent() {
            private::directory(all)?;
        }
        // Beside it, because it outlives it.
        let file = OpenOptions::new().create(true).append(true).open(place.with_extension("lock"))?;
        file.lock_shared()?;
        held.insert(place.to_owned(), file);
        Ok(())
    }

    /// Lets go of them, as they are: for whoever comes next.
    pub(super) fn leave(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Removes those that no other program uses: for after the last app-server of ours.
    pub(super) fn clear_away(&self) {
        let held = std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner));
        for (place, lock) in held {
            if !has_outliving(&place) && lock.try_lock().is_ok() {
                // What cannot be removed is mended and used again at the next start.
                let _stays = fs::remove_dir_all(&place);
            }
        }
    }
}

/// Whether app-servers behind relays may be at home there, whoever started them: each of them has a directory.
fn has_outliving(place: &Path) -> bool {
    let relays = place.ancestors().nth(2).map(relays::directory);
    relays.and_then(|relays| fs::read_dir(relays).ok()).is_some_and(|mut found| found.next().is_some())
}

fn furnish(place: &Path, codex_home: &Path) -> io::Result<()> {
    private::directory(place)?;
    for name in DIRECTORIES {
        fs::create_dir_all(codex_home.join(name))?;
    }
    let mut names: Vec<_> = FILES.iter().map(Into::into).collect();
    for entry in fs::read_dir(codex_home)? {
        names.push(entry?.file_name());
    }
    for name in names {
        let left_out = name.to_str().is_some_and(|name| LEFT_OUT.contains(&name) || is_of_a_database(name));
        if !left_out {
            link(&codex_home.join(&name), &place.join(&name))?;
        }
    }
    Ok(())
}

/// The files that SQLite makes beside a database, and finds there by itself.
fn is_of_a_database(name: &str) -> bool {
    name.ends_with("-wal") || name.ends_with("-shm") || name.ends_with("-journal")
}

/// A link that is there in one step: an app-server may be looking.
fn link(to: &Path, at: &Path) -> io::Result<()> {
    if fs::read_link(at).is_ok_and(|there| there == to) {
        return Ok(());
    }
    // A directory that Codex made before there was one to link to: what is in it stays of use.
    if fs::symlink_metadata(at).is_ok_and(|there| there.is_dir()) {
        return Ok(());
    }
    let part = at.with_extension(format!("{}.part", Uuid::now_v7().simple()));
    symlink(to, &part)?;
    fs::rename(&part, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_linked_but_what_the_user_wrote_and_it_goes_with_the_last_who_uses_it() {
        let root = tempfile::tempdir().unwrap();
        let (home, place) = (root.path().join("home"), root.path().join("bare/one"));
        fs::create_dir_all(home.join("skills/mine")).unwrap();
        for (name, text) in [("AGENTS.md", "speak Latin"), ("config.toml", "model = \"m\""), ("a.db-wal", "")]
        {
            fs::write(home.join(name), text).unwrap();
        }
        let (ours, theirs) = (BareHomes::default(), BareHomes::default());
        for homes in [&ours, &theirs, &ours] {
            homes.prepare(&place, &home).unwrap();
        }
        assert_eq!(fs::read_to_string(place.join("config.toml")).unwrap(), "model = \"m\"");
        for left_out in ["AGENTS.md", "skills", "a.db-wal"] {
            assert!(!place.join(left_out).exists(), "{left_out}");
        }
        // A login through the link is a login for all, and a thread too.
        fs::write(place.join("auth.json"), "key").unwrap();
        fs::write(place.join("sessions/one.jsonl"), "thread").unwrap();
        assert_eq!(fs::read_to_string(home.join("auth.json")).unwrap(), "key");
        // What has come since is there after the next start, and what Codex made for itself stays.
        fs::create_dir(place.join("skills")).unwrap();
        fs::write(home.join("new.sqlite"), "").unwrap();
        ours.prepare(&place, &home).unwrap();
        assert!(place.join("new.sqlite").exists() && place.join("skills").is_dir());
        ours.clear_away();
        assert!(place.exists(), "somebody else uses it");
        let relay = root.path().join("relays/one");
        fs::create_dir_all(&relay).unwrap();
        theirs.clear_away();
        assert!(place.exists(), "somebody who has outlived a program may use it");
        fs::remove_dir(relay).unwrap();
        theirs.prepare(&place, &home).unwrap();
        theirs.clear_away();
        assert!(
            !place.exists() && home.join("sessions/one.jsonl").exists() && home.join("skills/mine").exists()
        );
    }
}
