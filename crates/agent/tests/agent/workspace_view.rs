//! The files of a directory as one transaction sees them, and what it makes of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use selvedge_agent::{Directory, EntryKind, FileEntry, FileError};

use crate::workspace::{files_below, host};

#[test]
fn a_view_is_the_directory_with_its_own_changes() {
    let host = host([("a/x", "x"), ("a/y", "y"), ("b", "b")]);
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    let files = changes.files();
    files.write("a/z", "z").unwrap();
    files.write("c/d/e", "e").unwrap();
    files.remove("a/x").unwrap();
    files.write("b", "other").unwrap();
    files.write("f/g", "gone again").unwrap();
    files.remove("f/g").unwrap();
    let entry = |name: &str, kind| FileEntry { name: name.to_owned(), kind };
    assert_eq!(files.list("a").unwrap(), [entry("y", EntryKind::File), entry("z", EntryKind::File)]);
    let top =
        [entry("a", EntryKind::Directory), entry("b", EntryKind::File), entry("c", EntryKind::Directory)];
    assert_eq!(files.list(".").unwrap(), top);
    assert_eq!(files.list("c").unwrap(), [entry("d", EntryKind::Directory)]);
    assert!(files.exists("c/d") && files.exists("c/d/e") && !files.exists("a/x") && !files.exists("c/x"));
    assert_eq!(files.read_to_string("b").unwrap(), "other");
    for missing in [
        files.read("a/x").map(drop),
        files.remove("a/x"),
        files.list("d").map(drop),
        files.read("d/e").map(drop),
    ] {
        assert!(matches!(missing, Err(FileError::Missing { .. })), "{missing:?}");
    }
    assert!(matches!(files.write("a", "x"), Err(FileError::Kind { wanted: "file", .. })));
    assert!(matches!(files.write("b/x", "x"), Err(FileError::Kind { wanted: "directory", .. })));
    assert_eq!(files.find("*").unwrap(), ["a/y", "a/z", "b", "c/d/e"]);
    assert_eq!(files.find("[ac]/*").unwrap(), ["a/y", "a/z", "c/d/e"]);
    changes.commit().unwrap();
    assert_eq!(files_below(host.path()), ["a/y", "a/z", "b", "c/d/e"]);
    let later = directory.files();
    assert_eq!(
        (later.find("*/z").unwrap(), later.read_to_string("b").unwrap()),
        (vec!["a/z".to_owned()], "other".into())
    );
    assert!(matches!(later.write("b", "x"), Err(FileError::Ended)));
}

#[test]
fn a_file_keeps_its_rights_and_bytes_may_be_anything() {
    let host = host([("run.sh", "old")]);
    let path = host.path().join("run.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    changes.files().write("run.sh", [0xff, 0x00]).unwrap();
    assert!(matches!(changes.files().read_to_string("run.sh"), Err(FileError::NotText { .. })));
    changes.commit().unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(fs::read(&path).unwrap(), [0xff, 0x00]);
}

#[test]
fn changes_are_made_together_or_not_at_all() {
    let host = host([("a.txt", "a"), ("b.txt", "b"), ("z/x", "x")]);
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    let files = changes.files();
    files.write("a.txt", "new").unwrap();
    files.remove("b.txt").unwrap();
    files.write("c/d.txt", "new").unwrap();
    files.write("z/y", "new").unwrap();
    // As a command of Codex could, meanwhile.
    fs::create_dir(host.path().join("z/y")).unwrap();
    assert!(matches!(changes.commit(), Err(FileError::Kind { wanted: "file", .. })));
    assert_eq!(files_below(host.path()), ["a.txt", "b.txt", "z/x"]);
    assert!(!host.path().join("c").exists());
    assert_eq!(fs::read_to_string(host.path().join("a.txt")).unwrap(), "a");
}

#[test]
fn a_file_has_no_other_in_it() {
    let host = host([]);
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    changes.files().write("a/b", "x").unwrap();
    let error = changes.files().write("a", "x").unwrap_err();
    assert_eq!(error.to_string(), "`a` is no directory, or lies in something that is none");
    assert!(changes.files().write("a/b/c", "x").is_err() && changes.files().write("ab", "x").is_ok());
    changes.commit().unwrap();
    assert_eq!(files_below(host.path()), ["a/b", "ab"]);
}

#[test]
fn too_much_is_refused_when_it_is_written() {
    let host = host([]);
    let large = fs::File::create(host.path().join("large")).unwrap();
    large.set_len((32 << 20) + 1).unwrap();
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    assert!(matches!(changes.files().read("large"), Err(FileError::TooLarge { .. })));
    let half = vec![0; 40 << 20];
    changes.files().write("one", &half).unwrap();
    changes.files().write("one", &half).unwrap();
    assert!(matches!(changes.files().write("two", &half), Err(FileError::TooMuch { .. })));
}
