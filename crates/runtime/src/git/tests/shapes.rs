//! The shapes in which repositories come: a look at each says what git says there.

use super::*;

/// Makes a worktree of it, looks at it as a session does, and removes it.
async fn is_worked_in(repository: &Repository, from: &Path) {
    let (looks, place) = (&repository.looks, repository.root.path().join("worktree"));
    add_worktree(looks, from, "agent/one", &place).await.unwrap();
    let base = head_commit(looks, &place).await.unwrap();
    let clean = GitFacts { branch: Some("agent/one".to_owned()), ..GitFacts::default() };
    assert_eq!(GitFacts::read(looks, &place, Some(&base)).await, Some(clean));
    assert_eq!(fs::read_to_string(place.join("a.txt")).unwrap(), "1\n");
    fs::write(place.join("a.txt"), "2\n").unwrap();
    fs::write(place.join("new.txt"), "new\n").unwrap();
    let diff = diff_since(looks, &place, Some(&base)).await.unwrap();
    assert!(diff.contains("-1\n+2\n") && diff.contains("+new\n"), "{diff}");
    // And git itself is content with it.
    let user = |arguments: &[&str]| repository.git(&[&["-C", place.to_str().unwrap()], arguments].concat());
    assert_eq!(user(&["status", "--porcelain"]), " M a.txt\n?? new.txt\n");
    user(&["add", "--all"]);
    user(&["commit", "--quiet", "--message", "work"]);
    user(&["fsck", "--strict"]);
    let again = repository.root.path().join("again");
    let refused = add_worktree(looks, from, "agent/one", &again).await.unwrap_err();
    assert!(refused.to_string().contains("is worked on already, in /"), "{refused}");
    remove_worktree(looks, &place, false).await.unwrap();
    assert!(!repository.git(&["worktree", "list"]).contains("agent/one"));
    assert!(repository.git(&["branch"]).contains("agent/one"), "the branch stays");
    add_worktree(looks, from, "agent/one", &again).await.unwrap();
    assert!(again.join("new.txt").exists());
    remove_worktree(looks, &again, false).await.unwrap();
    repository.git(&["branch", "-D", "agent/one"]);
}

#[tokio::test]
async fn worktrees_are_made_of_a_repository_of_a_worktree_and_of_a_bare_one() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    is_worked_in(&repository, &repository.path).await;
    let linked = repository.root.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    is_worked_in(&repository, &linked).await;
    let bare = repository.root.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let bare = Repository { root: repository.root, path: bare, looks: repository.looks };
    is_worked_in(&bare, &bare.path).await;
}

#[tokio::test]
async fn refs_in_tables_and_longer_names_are_understood() {
    for options in [
        &["--ref-format=reftable", "--initial-branch=main"][..],
        &["--object-format=sha256", "--initial-branch=main"],
    ] {
        let repository = Repository::made_with(options);
        fs::write(repository.path.join("new.txt"), "new\n").unwrap();
        let unborn =
            GitFacts { branch: Some("main".to_owned()), dirty: true, lines_added: 1, ..GitFacts::default() };
        assert_eq!(repository.facts(None).await, Some(unborn), "{options:?}");
        fs::remove_file(repository.path.join("new.txt")).unwrap();
        repository.commit("a.txt", "1\n");
        is_worked_in(&repository, &repository.path).await;
    }
}

#[tokio::test]
async fn packed_refs_split_indexes_and_what_is_ignored_are_understood() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    repository.git(&["update-index", "--split-index"]);
    repository.git(&["pack-refs", "--all"]);
    repository.git(&["gc", "--quiet"]);
    fs::write(repository.path.join(".git/info/exclude"), "quiet\n").unwrap();
    fs::write(repository.path.join("quiet"), "1\n").unwrap();
    let clean = GitFacts { branch: Some("main".to_owned()), ..GitFacts::default() };
    assert_eq!(repository.facts(None).await, Some(clean));
    is_worked_in(&repository, &repository.path).await;
}

#[tokio::test]
async fn new_files_of_every_kind_are_shown_and_the_repository_is_left_as_it_was() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    fs::remove_file(repository.path.join("a.txt")).unwrap();
    fs::create_dir(repository.path.join("a.txt")).unwrap();
    for name in ["a.txt/in place of a file", "tab\tand \"quotes\"", "empty"] {
        fs::write(repository.path.join(name), if name == "empty" { "" } else { "x\n" }).unwrap();
    }
    std::os::unix::fs::symlink("nowhere", repository.path.join("link")).unwrap();
    // A repository within the repository: without a commit git itself would give up on it.
    repository.git(&["init", "--quiet", "nested"]);
    let tree = |path: &Path| {
        let mut found: Vec<_> = walk(path).into_iter().map(|file| (fs::read(&file).ok(), file)).collect();
        found.sort();
        found
    };
    let before = tree(&repository.path.join(".git"));
    let diff = diff_since(&repository.looks, &repository.path, None).await.unwrap();
    for shown in ["deleted file", "b/a.txt/in place of a file", "new file mode 120000", "b/empty", "quotes"] {
        assert!(diff.contains(shown), "{shown}: {diff}");
    }
    assert!(repository.facts(None).await.unwrap().dirty);
    assert!(tree(&repository.path.join(".git")) == before, "nothing was written there");
}

fn walk(path: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(path).unwrap().map(|found| found.unwrap().path());
    found.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn a_worktree_with_a_submodule_in_it_stays() {
    let repository = Repository::new();
    repository.git(&["init", "--quiet", "sub"]);
    let sub = ["-C", "sub", "-c", "user.name=t", "-c", "user.email=t@example.com"];
    repository.git(&[&sub[..], &["commit", "--quiet", "--allow-empty", "--message", "s"]].concat());
    repository.commit("a.txt", "1\n");
    let place = repository.root.path().join("worktree");
    add_worktree(&repository.looks, &repository.path, "new", &place).await.unwrap();
    repository.git(&["clone", "--quiet", "sub", place.join("sub").to_str().unwrap()]);
    fs::write(place.join("sub/work.txt"), "work\n").unwrap();
    let refused = remove_worktree(&repository.looks, &place, false).await.unwrap_err();
    assert!(refused.to_string().contains("submodules"), "{refused}");
    assert!(place.join("sub/work.txt").exists());
}
