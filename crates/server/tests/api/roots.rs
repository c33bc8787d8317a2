//! With allowed roots, nothing works and nothing is looked at elsewhere: when a session is made, and whenever it is used.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use crate::{
    support::{
        http::Answer,
        stage::{Stage, in_time},
    },
    ways::git,
};

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_made_under_the_roots() {
    in_time(async {
        let stage = Stage::under("allowed").await;
        for made in ["allowed/inside", "allowed-not"] {
            fs::create_dir_all(stage.work(made)).unwrap();
        }
        symlink(stage.work("allowed-not"), stage.work("allowed/way-out")).unwrap();
        for cwd in ["allowed", "allowed/inside", "allowed/../allowed"] {
            stage.http.post("/v1/sessions", json!({"cwd": stage.work(cwd)})).await.expect(201);
        }
        for cwd in ["", "allowed-not", "allowed/way-out", "allowed/../allowed-not", "nowhere"] {
            let answer = stage.http.post("/v1/sessions", json!({"cwd": stage.work(cwd)})).await;
            assert_eq!(
                (answer.problem(403).as_str(), &answer.json()["field"]),
                ("outside_roots", &json!("cwd"))
            );
        }
        stage.http.post("/v1/sessions", json!({"bare": true})).await.expect(201);
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_became_a_way_out_is_used_no_more() {
    in_time(async {
        let stage = Stage::under("allowed").await;
        for made in ["allowed/one", "outside"] {
            fs::create_dir_all(stage.work(made)).unwrap();
        }
        fs::write(stage.work("outside/secret.txt"), "x").unwrap();
        git(&stage.work("outside"), &["init", "-q"]);
        let place = session(&stage, "allowed/one", json!({})).await;
        let said = json!({"input": [{"type": "text", "text": "[stream] Hello."}]});
        let accepted = stage.http.post(&format!("{place}/messages"), said.clone()).await.expect(202);
        let message = accepted["message_id"].as_str().unwrap();
        stage.http.get(&format!("{place}/messages/{message}?wait=60")).await.expect(200);

        fs::remove_dir(stage.work("allowed/one")).unwrap();
        symlink(stage.work("outside"), stage.work("allowed/one")).unwrap();
        for refused in [
            stage.http.post(&format!("{place}/messages"), said.clone()).await,
            stage.http.get(&format!("{place}/files?query=secret")).await,
            stage.http.post(&format!("{place}/fork"), json!({})).await,
        ] {
            assert_eq!(refused.problem(403), "outside_roots");
        }
        assert_eq!(stage.http.get(&place).await.expect(200)["git"], Value::Null);
        let listed = stage.http.get("/v1/sessions").await.expect(200);
        assert_eq!(listed["items"][0]["git"], Value::Null);
        let diff = stage.http.get(&format!("{place}/diff")).await;
        assert!(!text(&diff).contains("secret"), "{}", text(&diff));
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_lies_outside_is_not_asked() {
    in_time(async {
        let stage = Stage::under("allowed").await;
        fs::create_dir_all(stage.work("allowed/led")).unwrap();
        fs::write(stage.work("beside.txt"), "Nobody's business.").unwrap();
        git(&stage.work(""), &["init", "-q"]);
        let above = session(&stage, "allowed", json!({})).await;
        let file = format!("gitdir: {}\n", stage.work(".git").display());
        fs::write(stage.work("allowed/led/.git"), file).unwrap();
        let led = session(&stage, "allowed/led", json!({})).await;
        for place in [above, led] {
            assert_eq!(stage.http.get(&place).await.expect(200)["git"], Value::Null, "{place}");
            let diff = stage.http.get(&format!("{place}/diff")).await;
            assert!(!text(&diff).contains("business"), "{}", text(&diff));
        }
        let asked = json!({"cwd": stage.work("allowed"), "worktree": "mine"});
        let answer = stage.http.post("/v1/sessions", asked).await;
        assert_eq!(
            (answer.problem(403).as_str(), &answer.json()["field"]),
            ("outside_roots", &json!("worktree"))
        );
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worktree_of_an_allowed_repository_is_used_like_the_repository() {
    in_time(async {
        let stage = Stage::under("allowed").await;
        fs::create_dir_all(stage.work("allowed")).unwrap();
        let (root, identity) =
            (stage.work("allowed"), ["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &[identity.as_slice(), &["commit", "-q", "--allow-empty", "-m", "First"]].concat());
        let place = session(&stage, "allowed", json!({"worktree": "mine"})).await;
        let session = stage.http.get(&place).await.expect(200);
        assert_eq!(session["git"]["branch"], "mine");
        fs::write(format!("{}/new.txt", session["cwd"].as_str().unwrap()), "New.\n").unwrap();
        assert!(text(&stage.http.get(&format!("{place}/diff")).await).contains("+New."));
        let said = json!({"input": [{"type": "text", "text": "[stream] Hello."}]});
        stage.http.post(&format!("{place}/messages"), said).await.expect(202);
        stage.close().await;
    })
    .await;
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// Where a session is from now on that works there.
async fn session(stage: &Stage, cwd: &str, mut fields: Value) -> String {
    fields["cwd"] = json!(stage.work(cwd));
    let made = stage.http.post("/v1/sessions", fields).await.expect(201);
    format!("/v1/sessions/{}", made["id"].as_str().unwrap())
}
