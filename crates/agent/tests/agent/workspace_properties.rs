//! Whatever a call writes and removes: if it is kept, the directory is as the call saw it, else as it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use selvedge_agent::{Directory, Files};

use crate::workspace::files_below;

#[derive(Debug, Clone)]
enum Op {
    Write(String, u8),
    Remove(String),
    Read(String),
}

/// Few names, so that they meet: files and directories of one name, and detours.
fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ab](/[ab]){0,2}",
        1 => Just("a/../b".to_owned()),
        1 => Just("./a/./b".to_owned()),
        1 => Just("../a".to_owned()),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        (path(), any::<u8>()).prop_map(|(path, byte)| Op::Write(path, byte)),
        path().prop_map(Op::Remove),
        path().prop_map(Op::Read),
    ]
}

fn on_disk(top: &Path) -> BTreeMap<String, Vec<u8>> {
    files_below(top).into_iter().map(|path| (path.clone(), fs::read(top.join(path)).unwrap())).collect()
}

fn as_seen(files: &Files) -> BTreeMap<String, Vec<u8>> {
    let found = files.find("*").unwrap();
    found.into_iter().map(|path| (path.clone(), files.read(&path).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_directory_is_as_a_call_saw_it_or_as_it_was(calls in prop::collection::vec((prop::collection::vec(op(), 0..8), any::<bool>()), 1..6)) {
        let home = tempfile::tempdir().unwrap();
        let top = home.path().join("top");
        fs::create_dir(&top).unwrap();
        let directory = Directory::open(&top).unwrap();
        for (ops, keep) in calls {
            let before = on_disk(&top);
            let changes = directory.transaction();
            for op in ops {
                // What cannot be done is told, and changes nothing.
                let seen = as_seen(changes.files());
                let done = match &op {
                    Op::Write(path, byte) => changes.files().write(path, [*byte]),
                    Op::Remove(path) => changes.files().remove(path),
                    Op::Read(path) => changes.files().read(path).map(drop),
                };
                if done.is_err() || matches!(op, Op::Read(_)) {
                    prop_assert_eq!(as_seen(changes.files()), seen);
                }
            }
            prop_assert_eq!(on_disk(&top), before.clone());
            let seen = as_seen(changes.files());
            if keep {
                changes.commit().unwrap();
                prop_assert_eq!(on_disk(&top), seen);
            } else {
                drop(changes);
                prop_assert_eq!(on_disk(&top), before);
            }
            prop_assert_eq!(files_below(home.path()).into_iter().filter(|path| !path.starts_with("top/")).count(), 0);
        }
    }
}
