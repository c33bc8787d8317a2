//! Pictures that were sent, as they were sent.

use selvedge_runtime::{Message, Part, SessionHandle};

use crate::{
    following::{self, all},
    support::stage::Stage,
};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";
const PAGE: &[u8] = b"<script>alert(1)</script>";

#[tokio::test]
async fn a_picture_comes_back_as_it_was_sent() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    let sha256 = sent(&stage, &session, PNG).await;
    let path = format!("/v1/sessions/{}/files/{sha256}", session.id());
    let answer = stage.http.get(&path).await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, PNG));
    assert_eq!(answer.headers["content-type"], "image/png");
    let shown = format!("inline; filename=\"{}.png\"", &sha256[..12]);
    assert_eq!(answer.headers["content-disposition"], shown);
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    let other = following::session(&stage).await;
    let elsewhere = [
        format!("/v1/sessions/{}/files/{sha256}", other.id()),
        path.replace(&sha256, &"0".repeat(64)),
        path.replace(&sha256, "..%2F..%2Fjournal.db"),
    ];
    for path in elsewhere {
        assert_eq!(stage.http.get(&path).await.problem(404), "not_found", "{path}");
    }
    stage.close().await;
}

#[tokio::test]
async fn what_only_claims_to_be_a_picture_is_saved_and_not_shown() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    let sha256 = sent(&stage, &session, PAGE).await;
    let answer = stage.http.get(&format!("/v1/sessions/{}/files/{sha256}", session.id())).await;
    assert_eq!(answer.headers["content-type"], "application/octet-stream");
    assert!(answer.headers["content-disposition"].to_str().unwrap().starts_with("attachment;"));
    assert_eq!(answer.headers["content-security-policy"], "default-src 'none'; sandbox");
    stage.close().await;
}

/// Sends something as a picture; the hash under which it is kept.
async fn sent(stage: &Stage, session: &SessionHandle, bytes: &[u8]) -> String {
    let picture = Part::Image { data: bytes.to_vec(), media_type: "image/png".into() };
    let message = Message { input: vec![Part::Text("[stream]".into()), picture], ..Message::default() };
    session.send(message).await.unwrap();
    let events = all(&stage.http, session).await;
    let accepted = events.iter().find(|event| event["type"] == "message.accepted").unwrap();
    accepted["data"]["input"][1]["sha256"].as_str().unwrap().to_owned()
}
