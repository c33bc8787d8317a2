//! The events of one session: pages, and a stream that is history and live at once.

use selvedge_runtime::Message;
use serde_json::{Value, json};

use crate::{
    following::{self, Following, done},
    on_both,
    support::{http::Answer, stage::Stage},
};

on_both!(
    pages_and_stream_say_the_same,
    a_stream_goes_on_where_its_reader_was,
    a_settled_stream_tells_whole_items_and_then_all_that_comes,
    a_removed_session_ends_its_stream
);

async fn pages_and_stream_say_the_same(stage: Stage) {
    let session = following::session(&stage).await;
    let path = format!("/v1/sessions/{}/events", session.id());
    let mut live = Following::open(&stage.http, &path, None).await;
    assert_eq!(live.headers["content-type"], "text/event-stream");
    assert_eq!(
        (&live.headers["cache-control"], &live.headers["x-accel-buffering"]),
        (&"no-store".parse().unwrap(), &"no".parse().unwrap())
    );
    done(&session, "[stream]").await;
    let mut seen = live.until("message.finished").await;
    assert_eq!(seen[0].event, "session.created");
    let text: String = seen
        .iter()
        .filter(|frame| frame.event == "item.delta")
        .map(|frame| frame.json()["data"]["delta"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(text, "One two three four five six seven eight nine ten.");
    let pages = following::all(&stage.http, &session).await;
    while seen.len() < pages.len() {
        seen.push(live.next().await.unwrap());
    }
    for (seq, (frame, event)) in (1_u64..).zip(seen.iter().zip(&pages)) {
        assert_eq!((frame.id.as_str(), &frame.json()), (seq.to_string().as_str(), event));
        assert_eq!((event["seq"].as_u64(), event["type"].as_str()), (Some(seq), Some(frame.event.as_str())));
    }
    let two = stage.http.get(&format!("{path}?after=3&limit=2")).await.expect(200);
    assert_eq!(two["events"].as_array().unwrap()[..], pages[3..5]);
    assert_eq!(two["last_seq"], pages.len());
    stage.close().await;
}

async fn a_stream_goes_on_where_its_reader_was(stage: Stage) {
    let session = following::session(&stage).await;
    done(&session, "[stream]").await;
    let path = format!("/v1/sessions/{}/events", session.id());
    let mut first = Following::open(&stage.http, &path, None).await;
    first.until("turn.started").await;
    let last = first.last_id.clone().unwrap();
    drop(first);
    let mut second = Following::open(&stage.http, &format!("{path}?after=1"), Some(&last)).await;
    let next: u64 = last.parse::<u64>().unwrap() + 1;
    assert_eq!(second.next().await.unwrap().id, next.to_string(), "Last-Event-ID beats after");
    let mut third = Following::open(&stage.http, &format!("{path}?after=1"), None).await;
    assert_eq!(third.next().await.unwrap().id, "2");
    stage.close().await;
}

async fn a_settled_stream_tells_whole_items_and_then_all_that_comes(stage: Stage) {
    let session = following::session(&stage).await;
    done(&session, "[stream]").await;
    let all = following::all(&stage.http, &session).await;
    let path = format!("/v1/sessions/{}/events?settled=true", session.id());
    let mut stream = Following::open(&stage.http, &path, None).await;
    let mut told = stream.until("settled").await;
    let mark = told.pop().unwrap();
    assert_eq!((mark.json(), mark.id), (json!({"seq": all.len()}), all.len().to_string()));
    assert!(told.iter().all(|frame| frame.event != "item.delta"), "the whole answer holds them");
    for frame in &told {
        let mut event = frame.json();
        let first = event.as_object_mut().unwrap().remove("began");
        let at = |seq: &Value| &all[usize::try_from(seq.as_u64().unwrap()).unwrap() - 1];
        assert_eq!(&event, at(&event["seq"]), "it is as it was, but for its beginning");
        let Some(first) = first else { continue };
        let first_event = at(&first["seq"]);
        assert_eq!((&first["at"], &first_event["item_id"]), (&first_event["at"], &event["item_id"]));
    }
    let kept: Vec<_> =
        told.iter().map(|frame| frame.event.as_str()).filter(|name| !name.starts_with("item.")).collect();
    let others: Vec<_> = all
        .iter()
        .filter_map(|event| event["type"].as_str())
        .filter(|name| !name.starts_with("item."))
        .collect();
    assert_eq!(kept, others, "nothing but items is told shortly");
    done(&session, "[stream]").await;
    let live = stream.until("message.finished").await;
    assert!(live.iter().any(|frame| frame.event == "item.delta"));
    for (seq, frame) in (all.len() + 1..).zip(&live) {
        assert_eq!(frame.id, seq.to_string(), "nothing of what is live is left out");
    }
    stage.close().await;
}

async fn a_removed_session_ends_its_stream(stage: Stage) {
    let session = following::session(&stage).await;
    let path = format!("/v1/sessions/{}/events", session.id());
    let mut stream = Following::open(&stage.http, &path, None).await;
    stream.until("session.created").await;
    session.remove().await.unwrap();
    while let Some(frame) = stream.next().await {
        assert_eq!(frame.event, "session.state", "nothing but its last words");
    }
    assert_eq!(stage.http.get(&path).await.problem(404), "not_found");
    stage.close().await;
}

#[tokio::test]
async fn what_cannot_be_read_is_refused() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    let path = format!("/v1/sessions/{}/events", session.id());
    let get = |query: &str| {
        let (http, path) = (stage.http.clone(), format!("{path}{query}"));
        async move { http.get(&path).await }
    };
    let ahead = get("?after=99").await;
    assert_eq!((ahead.problem(409).as_str(), &ahead.json()["field"]), ("cursor_ahead", &json!("after")));
    for query in ["?limit=0", "?limit=1001", "?dialect=klingon", "?settled=true", "?settled=x"] {
        assert_eq!(get(query).await.problem(400), "query_invalid", "{query}");
    }
    for nobody in ["01a1dddc-d57f-7e52-ada9-86f253a69b6f", "nobody"] {
        let path = format!("/v1/sessions/{nobody}/events?after=7");
        assert_eq!(stage.http.get(&path).await.problem(404), "not_found");
    }
    stage.close().await;
}

/// A reader that was let in there would have missed something, or hear it twice, without knowing.
#[tokio::test]
async fn a_place_where_nobody_can_be_is_refused_and_named() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    let events = format!("/v1/sessions/{}/events", session.id());
    let stream = stage.http.clone().with("accept", "text/event-stream");
    let said = |answer: Answer, status: u16| (answer.problem(status), answer.json()["field"].clone());
    let settled = format!("{events}?settled=true");
    let companion = format!("{events}?dialect=companion");
    for path in [&events, &settled, &companion, "/v1/events"] {
        for last in ["abc", "-1", "1.5", "99999999999999999999", "1 2", "é"] {
            // The header beats `after`, also when it cannot be read.
            let path = format!("{path}{}after=0", if path.contains('?') { '&' } else { '?' });
            let answer = stream.clone().with("last-event-id", last).get(&path).await;
            assert_eq!(said(answer, 400), ("query_invalid".into(), json!("Last-Event-ID")), "{last} {path}");
        }
        let ahead = stream.clone().with("last-event-id", "99000").get(path).await;
        assert_eq!(said(ahead, 409), ("cursor_ahead".into(), json!("Last-Event-ID")), "{path}");
    }
    for path in [&events, &companion, "/v1/events"] {
        for (after, status, code) in [
            ("x", 400, "query_invalid"),
            ("-1", 400, "query_invalid"),
            ("", 400, "query_invalid"),
            ("99999999999999999999", 400, "query_invalid"),
            ("99000", 409, "cursor_ahead"),
        ] {
            let path = format!("{path}{}after={after}", if path.contains('?') { '&' } else { '?' });
            for http in [&stage.http, &stream] {
                assert_eq!(said(http.get(&path).await, status), (code.into(), json!("after")), "{path}");
            }
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn a_stream_waits_at_the_newest_and_gets_what_comes() {
    let stage = Stage::rehearsal().await;
    let session = following::session(&stage).await;
    let newest = session.summary().await.unwrap().last_seq;
    let path = format!("/v1/sessions/{}/events?after={newest}&token=unused", session.id());
    let mut stream = Following::open(&stage.http, &path, None).await;
    session.send(Message::text("[stream]")).await.unwrap();
    assert_eq!(stream.next().await.unwrap().id, (newest + 1).to_string());
    stage.close().await;
}
