//! The cache's promises: complete or not there, one owner at a time, leftovers removed.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use super::super::catalog::PACKAGES;
use super::{STAMP, Slot, root};

fn slot_in(root: &tempfile::TempDir) -> Slot {
    Slot::take_in(root.path(), &PACKAGES[0]).unwrap()
}

#[test]
fn an_install_is_there_only_when_it_was_committed() {
    let cache = tempfile::tempdir().unwrap();
    let slot = slot_in(&cache);
    let staging = slot.staging().unwrap();
    fs::write(staging.join("program"), "x").unwrap();
    assert!(slot.complete().is_none());
    slot.commit(&staging).unwrap();
    drop(slot);
    let again = slot_in(&cache);
    assert!(again.complete().unwrap().join("program").is_file());
}

#[test]
fn a_directory_without_its_stamp_is_replaced() {
    let cache = tempfile::tempdir().unwrap();
    let slot = slot_in(&cache);
    fs::create_dir_all(slot.directory.join("half")).unwrap();
    assert!(slot.complete().is_none());
    let staging = slot.staging().unwrap();
    let installed = slot.commit(&staging).unwrap();
    assert!(installed.join(STAMP).is_file());
    assert!(!installed.join("half").exists());
}

#[test]
fn what_a_killed_setup_left_is_removed() {
    let cache = tempfile::tempdir().unwrap();
    let slot = slot_in(&cache);
    let leftover = slot.directory.with_added_extension("partial-0");
    fs::create_dir_all(leftover.join("node_modules")).unwrap();
    slot.staging().unwrap();
    assert!(!leftover.exists());
}

#[test]
fn a_second_setup_waits_for_the_first() {
    let cache = tempfile::tempdir().unwrap();
    let first = slot_in(&cache);
    let (report, reports) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let second = slot_in(&cache);
            report.send(second.complete().is_some()).unwrap();
        });
        assert!(reports.recv_timeout(Duration::from_millis(50)).is_err(), "both had the slot");
        let staging = first.staging().unwrap();
        first.commit(&staging).unwrap();
        drop(first);
        assert!(reports.recv().unwrap(), "the second does not see what the first installed");
    });
}

#[test]
fn the_cache_is_where_the_caller_says_then_where_the_platform_says() {
    let with = |pairs: &'static [(&'static str, &'static str)]| {
        root(move |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
    };
    let all = &[("SELVEDGE_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
    assert_eq!(with(all).unwrap(), PathBuf::from("/c"));
    assert_eq!(with(&all[1..]).unwrap(), PathBuf::from("/x/selvedge"));
    assert_eq!(with(&all[2..]).unwrap(), PathBuf::from("/h/.cache/selvedge"));
    assert!(with(&[("SELVEDGE_CACHE", "")]).unwrap_err().to_string().contains("SELVEDGE_CACHE"));
}
