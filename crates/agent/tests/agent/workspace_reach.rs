//! Where tools never reach.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use selvedge_agent::{Directory, FileError};

use crate::workspace::{files_below, host};

#[test]
fn tools_reach_nothing_outside_by_whatever_path() {
    let host = host([("work/file", "x"), ("outside", "s")]);
    let directory = Directory::open(host.path().join("work")).unwrap();
    let changes = directory.transaction();
    let files = changes.files();
    let absolute = host.path().join("outside");
    for path in ["../outside", "a/../../outside", "..", "/etc/passwd", absolute.to_str().unwrap()] {
        assert!(matches!(files.read(path), Err(FileError::Outside { .. })), "{path}");
        assert!(matches!(files.write(path, "x"), Err(FileError::Outside { .. })), "{path}");
        assert!(matches!(files.remove(path), Err(FileError::Outside { .. })), "{path}");
        assert!(matches!(files.list(path), Err(FileError::Outside { .. })) && !files.exists(path), "{path}");
    }
    assert_eq!(files.read_to_string("a/../file").unwrap(), "x");
    let error = files.read("../outside").unwrap_err().to_string();
    assert!(error.ends_with("\nhint: give a path relative to it"), "{error}");
}

#[test]
fn tools_follow_no_link_wherever_it_points() {
    let host = host([("work/file", "x"), ("work/dir/inner", "y"), ("outside/key", "s")]);
    let at = |path: &str| host.path().join(path);
    symlink("../outside/key", at("work/key")).unwrap();
    symlink(at("outside"), at("work/away")).unwrap();
    symlink("dir", at("work/near")).unwrap();
    let directory = Directory::open(at("work")).unwrap();
    let changes = directory.transaction();
    let files = changes.files();
    for path in ["key", "away/key", "near/inner", "away/new"] {
        assert!(matches!(files.read(path), Err(FileError::Link { .. })), "{path}");
        assert!(matches!(files.write(path, "x"), Err(FileError::Link { .. })), "{path}");
        assert!(matches!(files.remove(path), Err(FileError::Link { .. })), "{path}");
    }
    assert!(matches!(files.list("away"), Err(FileError::Link { .. })));
    assert_eq!(files.find("*").unwrap(), ["dir/inner", "file"]);
    assert!(files.exists("key"), "the link itself is there");
    changes.commit().unwrap();
    assert_eq!(fs::read_to_string(at("outside/key")).unwrap(), "s");
}

#[test]
fn a_link_that_is_made_between_writing_and_the_end_of_the_call_is_not_followed_either() {
    let host = host([("work/dir/file", "x"), ("outside/file", "s"), ("outside/key", "k")]);
    let at = |path: &str| host.path().join(path);
    let directory = Directory::open(at("work")).unwrap();
    let (one, other) = (directory.transaction(), directory.transaction());
    one.files().write("dir/file", "written").unwrap();
    other.files().write("new", "written").unwrap();
    // As a command of the model could, meanwhile.
    fs::rename(at("work/dir"), at("work/was")).unwrap();
    symlink(at("outside"), at("work/dir")).unwrap();
    symlink(at("outside/key"), at("work/new")).unwrap();
    assert!(matches!(one.commit(), Err(FileError::Link { .. })));
    assert!(matches!(other.commit(), Err(FileError::Link { .. })));
    assert_eq!(fs::read_to_string(at("outside/file")).unwrap(), "s");
    assert_eq!(fs::read_to_string(at("outside/key")).unwrap(), "k");
    assert_eq!(files_below(&at("work")), ["dir", "new", "was/file"]);
}

#[test]
fn a_directory_that_is_swapped_for_a_link_is_still_the_one_that_was_opened() {
    let host = host([("work/file", "x"), ("outside/file", "s")]);
    let at = |path: &str| host.path().join(path);
    let directory = Directory::open(at("work")).unwrap();
    fs::rename(at("work"), at("was")).unwrap();
    symlink(at("outside"), at("work")).unwrap();
    let changes = directory.transaction();
    assert_eq!(changes.files().read_to_string("file").unwrap(), "x");
    changes.files().write("file", "written").unwrap();
    changes.commit().unwrap();
    assert_eq!(fs::read_to_string(at("outside/file")).unwrap(), "s");
    assert_eq!(fs::read_to_string(at("was/file")).unwrap(), "written");
}

#[test]
fn a_pipe_keeps_no_tool_waiting() {
    let host = host([("file", "x")]);
    mknodat(CWD, host.path().join("fifo"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    let no_file =
        |result: Result<(), FileError>| matches!(result, Err(FileError::Kind { wanted: "file", .. }));
    assert!(no_file(changes.files().read("fifo").map(drop)) && no_file(changes.files().write("fifo", "x")));
    assert!(no_file(changes.files().remove("fifo")));
}
