//! Workspaces: what is copied into them, what a prompt says about them, and that they go.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use selvedge_agent::{Directory, HostMount, Prompt, Section, Session, Visibility, Workspace, WorkspaceError};
use tempfile::TempDir;

/// A host with these files in it, and what they hold.
pub(crate) fn host<const N: usize>(files: [(&str, &str); N]) -> TempDir {
    let host = tempfile::tempdir().unwrap();
    for (path, contents) in files {
        let path = host.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    host
}

pub(crate) async fn built(mounts: impl IntoIterator<Item = HostMount>) -> Result<Workspace, WorkspaceError> {
    mounts.into_iter().fold(Workspace::builder(), |builder, mount| builder.mount(mount)).build().await
}

/// Every file below a directory, sorted.
pub(crate) fn files_below(top: &Path) -> Vec<String> {
    fn below(top: &Path, directory: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.symlink_metadata().unwrap().is_dir() {
                below(top, &path, found);
            } else {
                found.push(path.strip_prefix(top).unwrap().display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    below(top, top, &mut found);
    found.sort();
    found
}

fn repository() -> (TempDir, PathBuf) {
    let host = host([
        ("repo/src/main.rs", "fn main() {}\n"),
        ("repo/src/deep/lib.rs", "//! x\n"),
        ("repo/target/debug/big.o", "0123456789"),
        ("repo/README.md", "# Repo\n"),
    ]);
    let repository = host.path().join("repo");
    (host, repository)
}

#[tokio::test]
async fn creates_workspace_from_mounts() {
    let (host, repository) = repository();
    let notes = host.path().join("notes.txt");
    fs::write(&notes, "remember").unwrap();
    let workspace =
        built([HostMount::new(&repository), HostMount::new(&notes).at("docs/notes.md")]).await.unwrap();
    let expected = [
        "docs/notes.md",
        "repo/README.md",
        "repo/src/deep/lib.rs",
        "repo/src/main.rs",
        "repo/target/debug/big.o",
    ];
    assert_eq!(files_below(workspace.path()), expected);
    assert_eq!(fs::read_to_string(workspace.path().join("docs/notes.md")).unwrap(), "remember");
    let mode = workspace.path().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "nobody else can look into it");
    // What happens to a copy does not happen to the original.
    fs::write(workspace.path().join("repo/README.md"), "other").unwrap();
    assert_eq!(fs::read_to_string(repository.join("README.md")).unwrap(), "# Repo\n");
}

#[tokio::test]
async fn patterns_choose_and_what_is_excluded_stays_out() {
    let (_host, repository) = repository();
    let of = |mount: HostMount| async { files_below(built([mount.at("r")]).await.unwrap().path()) };
    assert_eq!(of(HostMount::new(&repository).include("*.rs")).await, ["r/src/deep/lib.rs", "r/src/main.rs"]);
    assert_eq!(of(HostMount::new(&repository).include("*.rs").exclude("*deep*")).await, ["r/src/main.rs"]);
    let without = of(HostMount::new(&repository).exclude("target/*").exclude("*.md")).await;
    assert_eq!(without, ["r/src/deep/lib.rs", "r/src/main.rs"]);
    assert!(of(HostMount::new(&repository).include("*.py")).await.is_empty());
    // One file is wanted as it is.
    assert_eq!(of(HostMount::new(repository.join("README.md")).include("*.rs")).await, ["r"]);
}

#[tokio::test]
async fn empty_directories_are_copied_unless_files_are_chosen() {
    let (_host, repository) = repository();
    fs::create_dir_all(repository.join(".git/refs/heads")).unwrap();
    let all = built([HostMount::new(&repository)]).await.unwrap();
    assert!(all.path().join("repo/.git/refs/heads").is_dir());
    let chosen = built([HostMount::new(&repository).include("*.rs")]).await.unwrap();
    assert!(!chosen.path().join("repo/.git").exists());
}

#[tokio::test]
async fn a_mount_may_be_the_whole_workspace_and_several_may_share_a_directory() {
    let (_host, repository) = repository();
    let mounts = [
        HostMount::new(repository.join("src")).at("."),
        HostMount::new(repository.join("README.md")).at("deep/README.md"),
    ];
    let workspace = built(mounts).await.unwrap();
    assert_eq!(files_below(workspace.path()), ["deep/README.md", "deep/lib.rs", "main.rs"]);
    let same = [HostMount::new(&repository).at("r"), HostMount::new(&repository).at("r")];
    let error = built(same).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "two mounts have something at `r/README.md` of the workspace\nhint: mount one of them elsewhere with `at`"
    );
}

#[tokio::test]
async fn more_bytes_than_allowed_are_refused_and_nothing_is_left() {
    let (host, repository) = repository();
    let scratch = host.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let with = |most: u64| {
        let mount = HostMount::new(&repository).exclude("target/*").max_bytes(most);
        Workspace::builder().below(&scratch).mount(mount).build()
    };
    assert!(with(26).await.is_ok(), "exactly as many are allowed");
    let error = with(25).await.unwrap_err();
    let WorkspaceError::TooLarge { file, most: 25, .. } = &error else { panic!("{error}") };
    assert_eq!(file, "src/main.rs");
    assert!(error.to_string().contains("\nhint: leave files out with `exclude`"), "{error}");
    assert!(with(0).await.is_err());
    let one = HostMount::new(repository.join("README.md"));
    assert!(built([one.clone().max_bytes(6)]).await.is_err() && built([one.max_bytes(7)]).await.is_ok());
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "also not what was copied before");
}

#[tokio::test]
async fn what_is_not_there_is_told() {
    let error = built([HostMount::new("/nowhere/at/all")]).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no /nowhere/at/all to be mounted");
    let error = Workspace::builder().allowed_root("/nowhere/at/all").build().await.unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/at/all cannot be allowed: "), "{error}");
}

#[tokio::test]
async fn it_goes_with_the_last_who_has_it() {
    let (_host, repository) = repository();
    let workspace = built([HostMount::new(&repository)]).await.unwrap();
    let path = workspace.path().to_owned();
    let prompt = Prompt::text("a", "b").section(workspace.section()).build().unwrap();
    let clone = workspace.clone();
    workspace.close().await.unwrap();
    assert!(path.exists(), "somebody else has it");
    drop(clone);
    assert!(path.exists(), "a prompt still needs it");
    let rendered = prompt.render(&Session::new()).unwrap();
    drop(prompt);
    let tools = rendered.toolbox(&Session::new());
    drop(rendered);
    assert!(path.exists(), "its tools work in it");
    drop(tools);
    assert!(!path.exists());
    assert!(repository.join("README.md").exists(), "what was mounted stays");
}

#[tokio::test]
async fn it_is_gone_when_closing_has_ended() {
    let (_host, repository) = repository();
    let workspace = built([HostMount::new(&repository)]).await.unwrap();
    let path = workspace.path().to_owned();
    // As package managers like to leave what they have downloaded.
    for directory in ["repo/src/deep", "repo/src"] {
        fs::set_permissions(path.join(directory), fs::Permissions::from_mode(0o555)).unwrap();
    }
    workspace.close().await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn a_build_that_nobody_waits_for_leaves_nothing() {
    let (host, repository) = repository();
    let scratch = host.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    for _ in 0..20 {
        let building = Workspace::builder().below(&scratch).mount(HostMount::new(&repository)).build();
        // Once, so that it begins; then it is dropped.
        let _either = tokio::time::timeout(std::time::Duration::ZERO, building).await;
    }
    // Whoever still works ends at the next file.
    while fs::read_dir(&scratch).unwrap().count() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_section_says_what_was_copied_and_in_order() {
    let names: Vec<(String, String)> =
        (0..13).rev().map(|n| (format!("repo/f{n:02}.py"), "12345".into())).collect();
    let host = host([("one.txt", "ab"), ("repo/f99.txt", "left out")]);
    for (path, contents) in &names {
        fs::write(host.path().join(path), contents).unwrap();
    }
    let mounts = [
        HostMount::new(host.path().join("repo")).include("*.py"),
        HostMount::new(host.path().join("one.txt")).at("one.md"),
    ];
    let fingerprint = HostMount::fingerprint(&mounts);
    let workspace = built(mounts).await.unwrap();
    assert_eq!(workspace.fingerprint(), fingerprint);
    let prompt = Prompt::text("a", "b").section(workspace.section()).build().unwrap();
    let files: String = (0..10).map(|number| format!("  - f{number:02}.py\n")).collect();
    assert_eq!(
        prompt.render(&Session::new()).unwrap().text(),
        format!(
            "## 1. Workspace (workspace)\n\nThe workspace has been populated with the following mounted content. Use the tools available to explore \
             and work with these files.\n\n**repo** (directory):\n{files}  - ... and 3 more\n  - Total: 65 bytes\n\n**one.md** (file):\n  - one.txt\n  \
             - Total: 2 bytes"
        )
    );
    let empty = built([]).await.unwrap();
    assert_eq!((empty.fingerprint(), empty.previews().len()), ("4f53cda18c2baa0c", 0));
}

#[tokio::test]
async fn a_prompt_s_workspace_is_that_of_its_first_section_that_is_enabled() {
    let (first, second) = (built([]).await.unwrap(), built([]).await.unwrap());
    let hidden = Section::markdown("Hidden", "hidden", "x").enabled(|_| false).child(first.section());
    let short = Section::markdown("Short", "short", "x").summary("y").visibility(Visibility::Summary);
    let prompt =
        Prompt::text("a", "b").section(hidden).section(short.child(second.section())).build().unwrap();
    let rendered = prompt.render(&Session::new()).unwrap();
    assert_eq!(rendered.workspace().map(Workspace::path), Some(second.path()));
    let without = Prompt::text("a", "b").section(Section::markdown("T", "t", "x")).build().unwrap();
    assert!(without.render(&Session::new()).unwrap().workspace().is_none());
}

#[tokio::test]
async fn a_directory_of_one_s_own_is_never_cleaned() {
    let host = host([("mine.txt", "mine")]);
    let directory = Directory::open(host.path()).unwrap();
    let changes = directory.transaction();
    changes.files().write("half.txt", "half").unwrap();
    drop(changes);
    drop(directory);
    assert_eq!(files_below(host.path()), ["mine.txt"]);
}
