//! Where a session works: its repository, a worktree of its own, and what git says of it.

use std::{fs, path::Path, process::Command};

use selvedge_runtime::{MessageState, session::Sandbox};

use crate::{
    setup::{Setup, on_the_stand_in},
    stage::say,
};

on_the_stand_in!(
    git_says_what_the_session_changed,
    a_session_with_a_branch_works_in_a_worktree_that_goes_with_it,
    a_directory_that_is_not_there_is_refused,
);

fn git(directory: &Path, arguments: &[&str]) {
    #[expect(clippy::disallowed_methods, reason = "a short command of the test's own")]
    let mut command = Command::new("git");
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
    let done = command.current_dir(directory).args(identity).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

pub(crate) fn repository(directory: &Path) {
    git(directory, &["init", "-q"]);
    fs::write(directory.join("old.txt"), "one\ntwo\n").unwrap();
    git(directory, &["add", "."]);
    git(directory, &["commit", "-q", "-m", "first"]);
}

async fn git_says_what_the_session_changed(setup: Setup) {
    let stage = setup.open().await;
    repository(&stage.work(""));
    let session = stage.session_with(|settings| settings.sandbox = Some(Sandbox::WorkspaceWrite)).await;
    let before = session.git().await.unwrap().unwrap();
    assert_eq!((before.branch.as_deref(), before.dirty), (Some("main"), false));
    assert_eq!(say(&session, "[patch]").await.state, MessageState::Completed);
    let after = session.git().await.unwrap().unwrap();
    assert_eq!((after.dirty, after.lines_added, after.lines_removed), (true, 2, 0));
    let diff = session.diff().await.unwrap();
    assert!(diff.contains("+++ b/judged.txt") && diff.contains("+second"), "{diff}");
    stage.close().await;
}

async fn a_session_with_a_branch_works_in_a_worktree_that_goes_with_it(setup: Setup) {
    let stage = setup.open().await;
    repository(&stage.work(""));
    let session = stage.session_with(|settings| settings.worktree = Some("a-branch".to_owned())).await;
    let cwd = session.summary().await.unwrap().cwd;
    assert!(Path::new(&cwd).join("old.txt").is_file() && !Path::new(&cwd).starts_with(stage.work("")));
    assert_eq!(session.git().await.unwrap().unwrap().branch.as_deref(), Some("a-branch"));
    assert_eq!(say(&session, "[patch]").await.state, MessageState::Completed);
    assert!(Path::new(&cwd).join("judged.txt").is_file() && !stage.work("judged.txt").exists());
    git(Path::new(&cwd), &["add", "."]);
    git(Path::new(&cwd), &["commit", "-q", "-m", "second"]);
    session.remove().await.unwrap();
    assert!(!Path::new(&cwd).exists(), "nothing in it was uncommitted");
    git(&stage.work(""), &["rev-parse", "--verify", "a-branch"]);
    stage.close().await;
}

async fn a_directory_that_is_not_there_is_refused(setup: Setup) {
    let stage = setup.open().await;
    let mut new = stage.new_session();
    new.settings.cwd = "/not/there".to_owned();
    let refused = stage.runtime.create(new).await.err().unwrap();
    assert_eq!(refused.code.as_str(), "invalid_argument");
    assert!(refused.hint.is_some());
    stage.close().await;
}
