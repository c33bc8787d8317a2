//! What git says of a session has no secret in it, though an agent wrote one where git finds it.

use serde_json::json;

use crate::{support::stage::Stage, ways::git};

on_the_stand_in!(a_secret_in_a_worktree_does_not_come_back);

async fn a_secret_in_a_worktree_does_not_come_back(stage: Stage) {
    let repository = stage.work("");
    git(&repository, &["init", "-q", "-b", "main"]);
    std::fs::write(stage.work("before.txt"), "old\n").unwrap();
    git(&repository, &["add", "."]);
    git(&repository, &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"]);
    let servers = json!({"one": {"command": "one", "env": {"KEY": "hush-of-the-server"}}});
    let fields = json!({"env": {"TOKEN": "hush-of-the-session", "PEM": "--BEGIN\nhush-in-lines\n--END\n"}, "mcp_servers": servers});
    let session = stage.session(fields).await;
    stage.runtime.config().hidden.add("hush-of-the-gateway");
    let secrets =
        "a hush-of-the-session\nb hush-of-the-server\nc hush-of-the-gateway\n--BEGIN\nhush-in-lines\n--END\n";
    std::fs::write(stage.work("new.txt"), secrets).unwrap();
    std::fs::write(stage.work("before.txt"), "hush-of-the-session\n").unwrap();
    git(&repository, &["checkout", "-q", "-b", "work/hush-of-the-session"]);
    let diff = stage.http.get(&format!("/v1/sessions/{session}/diff")).await;
    let diff = String::from_utf8_lossy(&diff.body).into_owned();
    assert!(diff.contains("+a [redacted]\n+b [redacted]\n+c [redacted]\n+[redacted]"), "{diff}");
    assert!(diff.contains("-old\n+[redacted]\n") && !diff.contains("hush"), "{diff}");
    let shown = stage.http.get(&format!("/v1/sessions/{session}")).await.expect(200);
    assert_eq!(shown["git"]["branch"], "work/[redacted]", "{shown}");
    let listed = stage.http.get("/v1/sessions").await.expect(200);
    assert_eq!(listed["items"][0]["git"]["branch"], "work/[redacted]", "{listed}");
    stage.close().await;
}
