//! A repository in which an agent planted programs wherever git takes one from: nothing that Selvedge does runs them.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// Names of hooks; git runs those that it comes by.
const HOOKS: [&str; 12] = [
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "prepare-commit-msg",
    "proc-receive",
    "reference-transaction",
    "update",
];
/// Settings that name a program.
const PROGRAMS: [&str; 23] = [
    "core.fsmonitor",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "filter.evil.clean",
    "filter.evil.process",
    "filter.evil.smudge",
    "gpg.program",
    "interactive.diffFilter",
    "pager.diff",
    "pager.status",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "tar.evil.command",
    "uploadpack.packObjectsHook",
];

struct Planted {
    repository: Repository,
    base: String,
}

impl Planted {
    /// One commit, a submodule, and then everything that an agent can write.
    fn new() -> Self {
        let repository = Repository::new();
        repository.git(&["init", "--quiet", "sub"]);
        let sub = ["-C", "sub", "-c", "user.name=t", "-c", "user.email=t@example.com"];
        repository.git(&[&sub[..], &["commit", "--quiet", "--allow-empty", "--message", "s"]].concat());
        fs::write(repository.path.join("sub/inside.txt"), "1\n").unwrap();
        let base = repository.commit("a.txt", "one\n");
        let planted = Self { repository, base };
        fs::create_dir(planted.markers()).unwrap();
        planted.plant(&planted.repository.path.join(".git"), &[]);
        planted.plant(&planted.repository.path.join("sub/.git"), &["-C", "sub"]);
        for place in ["", "sub/"] {
            let attributes = "* filter=evil diff=evil\n";
            fs::write(planted.repository.path.join(format!("{place}.gitattributes")), attributes).unwrap();
            let info = planted.repository.path.join(format!("{place}.git/info/attributes"));
            fs::write(info, attributes).unwrap();
        }
        planted.change();
        planted
    }

    fn change(&self) {
        fs::write(self.repository.path.join("a.txt"), "two\n").unwrap();
        fs::write(self.repository.path.join("new.txt"), "new\n").unwrap();
        fs::write(self.repository.path.join("sub/inside.txt"), "2\n").unwrap();
    }

    fn plant(&self, git_dir: &Path, at: &[&str]) {
        let config = |arguments: &[&str]| self.repository.git(&[at, &["config"], arguments].concat());
        let hooks = git_dir.join("hooks");
        fs::create_dir_all(&hooks).unwrap();
        for hook in HOOKS {
            self.program(&hooks.join(hook), hook);
        }
        for name in PROGRAMS {
            config(&[name, &self.program(&self.markers_of(name), name)]);
        }
        let included = git_dir.join("included");
        let clean = self.program(&self.markers_of("included"), "included");
        fs::write(&included, format!("[filter \"evil\"]\n\tclean = {clean}\n")).unwrap();
        let ext = format!("ext::{}", self.program(&self.markers_of("ext"), "ext"));
        for (name, value) in [
            ("core.hooksPath", hooks.to_str().unwrap()),
            ("extensions.partialClone", "origin"),
            ("extensions.worktreeConfig", "true"),
            ("filter.evil.required", "true"),
            ("include.path", included.to_str().unwrap()),
            ("includeIf.gitdir:/.path", included.to_str().unwrap()),
            ("protocol.allow", "always"),
            ("protocol.ext.allow", "always"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", &ext),
            ("submodule.recurse", "true"),
            ("submodule.sub.update", &format!("!{ext}")),
        ] {
            config(&[name, value]);
        }
        fs::copy(git_dir.join("config"), git_dir.join("config.worktree")).unwrap();
    }

    /// A program that leaves a marker.
    fn program(&self, path: &Path, name: &str) -> String {
        let marker = self.markers().join(name);
        fs::write(path, format!("#!/bin/sh\n: > '{}'\n", marker.display())).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn markers(&self) -> PathBuf {
        self.repository.root.path().join("markers")
    }

    fn markers_of(&self, name: &str) -> PathBuf {
        self.repository.root.path().join(format!("program-{name}"))
    }

    fn ran(&self) -> Vec<String> {
        let found = fs::read_dir(self.markers()).unwrap();
        let mut ran: Vec<String> =
            found.map(|marker| marker.unwrap().file_name().into_string().unwrap()).collect();
        ran.sort();
        ran
    }

    fn nothing_ran(&self, while_doing: &str) {
        assert_eq!(self.ran(), Vec::<String>::new(), "{while_doing}");
    }
}

/// Else the other tests would show nothing.
#[test]
fn a_user_who_asks_git_in_that_repository_runs_what_was_planted() {
    let planted = Planted::new();
    let git = |arguments: &[&str]| {
        #[expect(clippy::disallowed_methods, reason = "awaited right here")]
        let mut git = Command::new("git");
        // Whether it succeeds is nothing to us.
        git.args(arguments).current_dir(&planted.repository.path).output().unwrap();
    };
    git(&["status"]);
    git(&["-c", "filter.evil.process=", "-c", "filter.evil.required=false", "diff"]);
    git(&["add", "--all"]);
    git(&["-c", "core.fsmonitor=false", "worktree", "add", "../elsewhere"]);
    git(&["cat-file", "-e", "0123456789012345678901234567890123456789"]);
    let ran = planted.ran();
    for name in ["core.fsmonitor", "diff.evil.command", "filter.evil.process", "post-index-change", "ext"] {
        assert!(ran.iter().any(|ran| ran == name), "{name} did not run: {ran:?}");
    }
}

#[tokio::test]
async fn a_look_runs_nothing_that_an_agent_planted() {
    let planted = Planted::new();
    let Repository { looks, path, .. } = &planted.repository;
    let facts = planted.repository.facts(Some(&planted.base)).await.unwrap();
    planted.nothing_ran("status");
    assert!(facts.dirty && facts.branch.as_deref() == Some("main"), "{facts:?}");
    // Two lines of text, and the attributes.
    assert_eq!((facts.lines_added, facts.lines_removed), (3, 1));
    let diff = diff_since(looks, path, None).await.unwrap();
    planted.nothing_ran("diff");
    assert!(diff.contains("-one\n+two\n") && diff.contains("+++ b/new.txt\n"), "{diff}");
    assert!(diff_since(looks, path, Some("0123456789012345678901234567890123456789")).await.is_err());
    planted.nothing_ran("diff with a commit that is missing");
    let listed = files(looks, path).await.unwrap();
    planted.nothing_ran("list");
    assert!(listed.contains(&"a.txt".to_owned()) && listed.contains(&"new.txt".to_owned()), "{listed:?}");
    assert_eq!(head_commit(looks, path).await.as_deref(), Some(&*planted.base));
    assert!(GitFacts::read(looks, &path.join("sub"), None).await.unwrap().dirty);
    assert!(diff_since(looks, &path.join("sub"), None).await.unwrap().contains("+2\n"));
    planted.nothing_ran("looks into the submodule");
    assert_eq!(fs::read_dir(planted.repository.root.path().join("looks")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_worktree_is_made_and_removed_without_what_an_agent_planted() {
    let planted = Planted::new();
    let Repository { looks, path, root, .. } = &planted.repository;
    let place = root.path().join("worktree");
    // The attributes are part of the branch, too.
    planted.repository.git(&[
        "-c",
        "core.fsmonitor=",
        "-c",
        "core.hooksPath=",
        "-c",
        "core.attributesFile=",
        "branch",
        "other",
    ]);
    fs::read_dir(planted.markers())
        .unwrap()
        .for_each(|marker| fs::remove_file(marker.unwrap().path()).unwrap());
    for branch in ["new", "other"] {
        add_worktree(looks, path, branch, &place).await.unwrap();
        planted.nothing_ran("made");
        assert_eq!(fs::read_to_string(place.join("a.txt")).unwrap(), "one\n");
        fs::write(place.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
        fs::write(place.join("a.txt"), "changed\n").unwrap();
        let facts = GitFacts::read(looks, &place, None).await.unwrap();
        assert!(facts.dirty && facts.branch.as_deref() == Some(branch), "{facts:?}");
        assert!(diff_since(looks, &place, None).await.unwrap().contains("+changed\n"));
        assert!(remove_worktree(looks, &place, false).await.is_err(), "there is work in it");
        remove_worktree(looks, &place, true).await.unwrap();
        planted.nothing_ran("removed");
        assert!(!place.exists());
    }
}

#[tokio::test]
async fn attributes_in_a_commit_lead_to_no_filter_when_it_is_checked_out() {
    let planted = Planted::new();
    let repository = &planted.repository;
    let quiet =
        ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "filter.evil.process="];
    let quiet = [&quiet[..], &["-c", "filter.evil.clean=", "-c", "filter.evil.required=false"]].concat();
    repository.git(&[&quiet[..], &["add", "a.txt", ".gitattributes"]].concat());
    repository.git(&[&quiet[..], &["commit", "--quiet", "--message", "attributes"]].concat());
    fs::read_dir(planted.markers())
        .unwrap()
        .for_each(|marker| fs::remove_file(marker.unwrap().path()).unwrap());
    let place = repository.root.path().join("worktree");
    add_worktree(&repository.looks, &repository.path, "new", &place).await.unwrap();
    assert_eq!(fs::read_to_string(place.join("a.txt")).unwrap(), "two\n");
    remove_worktree(&repository.looks, &place, true).await.unwrap();
    planted.nothing_ran("a checkout");
}

/// The values that are taken are data in a file that git reads: none of them may begin another line.
#[tokio::test]
async fn no_name_or_value_in_a_configuration_becomes_another_setting() {
    let planted = Planted::new();
    let repository = &planted.repository;
    let config = repository.path.join(".git/config");
    let clean = planted.markers_of("filter.evil.clean");
    let plain = format!(
        "[branch \"main\"]\n\tmerge = \"refs/heads/x\\n[filter \\\"evil\\\"]\\n\\tclean = {clean}\\n\"\n\
         [branch \"a\\\"]\\\\\"]\n\tremote = \"b\\\"\\\\\"\n[core]\n\tautocrlf = \"true\\n[filter \\\"evil\\\"]\\n\\tclean = {clean}\"\n",
        clean = clean.display()
    );
    fs::write(&config, plain).unwrap();
    assert!(!repository.git(&["config", "--get", "core.autocrlf"]).is_empty(), "git itself reads it");
    assert!(repository.facts(None).await.unwrap().dirty);
    planted.nothing_ran("status");
}

/// What is in the way of a look ends it, and keeps nobody waiting.
#[tokio::test]
async fn what_is_no_file_is_not_waited_for() {
    for part in ["HEAD", "config", "index", "commondir", "info/exclude"] {
        let planted = Planted::new();
        let path = planted.repository.path.join(".git").join(part);
        let _none = fs::remove_file(&path);
        #[expect(clippy::disallowed_methods, reason = "awaited right here")]
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let begun = std::time::Instant::now();
        assert_eq!(planted.repository.facts(None).await, None, "{part}");
        assert!(begun.elapsed() < QUICKLY, "{part}");
    }
}

#[tokio::test]
async fn what_a_worktree_says_of_its_repository_removes_nothing_else() {
    let repository = Repository::new();
    repository.commit("a.txt", "1\n");
    let (looks, root) = (&repository.looks, repository.root.path());
    let place = root.join("worktree");
    add_worktree(looks, &repository.path, "new", &place).await.unwrap();
    // The repository of somebody else, under another name.
    let other = root.join("other");
    add_worktree(looks, &repository.path, "other", &other).await.unwrap();
    fs::copy(other.join(".git"), place.join(".git")).unwrap();
    assert!(remove_worktree(looks, &place, true).await.is_err());
    assert!(remove_worktree(looks, &repository.path, true).await.is_err(), "it is no worktree");
    assert!(place.exists() && other.exists() && repository.path.join(".git/worktrees/other").exists());
    // A list of worktrees that lies somewhere else.
    let elsewhere = root.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::remove_dir_all(repository.path.join(".git/worktrees")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repository.path.join(".git/worktrees")).unwrap();
    assert!(add_worktree(looks, &repository.path, "third", &root.join("third")).await.is_err());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}
