//! Frames as a browser reads them.

use std::future::pending;

use futures_util::StreamExt as _;

use super::*;

/// Says what it was given, then is silent or ends.
struct Said {
    frames: Vec<Result<Bytes, Error>>,
}

impl Source for Said {
    async fn frames(&mut self) -> Result<Bytes, Error> {
        match self.frames.pop() {
            Some(frames) => frames,
            None => pending().await,
        }
    }
}

async fn text(source: Said, chunks_wanted: usize) -> String {
    let chunks = chunks(source, Bytes::from_static(b"retry: 1\n\n"));
    let read: Vec<_> = chunks.take(chunks_wanted).collect().await;
    read.into_iter().map(|chunk| String::from_utf8(chunk.unwrap().to_vec()).unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_comment_breaks_every_silence_of_fifteen_seconds() {
    let before = tokio::time::Instant::now();
    let said = Said { frames: vec![Ok("id: 1\n\n".into())] };
    assert_eq!(text(said, 4).await, "retry: 1\n\nid: 1\n\n:\n\n:\n\n");
    assert_eq!(before.elapsed(), 2 * SILENCE);
}

#[tokio::test]
async fn a_removed_session_ends_the_stream_and_trouble_is_said_first() {
    let removed = Said { frames: vec![Err(Error::of(Code::NotFound))] };
    assert_eq!(text(removed, 9).await, "retry: 1\n\n");
    let damaged = Said { frames: vec![Err(Error::coded(Code::JournalDamaged, "two\nlines"))] };
    assert_eq!(text(damaged, 9).await, "retry: 1\n\n: journal_damaged: two lines\n\n");
}

#[test]
fn a_frame_is_the_event_as_it_lies_in_the_journal() {
    let written =
        Written { seq: 7, text: Bytes::from_static(br#"{"seq":7,"type":"turn.started","data":{}}"#) };
    let mut out = Vec::new();
    put(&mut out, 7, &written);
    let said = String::from_utf8(out).unwrap();
    assert_eq!(
        said,
        "id: 7\nevent: turn.started\ndata: {\"seq\":7,\"type\":\"turn.started\",\"data\":{}}\n\n"
    );
}

#[test]
fn no_name_of_an_event_breaks_its_frame() {
    let written =
        Written { seq: 1, text: Bytes::from_static(br#"{"seq":1,"type":"a\n\ndata: b","data":{}}"#) };
    let mut out = Vec::new();
    put(&mut out, 1, &written);
    assert!(String::from_utf8(out).unwrap().starts_with("id: 1\nevent: adata: b\ndata: {"));
}

#[test]
fn a_stream_is_wanted_by_name_only() {
    let accepts = |value: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_str(value).unwrap());
        is_wanted(&headers)
    };
    assert!(accepts("text/event-stream") && accepts("text/html, Text/Event-Stream;q=0.9"));
    assert!(!accepts("*/*") && !accepts("application/json") && !is_wanted(&HeaderMap::new()));
}
