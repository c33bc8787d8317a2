//! A gateway whose Codex is not there: sessions on it are refused with what to do, before anything is kept of them.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;

use crate::support::{
    http::Answer,
    stage::{Stage, in_time},
};

fn told_how_to_get_it(answer: &Answer) {
    assert_eq!(answer.problem(503), "codex_missing");
    let hint = answer.json()["hint"].clone();
    assert!(hint.as_str().is_some_and(|hint| hint.contains("codex")), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_messages_and_forks_are_refused_and_the_stand_in_is_not() {
    in_time(async {
        let place = tempfile::tempdir().unwrap();
        let codex = place.path().join("codex");
        let stage = Stage::of(&codex).await;
        let wanted = json!({"cwd": stage.work("")});
        told_how_to_get_it(&stage.http.post("/v1/sessions", wanted.clone()).await);
        assert_eq!(stage.http.get("/v1/sessions").await.expect(200)["items"], json!([]));
        stage
            .http
            .post("/v1/sessions", json!({"cwd": stage.work(""), "backend": "rehearsal"}))
            .await
            .expect(201);

        fs::write(&codex, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&codex, fs::Permissions::from_mode(0o755)).unwrap();
        let made = stage.http.post("/v1/sessions", wanted).await.expect(201);
        fs::remove_file(&codex).unwrap();
        let path = format!("/v1/sessions/{}", made["id"].as_str().unwrap());
        told_how_to_get_it(&stage.http.post(&format!("{path}/messages"), json!({"text": "Hello."})).await);
        told_how_to_get_it(&stage.http.post(&format!("{path}/fork"), json!({})).await);
        assert_eq!(stage.http.get(&format!("{path}/messages")).await.expect(200)["items"], json!([]));
        stage.close().await;
    })
    .await;
}
