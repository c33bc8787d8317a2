//! Which directories are taken for leftovers, and which are not.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// What a killed program leaves: everything but the lock.
fn left_in(below: &Path, kind: Kind) -> PathBuf {
    let made = Private::make(kind, below).unwrap();
    fs::write(made.path().join("file"), "x").unwrap();
    let outer = made.outer.clone();
    let mut made = made;
    made.removed = true;
    outer
}

fn place() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn what_nobody_holds_goes_and_what_somebody_holds_stays() {
    let place = place();
    let alive = Private::make(Kind::Workspace, place.path()).unwrap();
    let dead = left_in(place.path(), Kind::Workspace);
    let other = left_in(place.path(), Kind::Journal);
    leftovers::sweep(Kind::Workspace, place.path());
    assert!(!dead.exists() && alive.path().is_dir() && other.exists());
    leftovers::sweep(Kind::Journal, place.path());
    assert!(!other.exists());
    drop(alive);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn what_is_not_known_to_be_ours_is_left_alone() {
    let place = place();
    let make = |name: &str, mode: u32, owner: Option<&str>| {
        let path = place.path().join(name);
        DirBuilder::new().mode(mode).create(&path).unwrap();
        fs::write(path.join("notes"), "a user's").unwrap();
        if let Some(said) = owner {
            fs::write(path.join(OWNER), said).unwrap();
        }
        path.join("notes")
    };
    let kept = [
        make("selvedge-workspace-notes", 0o700, None),
        make("selvedge-workspace-empty", 0o700, Some("")),
        make("selvedge-workspace-other", 0o700, Some("ann\n")),
        make("selvedge-workspace-more", 0o700, Some(&format!("{MARK}and more"))),
        make("selvedge-workspace-open", 0o755, Some(MARK)),
        make("workspace", 0o700, Some(MARK)),
    ];
    let elsewhere = left_in(tempfile::tempdir().unwrap().keep().as_path(), Kind::Workspace);
    symlink(&elsewhere, place.path().join("selvedge-workspace-link")).unwrap();
    leftovers::sweep(Kind::Workspace, place.path());
    for file in kept {
        assert_eq!(fs::read_to_string(&file).unwrap(), "a user's", "{}", file.display());
    }
    assert!(elsewhere.join("workspace/file").exists(), "nothing is reached through a link");
    removal::remove(elsewhere.parent().unwrap()).unwrap();
}

#[test]
fn a_journal_with_app_servers_behind_relays_is_left_to_them() {
    let place = place();
    let left = left_in(place.path(), Kind::Journal);
    fs::create_dir_all(left.join("data/relays/one")).unwrap();
    leftovers::sweep(Kind::Journal, place.path());
    assert!(left.exists());
    fs::remove_dir(left.join("data/relays/one")).unwrap();
    leftovers::sweep(Kind::Journal, place.path());
    assert!(!left.exists());
}
