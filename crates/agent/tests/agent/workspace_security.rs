//! What a workspace never has in it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use selvedge_agent::{HostMount, WhyLeftOut, Workspace, WorkspaceError};

use crate::workspace::{built, files_below, host};

#[tokio::test]
async fn a_mount_s_place_is_inside_the_workspace() {
    let host = host([("a/x", "x")]);
    for outside in ["..", "../b", "b/../../c", "/etc", "/", "b/../c"] {
        let error = built([HostMount::new(host.path().join("a")).at(outside)]).await.unwrap_err();
        assert!(matches!(&error, WorkspaceError::Escapes { mount_path } if mount_path == outside), "{error}");
        assert!(error.to_string().contains("\nhint: give `at` a relative path"), "{error}");
    }
    assert!(built([HostMount::new("/")]).await.is_err(), "it has no name of its own");
}

#[tokio::test]
async fn mounts_come_from_allowed_roots_only_wherever_links_say_they_are() {
    let host = host([("allowed/in/x", "x"), ("other/y", "y"), ("allowed-too/z", "z")]);
    let at = |path: &str| host.path().join(path);
    symlink(at("other"), at("allowed/out")).unwrap();
    symlink(at("allowed"), at("way-in")).unwrap();
    let of = |path: &str| {
        Workspace::builder().allowed_root(at("way-in")).mount(HostMount::new(at(path)).at("m")).build()
    };
    assert_eq!(files_below(of("allowed/in").await.unwrap().path()), ["m/x"]);
    assert_eq!(files_below(of("way-in/in/x").await.unwrap().path()), ["m"]);
    assert_eq!(files_below(of("allowed").await.unwrap().path()), ["m/in/x"]);
    for outside in ["other", "other/y", "allowed/out/y", "allowed/../other", "allowed-too"] {
        let error = of(outside).await.unwrap_err();
        assert!(matches!(error, WorkspaceError::OutsideRoots { .. }), "{outside}: {error}");
    }
    let error = of("other").await.unwrap_err().to_string();
    assert!(
        error.contains("other lies outside of the allowed roots (") && error.contains("/allowed)\nhint: "),
        "{error}"
    );
    // Several roots are each one; none at all allow everything.
    let both = Workspace::builder().allowed_root(at("other")).allowed_root(at("allowed"));
    assert!(both.mount(HostMount::new(at("allowed/in"))).build().await.is_ok());
    assert!(built([HostMount::new(at("other"))]).await.is_ok());
}

fn left_out(workspace: &Workspace) -> Vec<(&str, WhyLeftOut)> {
    workspace.left_out().iter().map(|it| (it.path.as_str(), it.why)).collect()
}

#[tokio::test]
async fn links_in_a_mount_are_left_out() {
    let host = host([("m/file", "x"), ("m/dir/inner", "y"), ("secret/key", "s")]);
    let at = |path: &str| host.path().join(path);
    symlink("file", at("m/to-file")).unwrap();
    symlink("dir", at("m/to-dir")).unwrap();
    symlink(at("secret"), at("m/to-secret")).unwrap();
    let workspace = built([HostMount::new(at("m"))]).await.unwrap();
    assert_eq!(files_below(workspace.path()), ["m/dir/inner", "m/file"]);
    let expected = ["m/to-dir", "m/to-file", "m/to-secret"].map(|path| (path, WhyLeftOut::Link));
    assert_eq!(left_out(&workspace), expected);
}

#[tokio::test]
async fn links_that_are_followed_stay_within_the_mount() {
    let host = host([("m/file", "x"), ("m/dir/inner", "y"), ("secret/key", "s"), ("m-too/z", "z")]);
    let at = |path: &str| host.path().join(path);
    for (target, link) in
        [("file", "l1"), ("dir", "l2"), ("../secret/key", "out1"), ("../m-too", "out2"), ("gone", "out3")]
    {
        symlink(target, at("m").join(link)).unwrap();
    }
    symlink(at("secret"), at("m/dir/out4")).unwrap();
    symlink(at("m/file"), at("m/dir/absolute")).unwrap();
    let workspace = built([HostMount::new(at("m")).follow_symlinks()]).await.unwrap();
    let expected = ["m/dir/absolute", "m/dir/inner", "m/file", "m/l1", "m/l2/absolute", "m/l2/inner"];
    assert_eq!(files_below(workspace.path()), expected);
    let links =
        files_below(workspace.path()).into_iter().filter(|path| workspace.path().join(path).is_symlink());
    assert_eq!(links.count(), 0, "a copy is a file");
    let out =
        ["m/dir/out4", "m/l2/out4", "m/out1", "m/out2", "m/out3"].map(|path| (path, WhyLeftOut::LeadsOut));
    assert_eq!(left_out(&workspace), out);
}

#[tokio::test]
async fn links_that_lead_back_come_to_an_end() {
    let host = host([("m/a/x", "x"), ("m/b/y", "y"), ("m/c/z", "z")]);
    let at = |path: &str| host.path().join(path);
    for (from, to) in [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")] {
        symlink(Path::new("..").join(to), at("m").join(from).join(to)).unwrap();
    }
    symlink("..", at("m/a/up")).unwrap();
    symlink("self", at("m/a/self")).unwrap();
    let workspace = built([HostMount::new(at("m")).follow_symlinks()]).await.unwrap();
    let copied = files_below(workspace.path());
    assert!(copied.contains(&"m/a/b/y".to_owned()) && copied.len() < 30, "{copied:?}");
    assert!(left_out(&workspace).contains(&("m/a/up", WhyLeftOut::Loop)));
}

#[tokio::test]
async fn a_link_is_mounted_only_if_links_are_followed_and_it_stays_where_it_lies() {
    let host = host([("here/file", "x"), ("secret/key", "s")]);
    let at = |path: &str| host.path().join(path);
    symlink("file", at("here/inside")).unwrap();
    symlink("../secret/key", at("here/outside")).unwrap();
    let why = |error: WorkspaceError| match error {
        WorkspaceError::Link { why, .. } => why,
        error => panic!("{error}"),
    };
    let error = built([HostMount::new(at("here/inside"))]).await.unwrap_err();
    assert_eq!(why(error), "and links are not followed");
    let error = built([HostMount::new(at("here/outside")).follow_symlinks()]).await.unwrap_err();
    assert_eq!(why(error), "and points out of its directory");
    let followed = built([HostMount::new(at("here/inside")).follow_symlinks()]).await.unwrap();
    assert_eq!(files_below(followed.path()), ["file"]);
}

#[tokio::test]
async fn pipes_sockets_and_devices_are_neither_opened_nor_copied() {
    let host = host([("m/file", "x")]);
    let at = |path: &str| host.path().join(path);
    mknodat(CWD, at("m/fifo"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _listening = UnixListener::bind(at("m/socket")).unwrap();
    let workspace = built([HostMount::new(at("m"))]).await.unwrap();
    assert_eq!(files_below(workspace.path()), ["m/file"]);
    let special = ["m/fifo", "m/socket"].map(|path| (path, WhyLeftOut::Special));
    assert_eq!(left_out(&workspace), special);
    for special in [at("m/fifo"), at("m/socket"), "/dev/zero".into()] {
        let error = built([HostMount::new(&special)]).await.unwrap_err();
        assert_eq!(error.to_string(), format!("{} is neither a file nor a directory", special.display()));
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_told_with_its_path() {
    // Whoever may read everything cannot read that either.
    let unreadable = Path::new("/proc/self/mem");
    let error = built([HostMount::new(unreadable).follow_symlinks()]).await.unwrap_err();
    assert!(
        matches!(&error, WorkspaceError::Io { path, doing: "copied", .. } if path.ends_with("mem")),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_of_somebody_else_s_is_told_and_can_be_left_out() {
    let host = host([("m/file", "x"), ("m/private/key", "s")]);
    let locked =
        |path: &str| fs::set_permissions(host.path().join(path), fs::Permissions::from_mode(0o000)).unwrap();
    locked("m/private/key");
    locked("m/private");
    match built([HostMount::new(host.path().join("m"))]).await {
        Ok(_) => assert!(rustix::process::geteuid().is_root(), "only root reads everything"),
        Err(error) => {
            let expected = "m/private cannot be read: Permission denied (os error 13)\nhint: leave it out with `exclude`, ";
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
    let without = built([HostMount::new(host.path().join("m")).exclude("private/*")]).await.unwrap();
    assert_eq!(files_below(without.path()), ["m/file"]);
    fs::set_permissions(host.path().join("m/private"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn a_workspace_is_not_copied_into_itself() {
    let host = host([("m/file", "x")]);
    let mount = HostMount::new(host.path().join("m"));
    let workspace = Workspace::builder().below(host.path().join("m")).mount(mount).build().await.unwrap();
    assert_eq!(files_below(workspace.path()), ["m/file"]);
    let [left] = workspace.left_out() else { panic!("{:?}", workspace.left_out()) };
    assert_eq!(left.why, WhyLeftOut::Workspace);
}
