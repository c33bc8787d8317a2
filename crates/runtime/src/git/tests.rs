//! A real repository, changed as an agent would.

mod planted;
mod shapes;

use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, UNIX_EPOCH},
};

use tempfile::TempDir;

use super::*;

struct Repository {
    root: TempDir,
    path: PathBuf,
    looks: Looks,
}

impl Repository {
    fn new() -> Self {
        Self::made_with(&["--initial-branch=main"])
    }

    fn made_with(options: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().canonicalize().unwrap().join("repository");
        fs::create_dir(&path).unwrap();
        let looks = Looks::new(&root.path().join("looks")).unwrap();
        let repository = Self { root, path, looks };
        repository.git(&[&["init", "--quiet"], options].concat());
        repository
    }

    /// What its user does, by the repository's own configuration.
    fn git(&self, arguments: &[&str]) -> String {
        #[expect(clippy::disallowed_methods, reason = "awaited right here")]
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
        let done = git.current_dir(&self.path).output().unwrap();
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn commit(&self, file: &str, text: &str) -> String {
        fs::write(self.path.join(file), text).unwrap();
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", file]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    async fn facts(&self, base: Option<&str>) -> Option<GitFacts> {
        GitFacts::read(&self.looks, &self.path, base).await
    }
}

#[tokio::test]
async fn a_change_in_the_second_of_the_commit_is_seen_later_too() {
    let repository = Repository::new();
    // Else the file's other time would tell that it changed.
    repository.git(&["config", "core.trustctime", "false"]);
    let second = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let in_that_second = |file: &str| {
        fs::File::options()
            .write(true)
            .open(repository.path.join(file))
            .unwrap()
            .set_modified(second)
            .unwrap();
    };
    fs::write(repository.path.join("a.txt"), "old\n").unwrap();
    in_that_second("a.txt");
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "first"]);
    fs::write(repository.path.join("a.txt"), "new\n").unwrap();
    in_that_second("a.txt");
    in_that_second(".git/index");
    let diff = diff_since(&repository.looks, &repository.path, None).await.unwrap();
    assert!(diff.contains("-old\n+new\n"), "{diff}");
}

#[tokio::test]
async fn facts_count_what_changed_since_the_session_began_new_files_too() {
    let repository = Repository::new();
    let unborn = GitFacts { branch: Some("main".to_owned()), ..GitFacts::default() };
    assert_eq!(repository.facts(None).await, Some(unborn.clone()));
    assert_eq!(head_commit(&repository.looks, &repository.path).await, None);
    let base = repository.commit("a.txt", "one\ntwo\nthree\n");
    assert_eq!(repository.facts(Some(&base)).await, Some(unborn.clone()));
    repository.commit("a.txt", "one\n2\nthree\n");
    fs::create_dir(repository.path.join("sub")).unwrap();
    fs::write(repository.path.join("sub/new.txt"), "new\nfile\n").unwrap();
    let expected = GitFacts { dirty: true, lines_added: 3, lines_removed: 1, ..unborn.clone() };
    for place in ["", "sub"] {
        let facts = GitFacts::read(&repository.looks, &repository.path.join(place), Some(&base)).await;
        assert_eq!(facts, Some(expected.clone()), "{place}");
    }
    let since_head = GitFacts { lines_added: 2, lines_removed: 0, ..expected };
    assert_eq!(repository.facts(None).await, Some(since_head));
    let diff = diff_since(&repository.looks, &repository.path, Some(&base)).await.unwrap();
    assert!(diff.contains("-two\n+2\n") && diff.contains("+++ b/sub/new.txt"), "{diff}");
    assert_eq!(repository.git(&["status", "--porcelain"]), "?? sub/\n", "the user's index was not touched");
}

#[tokio::test]
async fn a_directory_that_is_reached_by_a_link_is_in_its_repository() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    fs::create_dir(repository.path.join("sub")).unwrap();
    let link = repository.path.with_file_name("link");
    std::os::unix::fs::symlink(repository.path.join("sub"), &link).unwrap();
    assert_eq!(GitFacts::read(&repository.looks, &link, None).await.unwrap().branch.as_deref(), Some("main"));
}

#[tokio::test]
async fn ahead_and_behind_are_of_the_upstream() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    repository.git(&["branch", "upstream"]);
    repository.git(&["branch", "--quiet", "--set-upstream-to=upstream"]);
    repository.commit("b.txt", "1\n");
    repository.commit("c.txt", "1\n");
    let facts = repository.facts(None).await.unwrap();
    assert_eq!((facts.ahead, facts.behind), (2, 0));
}

#[tokio::test]
async fn what_is_no_repository_has_no_facts() {
    let root = tempfile::tempdir().unwrap();
    let looks = Looks::new(&root.path().join("looks")).unwrap();
    for place in [root.path().to_owned(), root.path().join("nowhere")] {
        assert_eq!(GitFacts::read(&looks, &place, None).await, None);
        assert!(diff_since(&looks, &place, None).await.is_err());
    }
}

#[tokio::test]
async fn a_worktree_is_made_on_its_branch_and_work_in_it_is_not_thrown_away() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    let place = repository.path.with_file_name("worktree");
    add_worktree(&repository.looks, &repository.path, "agent/one", &place).await.unwrap();
    let facts = GitFacts::read(&repository.looks, &place, None).await.unwrap();
    assert_eq!(facts.branch.as_deref(), Some("agent/one"));
    fs::write(place.join("a.txt"), "2\n").unwrap();
    let refused = remove_worktree(&repository.looks, &place, false).await.unwrap_err();
    assert!(refused.to_string().contains("modified"), "{refused}");
    remove_worktree(&repository.looks, &place, true).await.unwrap();
    assert!(!place.exists());
    add_worktree(&repository.looks, &repository.path, "agent/one", &place)
        .await
        .expect("the branch is still there");
    remove_worktree(&repository.looks, &place, false).await.unwrap();
}

#[tokio::test]
async fn names_that_are_options_or_no_branches_are_refused() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    let place = repository.path.with_file_name("worktree");
    for branch in ["--force", "a..b", "", "with space"] {
        let refused = add_worktree(&repository.looks, &repository.path, branch, &place).await;
        assert!(matches!(refused, Err(GitError::Refused(_))), "{branch}: {refused:?}");
    }
    let output = repository.path.join("written");
    let option = format!("--output={}", output.display());
    assert!(diff_since(&repository.looks, &repository.path, Some(&option)).await.is_err());
    assert!(!output.exists());
}
