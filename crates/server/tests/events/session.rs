//! The events of one session: pages, and a stream that is history and live at once.

use selvedge_runtime::Message;
use serde_json::{Value, json};

use crate::{
    following::{self, Following, done},
    on_both,
    support::stage::Stage,
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
    assert_eq!(get("?after=99").await.problem(409), "cursor_ahead");
    for query in [
        "?after=-1",
        "?after=x",
        "?limit=0",
        "?limit=1001",
        "?dialect=klingon",
        "?settled=true",
        "?settled=x",
    ] {
        assert_eq!(get(query).await.problem(400), "query_invalid", "{query}");
    }
    let stream = stage.http.clone().with("accept", "text/event-stream");
    assert_eq!(stream.clone().with("last-event-id", "99").get(&path).await.problem(409), "cursor_ahead");
    assert_eq!(stream.with("last-event-id", "x").get(&path).await.problem(400), "query_invalid");
    for nobody in ["01a1dddc-d57f-7e52-ada9-86f253a69b6f", "nobody"] {
        let path = format!("/v1/sessions/{nobody}/events?after=7");
        assert_eq!(stage.http.get(&path).await.problem(404), "not_found");
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
