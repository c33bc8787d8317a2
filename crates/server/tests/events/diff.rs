//! What a session changed, with git and without.

use std::process::Command;

use selvedge_runtime::{NewSession, SessionHandle};
use selvedge_session::{ApprovalPolicy, Sandbox};

use crate::{following::done, on_both, support::stage::Stage};

const NEW_FILE: &str = "diff --git a/judged.txt b/judged.txt\nnew file mode 100644\n--- /dev/null\n+++ b/judged.txt\n@@ -0,0 +1,2 @@\n+first\n+second\n";

on_both!(without_a_repository_the_turns_tell, a_repository_tells_all_of_it);

async fn without_a_repository_the_turns_tell(stage: Stage) {
    let session = free_session(&stage).await;
    let path = format!("/v1/sessions/{}/diff", session.id());
    let answer = stage.http.get(&path).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    let first = done(&session, "[patch]").await.turn_id.unwrap();
    let second = done(&session, "[patch again]").await.turn_id.unwrap();
    let answer = stage.http.get(&path).await;
    assert_eq!(answer.headers["content-type"], "text/x-diff; charset=utf-8");
    let whole = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(whole.starts_with(NEW_FILE) && whole.contains("-second\n+changed\n"), "{whole}");
    let first = stage.http.get(&format!("{path}?turn={first}")).await;
    assert_eq!(String::from_utf8_lossy(&first.body), NEW_FILE);
    let second = stage.http.get(&format!("{path}?turn={second}")).await;
    assert_eq!(format!("{NEW_FILE}{}", String::from_utf8_lossy(&second.body)), whole);
    assert_eq!(stage.http.get(&format!("{path}?turn=none")).await.problem(404), "not_found");
    stage.close().await;
}

async fn a_repository_tells_all_of_it(stage: Stage) {
    std::fs::write(stage.work("before.txt"), "old\n").unwrap();
    for arguments in [
        &["init", "-q"][..],
        &["add", "."],
        &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"],
    ] {
        assert!(Command::new("git").current_dir(stage.work("")).args(arguments).status().unwrap().success());
    }
    let session = free_session(&stage).await;
    done(&session, "[patch]").await;
    std::fs::write(stage.work("before.txt"), "new\n").unwrap();
    let diff = stage.http.get(&format!("/v1/sessions/{}/diff", session.id())).await;
    let diff = String::from_utf8(diff.body.to_vec()).unwrap();
    assert!(diff.contains("-old\n+new\n") && diff.contains("+first\n+second\n"), "{diff}");
    stage.close().await;
}

/// One that is asked nothing, and runs also where no sandbox can be made.
async fn free_session(stage: &Stage) -> SessionHandle {
    let mut new = NewSession::in_directory(stage.work("").display().to_string());
    new.settings.sandbox = Some(Sandbox::DangerFullAccess);
    new.settings.approval_policy = Some(ApprovalPolicy::Never);
    stage.runtime.create(new).await.unwrap()
}
