//! A child that planted programs for git in its working directory: counting what it changed runs none of them.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::stage::Stage;

#[test]
fn counting_changes_runs_nothing_that_the_child_planted() {
    let stage = Stage::new();
    let folder = stage.folder.path();
    git(folder, &["init", "-q"]);
    git(folder, &["init", "-q", "sub"]);
    git(&folder.join("sub"), &["commit", "-q", "--allow-empty", "-m", "begin"]);
    fs::write(folder.join("sub/a.txt"), "1\n").unwrap();
    fs::write(folder.join("a.txt"), "1\n").unwrap();
    git(folder, &["add", "a.txt", "sub"]);
    git(folder, &["commit", "-q", "-m", "begin"]);
    plant(folder, folder);
    plant(folder, &folder.join("sub"));
    // The test shows something only if git itself would run them.
    git(folder, &["-c", "filter.evil.clean=", "status"]);
    assert!(ran(folder).contains(&"ran-core.fsmonitor".to_owned()));
    ran(folder).iter().for_each(|marker| fs::remove_file(folder.join(marker)).unwrap());
    stage.leave(&["--diff-stat"], &["sh", "-c", "echo 2 > a.txt; echo 2 > sub/a.txt; echo 3 > new; cat"]);
    let mut peer = stage.connect(0);
    peer.say(b"go\n");
    stage.await_in("output.jsonl", "{\"path\":\"a.txt\",\"added\":1,\"deleted\":1}");
    let counted = stage.await_in("output.jsonl", "{\"path\":\"new\",\"added\":1,\"deleted\":0}");
    assert_eq!(ran(folder), Vec::<String>::new(), "{counted}");
}

fn ran(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).unwrap().map(|found| found.unwrap().file_name());
    found.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with("ran-")).collect()
}

/// Wherever a look comes by. Each program leaves a file with its name.
fn plant(folder: &Path, repository: &Path) {
    let program = |name: &str, path: &Path| {
        fs::write(path, format!("#!/bin/sh\n: > '{}/ran-{name}'\n", folder.display())).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let settings =
        ["core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean"];
    for name in settings {
        let path = program(name, &repository.join(".git").join(name));
        git(repository, &["config", name, &path]);
    }
    for hook in ["post-index-change", "reference-transaction"] {
        program(hook, &repository.join(".git/hooks").join(hook));
    }
    fs::write(repository.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
}

#[expect(clippy::disallowed_methods, reason = "git, awaited")]
fn git(folder: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words).current_dir(folder);
    let done = git.output().unwrap();
    assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
}
