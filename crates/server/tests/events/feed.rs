//! The feed of all sessions: what a dashboard shows, in one order, from any place.

use selvedge_runtime::NewSession;

use crate::{
    following::{self, Following, Frame, done},
    on_both,
    support::stage::Stage,
};

on_both!(a_dashboard_sees_what_happens_everywhere);

async fn a_dashboard_sees_what_happens_everywhere(stage: Stage) {
    let mut feed = Following::open(&stage.http, "/v1/events", None).await;
    let one = following::session(&stage).await;
    let two = following::session(&stage).await;
    done(&one, "[stream]").await;
    done(&two, "[stream]").await;
    let mut seen = feed.until("message.finished").await;
    seen.extend(feed.until("message.finished").await);
    for session in [&one, &two] {
        let id = session.id().to_string();
        let of: Vec<&Frame> = seen.iter().filter(|frame| frame.json()["session_id"] == id.as_str()).collect();
        let types: Vec<&str> = of.iter().map(|frame| frame.event.as_str()).collect();
        for wanted in [
            "session.created",
            "session.state",
            "message.accepted",
            "message.started",
            "usage.updated",
            "message.finished",
        ] {
            assert!(types.contains(&wanted), "{wanted} is not among {types:?}");
        }
        assert!(
            types.iter().all(|name| !name.starts_with("item.") && !name.starts_with("turn.")),
            "{types:?}"
        );
        let numbers: Vec<u64> = of.iter().map(|frame| frame.json()["seq"].as_u64().unwrap()).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
    }
    one.remove().await.unwrap();
    let removed = feed.until("session.removed").await.pop().unwrap().json();
    assert_eq!(removed["session_id"], one.id().to_string());
    stage.close().await;
}

#[tokio::test]
async fn it_goes_on_after_each_of_its_events() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    done(&session, "[stream]").await;
    let all = read_all(&stage, None).await;
    assert!(all.len() > 5);
    for (place, frame) in all.iter().enumerate() {
        let rest = read_all(&stage, Some(&frame.id)).await;
        assert_eq!(rest[..], all[place + 1..], "after {}", frame.id);
        let page = stage.http.get(&format!("/v1/events?after={}&limit=2", frame.id)).await.expect(200);
        let next: Vec<_> = all[place + 1..].iter().take(2).map(Frame::json).collect();
        assert_eq!(page["events"].as_array().unwrap()[..], next);
        let cursor = page["cursor"].as_str().unwrap();
        let rest = read_all(&stage, Some(cursor)).await;
        assert_eq!(rest[..], all[place + 1 + next.len()..], "after the page's cursor {cursor}");
    }
    stage.close().await;
}

#[tokio::test]
async fn it_may_begin_now_and_misses_nothing_after() {
    let stage = Stage::rehearsal().await;
    following::session(&stage).await;
    let begin = Following::open(&stage.http, "/v1/events?after=now", None).await.place().await;
    let later = following::session(&stage).await;
    let mut again = Following::open(&stage.http, "/v1/events?after=now", Some(&begin)).await;
    let first = again.next().await.unwrap();
    assert_eq!(
        (first.event.as_str(), &first.json()["session_id"]),
        ("session.created", &later.id().to_string().into())
    );
    for (query, status, code) in
        [("later", 400, "query_invalid"), ("1.2", 400, "query_invalid"), ("999999999", 409, "cursor_ahead")]
    {
        assert_eq!(stage.http.get(&format!("/v1/events?after={query}")).await.problem(status), code);
    }
    stage.close().await;
}

#[tokio::test]
async fn an_approval_is_in_it_from_question_to_answer() {
    let stage = Stage::rehearsal().await;
    let mut feed = Following::open(&stage.http, "/v1/events?after=now", None).await;
    let mut new = NewSession::in_directory(stage.work("").display().to_string());
    new.settings.sandbox = Some(selvedge_session::Sandbox::DangerFullAccess);
    let session = stage.runtime.create(new).await.unwrap();
    session.send(selvedge_runtime::Message::text("[approve]")).await.unwrap();
    let asked = feed.until("approval.requested").await.pop().unwrap().json();
    let id = asked["data"]["approval_id"].as_str().unwrap().parse().unwrap();
    let answer = selvedge_runtime::Answer::new(selvedge_session::data::Decision::Decline, "somebody");
    stage.runtime.answer(selvedge_session::ApprovalId(id), answer).await.unwrap();
    let resolved = feed.until("approval.resolved").await.pop().unwrap().json();
    assert_eq!(resolved["data"]["by"], "somebody");
    stage.close().await;
}

/// Everything after a place that is there already: up to the newest event of a page without an end.
async fn read_all(stage: &Stage, after: Option<&str>) -> Vec<Frame> {
    let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let page = stage.http.get(&format!("/v1/events{query}")).await.expect(200);
    let count = page["events"].as_array().unwrap().len();
    let mut stream = Following::open(&stage.http, "/v1/events", after).await;
    let mut frames = Vec::new();
    while frames.len() < count {
        frames.push(stream.next().await.unwrap());
    }
    let said: Vec<_> = frames.iter().map(Frame::json).collect();
    assert_eq!(page["events"].as_array().unwrap()[..], said, "page and stream say the same");
    frames
}
