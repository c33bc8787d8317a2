//! What killed programs left: found by its mark, and by the lock that nobody holds any more.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::Mode;
use rustix::process::geteuid;

use super::{Kind, MARK, OWNER, both};
use crate::files::Beneath;

/// Where this program has looked.
static SWEPT: Mutex<BTreeSet<(Kind, PathBuf)>> = Mutex::new(BTreeSet::new());

/// Removes what was left in this directory, the first time it is asked to.
pub(super) fn sweep_once(kind: Kind, below: &Path) {
    let swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert((kind, below.to_owned()));
    if swept {
        sweep(kind, below);
    }
}

pub(super) fn sweep(kind: Kind, below: &Path) {
    let Ok(top) = Beneath::open(below) else { return };
    for name in top.names().unwrap_or_default() {
        let Some(_held) = left(kind, &top, &name) else { continue };
        let outer = below.join(&name);
        let inner = outer.join(kind.inner());
        if is_at_work(kind, &inner) {
            continue;
        }
        if let Err(error) = both(&outer, &inner) {
            tracing::debug!(%error, directory = %outer.display(), "what a killed program left stays");
        }
    }
}

/// Holds a directory that a program of ours made and no program uses any more. What is not known to be one is none.
fn left(kind: Kind, top: &Beneath, name: &OsStr) -> Option<File> {
    let is_named_so = name.to_str().is_some_and(|name| name.starts_with(kind.prefix()));
    let directory = is_named_so.then(|| top.enter(name).ok()).flatten()?;
    let stat = directory.own_stat().ok()?;
    let is_ours = stat.st_uid == geteuid().as_raw() && Mode::from_raw_mode(stat.st_mode) == Mode::RWXU;
    let (mut owner, _) = is_ours.then(|| directory.file(OWNER).ok()).flatten()?;
    owner.try_lock().ok()?;
    // Read when it is locked: whoever makes the directory writes it when they have the lock.
    let mut said = String::new();
    let whole = owner.by_ref().take(MARK.len() as u64 + 1).read_to_string(&mut said);
    (whole.is_ok() && said == MARK).then_some(owner)
}

/// Whether app-servers that outlived their program use it: they end by themselves.
fn is_at_work(kind: Kind, inner: &Path) -> bool {
    kind == Kind::Journal
        && fs::read_dir(inner.join("relays")).is_ok_and(|mut relays| relays.next().is_some())
}
