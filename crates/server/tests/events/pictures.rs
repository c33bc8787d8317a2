//! Pictures that the agent looked at: shown by the event that names them, from nowhere else.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use crate::support::stage::Stage;

/// One dot.
const PNG: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0dIDATx\xdacd\xf8\xcfP\x0f\x00\x03\x86\x01\x80Z4}k\x00\x00\x00\x00IEND\xaeB`\x82";

/// A session whose agent has looked at `seen.png`, its events, and the number of the one that says so.
async fn looked(stage: &Stage) -> (String, Vec<Value>, u64) {
    fs::write(stage.work("seen.png"), PNG).unwrap();
    let id = stage.session(json!({"sandbox": "danger-full-access", "approval_policy": "never"})).await;
    let sent =
        stage.http.post(&format!("/v1/sessions/{id}/messages"), json!({"text": "[view]"})).await.expect(202);
    let message = sent["message_id"].as_str().unwrap();
    stage.http.get(&format!("/v1/sessions/{id}/messages/{message}?wait=60")).await.expect(200);
    let page = stage.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200);
    let events = page["events"].as_array().unwrap();
    let seq =
        events.iter().find(|event| event["data"]["item"]["type"] == "imageView").map(|event| &event["seq"]);
    (id, events.clone(), seq.and_then(Value::as_u64).expect("it looked at the picture"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_real_codex_looked_at_is_shown_and_nothing_else() {
    let stage = Stage::real().await;
    let (id, events, seq) = looked(&stage).await;
    let at = |seq: &str| format!("/v1/sessions/{id}/events/{seq}/picture");
    let answer = stage.http.get(&at(&seq.to_string())).await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, PNG));
    assert_eq!(answer.headers["content-type"], "image/png");
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    assert_eq!(answer.headers["content-security-policy"], "default-src 'none'; sandbox");

    // No other event names a picture, none that is not there, and no path is taken.
    let about = |event: &&Value| event["data"]["item"]["type"] != "imageView";
    let others: Vec<String> = events.iter().filter(about).map(|event| event["seq"].to_string()).collect();
    let wrong = ["0", "100000", "18446744073709551615", "-1", "a", "..%2F..%2Fseen.png", "%2Fetc%2Fpasswd"];
    for seq in others.iter().map(String::as_str).chain(wrong) {
        assert_eq!(stage.http.get(&at(seq)).await.problem(404), "not_found", "{seq}");
    }
    let elsewhere = format!("/v1/sessions/{}/events/{seq}/picture", uuid::Uuid::now_v7());
    assert_eq!(stage.http.get(&elsewhere).await.problem(404), "not_found");

    // What took the picture's place since is no picture.
    fs::write(stage.work("secret"), "hush").unwrap();
    fs::remove_file(stage.work("seen.png")).unwrap();
    assert_eq!(stage.http.get(&at(&seq.to_string())).await.problem(404), "not_found");
    symlink(stage.work("secret"), stage.work("seen.png")).unwrap();
    let answer = stage.http.get(&at(&seq.to_string())).await;
    assert_eq!(answer.problem(404), "not_found");
    assert!(answer.json()["hint"].as_str().is_some_and(|hint| hint.contains("PNG")), "{}", answer.json());
    stage.close().await;
}
