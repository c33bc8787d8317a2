//! Completion inside a session, and directories of the machine: nothing outside the roots.

use std::{fs, os::unix::fs::symlink, process::Command};

use serde_json::Value;

use crate::{following, support::stage::Stage};

#[tokio::test]
async fn completion_offers_what_git_does_not_ignore() {
    let stage = Stage::rehearsal().await;
    for file in ["src/main.rs", "src/domain.rs", "target/main.o", ".gitignore"] {
        fs::create_dir_all(stage.work(file).parent().unwrap()).unwrap();
        fs::write(stage.work(file), "target/\n").unwrap();
    }
    assert!(Command::new("git").current_dir(stage.work("")).args(["init", "-q"]).status().unwrap().success());
    let session = following::session(&stage).await;
    let path = format!("/v1/sessions/{}/files", session.id());
    let found = stage.http.get(&format!("{path}?query=main")).await.expect(200);
    assert_eq!(names(&found, "path"), ["src/main.rs", "src/domain.rs"]);
    let all = stage.http.get(&path).await.expect(200);
    assert_eq!(names(&all, "path"), ["src/", ".gitignore", "src/main.rs", "src/domain.rs"]);
    assert_eq!(all["items"][0]["kind"], "directory");
    assert_eq!(stage.http.get(&format!("{path}?query=a&limit=9")).await.problem(400), "query_invalid");
    stage.close().await;
}

#[tokio::test]
async fn directories_are_listed_under_the_roots_alone() {
    let stage = Stage::rehearsal().await;
    fs::create_dir_all(stage.work("inside/deep")).unwrap();
    fs::create_dir_all(stage.work(".hidden")).unwrap();
    fs::write(stage.work("instead.txt"), "").unwrap();
    symlink("/etc", stage.work("in_etc")).unwrap();
    symlink(stage.work("inside/deep"), stage.work("shortcut")).unwrap();
    let work = fs::canonicalize(stage.work("")).unwrap();
    let get = |path: String| {
        let http = stage.http.clone();
        async move { http.get(&format!("/v1/fs?path={path}")).await }
    };
    let work = work.display().to_string();
    assert_eq!(get(work.clone()).await.problem(403), "outside_roots", "no session works there yet");
    following::session(&stage).await;
    let roots = stage.http.get("/v1/fs").await.expect(200);
    assert!(names(&roots, "path").contains(&work.as_str()), "{roots}");

    let listed = get(work.clone()).await.expect(200);
    assert_eq!(
        names(&listed, "name"),
        ["inside", "shortcut", "instead.txt"],
        "no link to the outside, nothing hidden"
    );
    assert_eq!(
        names(&get(format!("{work}/ins")).await.expect(200), "name"),
        ["inside", "instead.txt"],
        "completed"
    );
    assert_eq!(names(&get(format!("{work}/.h")).await.expect(200), "name"), [".hidden"]);
    for outside in [
        "/etc",
        "/",
        &format!("{work}/in_etc"),
        &format!("{work}/in_etc/ssh"),
        &format!("{work}/../"),
        "/no/such/place",
    ] {
        assert_eq!(get(outside.to_owned()).await.problem(403), "outside_roots", "{outside}");
    }
    assert_eq!(get(format!("{work}/no/such")).await.problem(404), "not_found");
    assert_eq!(get("relative".into()).await.problem(400), "query_invalid");
    stage.close().await;
}

fn names<'a>(found: &'a Value, field: &str) -> Vec<&'a str> {
    found["items"].as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}
