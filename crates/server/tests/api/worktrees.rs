//! A session with a git worktree of its own.

use std::path::Path;

use serde_json::json;

use crate::{
    on_both,
    support::{slow_git::SlowGit, stage::Stage},
    ways::{git, say},
};

on_both!(
    it_works_on_its_own_branch_and_leaves_the_repository_alone,
    a_fork_works_in_the_same_worktree_which_goes_with_the_last_who_does
);
on_the_stand_in!(without_a_repository_there_is_none, a_slow_git_keeps_no_other_session_waiting);

async fn it_works_on_its_own_branch_and_leaves_the_repository_alone(stage: Stage) {
    let repository = stage.work("");
    std::fs::write(stage.work("before.txt"), "old\n").unwrap();
    git(&repository, &["init", "-q", "-b", "main"]);
    git(&repository, &["add", "."]);
    git(&repository, &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"]);
    let fields = json!({"worktree": "feature", "approval_policy": "never", "sandbox": "danger-full-access"});
    let session = stage.session(fields).await;
    let path = format!("/v1/sessions/{session}");
    let shown = stage.http.get(&path).await.expect(200);
    let place = Path::new(shown["cwd"].as_str().unwrap()).to_owned();
    assert!(place != repository && place.join("before.txt").exists(), "{shown}");
    assert_eq!(shown["repository"], json!(repository), "{shown}");
    assert_eq!(
        (&shown["git"]["branch"], &shown["git"]["dirty"]),
        (&json!("feature"), &json!(false)),
        "{shown}"
    );
    assert_eq!(say(&stage, &session, "[patch]").await["state"], "completed");
    assert!(place.join("judged.txt").exists() && !repository.join("judged.txt").exists());
    let diff = stage.http.get(&format!("{path}/diff")).await;
    assert!(String::from_utf8_lossy(&diff.body).contains("+first\n+second\n"));
    let shown = stage.http.get(&path).await.expect(200);
    assert_eq!((&shown["git"]["dirty"], &shown["git"]["lines_added"]), (&json!(true), &json!(2)), "{shown}");
    stage.close().await;
}

async fn without_a_repository_there_is_none(stage: Stage) {
    let fields = json!({"cwd": stage.work(""), "worktree": "feature"});
    let refused = stage.http.post("/v1/sessions", fields).await;
    assert_eq!(refused.problem(400), "invalid_argument");
    assert_eq!(refused.json()["field"], "worktree");
    stage.close().await;
}

async fn a_slow_git_keeps_no_other_session_waiting(stage: Stage) {
    let git = SlowGit::at(&stage.work(""), &stage.runtime.config().data_dir);
    let slow = stage.http.post("/v1/sessions", json!({"cwd": stage.work(""), "worktree": "feature"}));
    let elsewhere = tempfile::tempdir().unwrap();
    let quick = async {
        git.has_begun().await;
        stage.http.post("/v1/sessions", json!({"cwd": elsewhere.path()})).await.expect(201);
        git.goes_on()
    };
    let (slow, _goes_on) = tokio::join!(slow, quick);
    let slow = slow.expect(201);
    assert_eq!(slow["worktree"], "feature", "{slow}");
    stage.close().await;
}

async fn a_fork_works_in_the_same_worktree_which_goes_with_the_last_who_does(stage: Stage) {
    let repository = stage.work("");
    git(&repository, &["init", "-q", "-b", "main"]);
    git(
        &repository,
        &["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first"],
    );
    for owner_goes_first in [false, true] {
        let owner = stage.session(json!({"worktree": "feature"})).await;
        let shown = stage.http.get(&format!("/v1/sessions/{owner}")).await.expect(200);
        let place = Path::new(shown["cwd"].as_str().unwrap()).to_owned();
        assert_eq!(say(&stage, &owner, "[stream]").await["state"], "completed");
        let fork = stage.http.post(&format!("/v1/sessions/{owner}/fork"), json!({})).await.expect(201);
        assert_eq!((&fork["cwd"], &fork["worktree"]), (&json!(place), &json!(null)), "{fork}");
        assert_eq!(fork["repository"], json!(repository), "{fork}");
        let fork = fork["id"].as_str().unwrap().to_owned();
        assert_eq!(say(&stage, &fork, "[stream]").await["state"], "completed");
        let (first, last) = if owner_goes_first { (&owner, &fork) } else { (&fork, &owner) };
        assert_eq!(stage.http.delete(&format!("/v1/sessions/{first}")).await.status, 204);
        assert!(place.is_dir(), "somebody works there");
        assert_eq!(say(&stage, last, "[stream]").await["state"], "completed");
        assert_eq!(stage.http.delete(&format!("/v1/sessions/{last}")).await.status, 204);
        assert!(!place.exists(), "nobody does any more");
    }
    stage.close().await;
}
