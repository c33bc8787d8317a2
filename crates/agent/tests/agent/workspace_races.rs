//! What others do at the same time: names that are swapped for links while they are used, and commits side by side.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use selvedge_agent::{Directory, HostMount};

use crate::workspace::{built, files_below, host};

/// Swaps two things for each other, again and again, while something is done.
fn while_swapping<T>(one: &Path, other: &Path, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        done.store(true, Ordering::Relaxed);
        worked.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn a_mount_whose_directories_and_files_become_links_never_has_what_they_point_to() {
    let host = host([("m/dir/file", "public"), ("m/one", "public"), ("secret/file", "secret")]);
    let at = |path: &str| host.path().join(path);
    symlink(at("secret"), at("link-to-dir")).unwrap();
    symlink(at("secret/file"), at("link-to-file")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let build = |follow: bool| {
        let mount = HostMount::new(at("m"));
        let mount = if follow { mount.follow_symlinks() } else { mount };
        // It may be refused: then there is nothing.
        let Ok(workspace) = runtime.block_on(built([mount])) else { return };
        for file in files_below(workspace.path()) {
            assert_eq!(fs::read_to_string(workspace.path().join(file)).unwrap(), "public");
        }
    };
    for (one, other) in [("m/dir", "link-to-dir"), ("m/one", "link-to-file")] {
        while_swapping(&at(one), &at(other), || (0..150).for_each(|round| build(round % 2 == 0)));
    }
}

#[test]
fn tools_never_reach_what_a_name_is_swapped_for() {
    let host = host([("work/dir/file", "public"), ("outside/file", "secret")]);
    let at = |path: &str| host.path().join(path);
    symlink(at("outside"), at("link")).unwrap();
    let directory = Directory::open(at("work")).unwrap();
    while_swapping(&at("work/dir"), &at("link"), || {
        for _ in 0..2_000 {
            let changes = directory.transaction();
            if let Ok(text) = changes.files().read_to_string("dir/file") {
                assert_eq!(text, "public");
            }
            assert!(!changes.files().exists("dir/key"));
            let wrote = changes
                .files()
                .write("dir/file", "public")
                .and_then(|()| changes.files().write("dir/new", "public"));
            // Now and then all of it happens between two swaps.
            let _either = wrote.and_then(|()| changes.commit());
        }
    });
    assert_eq!(files_below(&at("outside")), ["file"]);
    assert_eq!(fs::read_to_string(at("outside/file")).unwrap(), "secret");
}

#[test]
fn commits_side_by_side_are_not_mixed_and_leave_nothing_aside() {
    let host = host([]);
    let directory = Directory::open(host.path()).unwrap();
    thread::scope(|scope| {
        for name in ["ann", "ben", "eve", "kim"] {
            let directory = &directory;
            scope.spawn(move || {
                for round in 0..50 {
                    let changes = directory.transaction();
                    for file in ["x", "y/z", "w"] {
                        changes.files().write(file, format!("{name} {round}")).unwrap();
                    }
                    if round % 2 == 0 {
                        changes.commit().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(files_below(host.path()), ["w", "x", "y/z"]);
    let read = |file: &str| fs::read_to_string(host.path().join(file)).unwrap();
    assert!(
        read("x") == read("y/z") && read("x") == read("w"),
        "{} {} {}",
        read("x"),
        read("y/z"),
        read("w")
    );
    assert!(read("x").ends_with(" 48"), "one that was committed: {}", read("x"));
}

#[test]
fn who_reads_and_writes_side_by_side_loses_nothing() {
    let host = host([("count", "0")]);
    let directory = Directory::open(host.path()).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut left = 25;
                while left > 0 {
                    let changes = directory.transaction();
                    let count: u32 = changes.files().read_to_string("count").unwrap().parse().unwrap();
                    changes.files().write("count", (count + 1).to_string()).unwrap();
                    // Who was too late is told, and reads again.
                    left -= u32::from(changes.commit().is_ok());
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(host.path().join("count")).unwrap(), "100");
}
