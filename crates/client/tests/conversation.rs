//! What a conversation promises its callers, whatever the other side does. The other side is the test itself.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{sync::Arc, time::Duration};

use selvedge_client::{
    CallError, Client, ClosedBy, Inbox, Introduction, Options, TokenSource, Tokens, connect,
};
use selvedge_protocol::{
    calls,
    frame::{Frame, Malformed, RequestId},
    say,
};
use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split,
    },
    task::JoinSet,
};

/// The app-server's side of the wire.
struct Peer {
    requests: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
}

impl Peer {
    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.requests.next_line().await.unwrap().expect("a line"))
            .expect("a whole line of JSON")
    }

    async fn say(&mut self, message: Value) {
        self.write(format!("{message}\n").as_bytes()).await;
    }

    async fn write(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).await.unwrap();
    }

    async fn answer(&mut self, request: &Value, result: Value) {
        self.say(json!({"id": request["id"], "result": result})).await;
    }

    async fn close(mut self) {
        self.output.shutdown().await.unwrap();
    }
}

fn conversation(options: &Options) -> (Client, Inbox, Peer) {
    let (near, far) = duplex(64 * 1024);
    let (near_read, near_write) = split(near);
    let (far_read, far_write) = split(far);
    let (client, inbox) = connect(near_read, near_write, options);
    (client, inbox, Peer { requests: BufReader::new(far_read).lines(), output: far_write })
}

/// Calls from a task of its own.
fn calling(
    tasks: &mut JoinSet<Result<Value, CallError>>,
    client: &Client,
    method: &'static str,
    params: Value,
) {
    let client = client.clone();
    tasks.spawn(async move {
        client.request(method, &params).await.map(|reply| serde_json::from_str(reply.result().get()).unwrap())
    });
}

#[tokio::test(start_paused = true)]
async fn a_response_does_not_wait_behind_unread_notifications() {
    let (client, mut inbox, mut peer) = conversation(&Options::default());
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "model/list", json!({}));
    let request = peer.next().await;
    for n in 0..50_000 {
        peer.say(json!({"method": "item/agentMessage/delta", "params": {"n": n, "delta": "x".repeat(100)}}))
            .await;
    }
    peer.answer(&request, json!({"answered": true})).await;
    let answer = calls.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(answer["answered"], true, "answered although nobody has read a single notification");
    for n in 0..50_000 {
        let line = inbox.next().await.expect("no line is lost");
        let message: Value = serde_json::from_str(line.text().unwrap()).unwrap();
        assert_eq!(message["params"]["n"], n, "order is kept");
    }
}

#[tokio::test(start_paused = true)]
async fn offsets_count_every_byte_of_the_stream() {
    let (client, mut inbox, mut peer) = conversation(&Options { offset: 1000, ..Options::default() });
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "model/list", json!({}));
    let request = peer.next().await;
    peer.write(b"{\"method\":\"a\"}\n").await;
    peer.answer(&request, json!({})).await;
    peer.write(b"{\"method\":\"b\"}\n").await;
    calls.join_next().await.unwrap().unwrap().unwrap();
    let first = inbox.next().await.unwrap();
    let second = inbox.next().await.unwrap();
    let response = format!("{}\n", json!({"id": request["id"], "result": {}}));
    assert_eq!(first.offset, 1000);
    assert_eq!(second.offset, 1000 + 15 + response.len() as u64);
}

#[tokio::test(start_paused = true)]
async fn server_requests_are_answered_late_out_of_order_and_from_any_task() {
    let (client, mut inbox, mut peer) = conversation(&Options::default());
    for id in [json!(0), json!(1), json!("text")] {
        peer.say(json!({"method": "item/tool/call", "id": id, "params": {}})).await;
    }
    let mut ids = Vec::new();
    for _ in 0..3 {
        let line = inbox.next().await.unwrap();
        let Frame::Request { id, .. } = line.frame() else { panic!("{line:?}") };
        ids.push(id.into_owned());
    }
    let unrelated = client.clone();
    let mut calls = JoinSet::new();
    calling(&mut calls, &unrelated, "model/list", json!({}));
    let request = peer.next().await;
    peer.answer(&request, json!({})).await;
    calls.join_next().await.unwrap().unwrap().expect("an open server request delays nobody");
    let mut answering = JoinSet::new();
    for id in ids.into_iter().rev() {
        let client = client.clone();
        answering.spawn(async move { client.answer(&id, &json!({"success": true})).unwrap() });
        answering.join_next().await.unwrap().unwrap();
    }
    for id in [json!("text"), json!(1), json!(0)] {
        assert_eq!(peer.next().await, json!({"id": id, "result": {"success": true}}));
    }
    client.refuse(&RequestId::Int(7), -32601, "not here").unwrap();
    assert_eq!(peer.next().await, json!({"id": 7, "error": {"code": -32601, "message": "not here"}}));
}

#[tokio::test(start_paused = true)]
async fn a_passed_time_limit_says_whether_it_was_sent_and_the_late_answer_is_kept() {
    let (client, mut inbox, mut peer) = conversation(&Options::default());
    let error = client.request("turn/interrupt", &json!({})).await.unwrap_err();
    assert!(
        matches!(error, CallError::TimedOut { sent: true, after, .. } if after == Duration::from_secs(5)),
        "{error}"
    );
    let request = peer.next().await;
    peer.answer(&request, json!({"late": 1})).await;
    let line = inbox.next().await.unwrap();
    let Frame::Response { id, .. } = line.frame() else { panic!("{line:?}") };
    assert_eq!(client.take_late(&id).as_deref(), Some("turn/interrupt"));
    assert_eq!(client.take_late(&id), None, "told once");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_was_never_written_is_withdrawn() {
    let options = Options { in_flight: 1, ..Options::default() };
    let (client, _inbox, mut peer) = conversation(&options);
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "thread/list", json!({"first": true}));
    let first = peer.next().await;
    let error = client
        .request_within("thread/list", &json!({"second": true}), Duration::from_secs(1))
        .await
        .unwrap_err();
    assert!(matches!(error, CallError::TimedOut { sent: false, .. }), "{error}");
    assert!(!error.may_have_been_sent());
    peer.answer(&first, json!({})).await;
    calls.join_next().await.unwrap().unwrap().unwrap();
    calling(&mut calls, &client, "thread/list", json!({"third": true}));
    assert_eq!(peer.next().await["params"], json!({"third": true}), "the second was never sent");
}

#[tokio::test(start_paused = true)]
async fn at_most_64_requests_are_in_flight_and_interrupts_pass_them() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let mut calls = JoinSet::new();
    for n in 0..100 {
        calling(&mut calls, &client, "thread/list", json!({"n": n}));
        tokio::task::yield_now().await;
    }
    let mut waiting = Vec::new();
    for n in 0..64 {
        let request = peer.next().await;
        assert_eq!(request["params"]["n"], n, "in order");
        waiting.push(request);
    }
    calling(&mut calls, &client, "turn/interrupt", json!({}));
    assert_eq!(
        peer.next().await["method"],
        "turn/interrupt",
        "the 65th request waits, the interrupt does not"
    );
    peer.answer(&waiting[0], json!({})).await;
    assert_eq!(peer.next().await["params"]["n"], 64, "one answered, the next in order goes out");
}

#[tokio::test(start_paused = true)]
async fn ids_are_numbered_by_epoch() {
    let (client, _inbox, mut peer) = conversation(&Options { epoch: 3, ..Options::default() });
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "model/list", json!({}));
    assert_eq!(peer.next().await["id"], 3_000_000_001_i64);
}

#[tokio::test(start_paused = true)]
async fn a_call_has_the_id_that_was_reserved_for_it_also_when_it_is_asked_again() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let reserved = client.reserve();
    let id = reserved.id();
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "thread/list", json!({}));
    assert_eq!(peer.next().await["id"], id + 1, "nobody else gets it");
    let mut reserved_call = JoinSet::new();
    reserved_call.spawn(async move {
        let params = say::ThreadLoadedListParams::default();
        let answer = client.call_as::<calls::ThreadLoadedList>(reserved, &params).await;
        answer.map(|answer| answer.reply().result().get().to_owned())
    });
    for _ in 0..2 {
        let request = peer.next().await;
        assert_eq!((&request["method"], &request["id"]), (&json!("thread/loaded/list"), &json!(id)));
        peer.say(json!({"id": id, "error": {"code": -32001, "message": "Server overloaded; retry later."}}))
            .await;
    }
    let request = peer.next().await;
    peer.answer(&request, json!({"data": []})).await;
    let answer = reserved_call.join_next().await.unwrap().unwrap();
    assert_eq!(answer.unwrap(), r#"{"data":[]}"#);
}

#[tokio::test(start_paused = true)]
async fn an_overloaded_codex_is_asked_again_with_growing_delay() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "thread/list", json!({}));
    let mut asked = Vec::new();
    for _ in 0..4 {
        let request = peer.next().await;
        asked.push(tokio::time::Instant::now());
        peer.say(json!({"id": request["id"], "error": {"code": -32001, "message": "Server overloaded; retry later."}})).await;
    }
    let request = peer.next().await;
    peer.answer(&request, json!({"ok": true})).await;
    assert_eq!(calls.join_next().await.unwrap().unwrap().unwrap()["ok"], true);
    let delays: Vec<_> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(delays.windows(2).all(|pair| pair[0] < pair[1]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn an_error_is_passed_on_in_codexs_words() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "turn/start", json!({}));
    let request = peer.next().await;
    peer.say(json!({"id": request["id"], "error": {"code": -32600, "message": "thread not found", "data": {"x": 1}}})).await;
    let error = calls.join_next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "codex refused `turn/start`: thread not found (-32600)");
    assert_eq!(error.refusal().unwrap().data.as_ref().unwrap().get(), r#"{"x":1}"#);
}

#[tokio::test(start_paused = true)]
async fn when_the_stream_ends_every_caller_is_told_why() {
    let (client, mut inbox, mut peer) = conversation(&Options { in_flight: 2, ..Options::default() });
    let mut calls = JoinSet::new();
    for _ in 0..5 {
        calling(&mut calls, &client, "turn/start", json!({}));
    }
    peer.next().await;
    peer.next().await;
    peer.write(b"{\"method\":\"last/words\"}\n{\"method\":\"cut").await;
    peer.close().await;
    let mut sent = 0;
    while let Some(call) = calls.join_next().await {
        match call.unwrap().unwrap_err() {
            CallError::Ended { end, sent: was_sent, .. } => {
                assert_eq!(end.closed_by, ClosedBy::Codex);
                sent += usize::from(was_sent);
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(sent, 2, "the others were never sent, and know it");
    assert!(
        matches!(inbox.next().await.unwrap().frame(), Frame::Notification { .. }),
        "what was said before is kept"
    );
    assert!(matches!(inbox.next().await.unwrap().frame(), Frame::Malformed(Malformed::Cut)));
    assert!(inbox.next().await.is_none());
    let error = client.request("model/list", &json!({})).await.unwrap_err();
    assert!(matches!(error, CallError::Ended { sent: false, .. }), "later callers are told too: {error}");
    assert_eq!(client.ended().await.to_string(), "the app-server ended by itself");
}

#[tokio::test(start_paused = true)]
async fn garbage_becomes_a_value_and_the_conversation_goes_on() {
    let (client, mut inbox, mut peer) = conversation(&Options { line_limit: 1000, ..Options::default() });
    let long = format!("{{\"method\":\"{}\"}}\n", "x".repeat(5000));
    for garbage in
        [&b"not json\n"[..], b"\xff\xfe\n", b"[1,2]\n", b"{\"id\":1.5,\"result\":1}\n", long.as_bytes()]
    {
        peer.write(garbage).await;
    }
    peer.say(json!({"id": 42, "result": "nobody asked"})).await;
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "model/list", json!({}));
    let request = peer.next().await;
    peer.answer(&request, json!("still here")).await;
    assert_eq!(calls.join_next().await.unwrap().unwrap().unwrap(), "still here");
    let expected = [
        Malformed::NotJson,
        Malformed::NotUtf8,
        Malformed::NotAnObject,
        Malformed::BadId,
        Malformed::TooLong { bytes: long.len() as u64 - 1 },
    ];
    for flaw in expected {
        let line = inbox.next().await.unwrap();
        assert!(matches!(line.frame(), Frame::Malformed(found) if found == flaw), "{flaw}: {line:?}");
    }
    let stray = inbox.next().await.unwrap();
    assert!(matches!(stray.frame(), Frame::Response { .. }), "an answer nobody asked for is data too");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_takes_nothing_with_it() {
    let (client, mut inbox, mut peer) = conversation(&Options { in_flight: 1, ..Options::default() });
    let mut calls = JoinSet::new();
    calling(&mut calls, &client, "thread/start", json!({}));
    let request = peer.next().await;
    calls.shutdown().await;
    peer.answer(&request, json!({"thread": {"id": "t"}})).await;
    let line = inbox.next().await.unwrap();
    let Frame::Response { id, .. } = line.frame() else { panic!("{line:?}") };
    assert_eq!(client.take_late(&id).as_deref(), Some("thread/start"), "the thread it made is not forgotten");
    calling(&mut calls, &client, "model/list", json!({}));
    assert_eq!(peer.next().await["method"], "model/list", "its place in flight is free again");
}

#[tokio::test(start_paused = true)]
async fn closing_writes_what_waits_then_closes_the_input() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    client.answer(&RequestId::Int(0), &json!({})).unwrap();
    client.close();
    assert_eq!(peer.next().await, json!({"id": 0, "result": {}}));
    assert_eq!(peer.requests.next_line().await.unwrap(), None, "EOF");
    let error = client.request("model/list", &json!({})).await.unwrap_err();
    assert!(matches!(error, CallError::InputClosed { .. }), "{error}");
    peer.close().await;
    assert_eq!(client.ended().await.closed_by, ClosedBy::Us);
}

#[tokio::test(start_paused = true)]
async fn the_handshake_introduces_us_and_learns_the_version() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let server = async {
        let introduction = Introduction::new("test", "1").title("Test").without(["account/updated"]);
        client.initialize(&introduction).await.unwrap()
    };
    let peer = async {
        let request = peer.next().await;
        let capabilities = json!({"experimentalApi": true, "optOutNotificationMethods": ["account/updated"]});
        assert_eq!(request["params"]["capabilities"], capabilities);
        assert_eq!(request["params"]["clientInfo"], json!({"name": "test", "title": "Test", "version": "1"}));
        peer.answer(&request, json!({"userAgent": "test/0.166.0 (x) y", "codexHome": "/home", "new": 1}))
            .await;
        peer.next().await
    };
    let (server, initialized) = tokio::join!(server, peer);
    assert_eq!(initialized, json!({"method": "initialized"}));
    assert_eq!((server.version(), server.codex_home()), (Some("0.166.0"), Some("/home")));
}

#[tokio::test(start_paused = true)]
async fn tokens_are_refreshed_while_the_consumer_sleeps() {
    let source = TokenSource::new(|reason| async move {
        assert_eq!(reason.reason.as_deref(), Some("unauthorized"));
        let tokens = Tokens {
            access_token: "new-token".into(),
            account_id: Some("account".into()),
            ..Tokens::default()
        };
        Ok(tokens)
    });
    let options = Options { token_source: Some(source), ..Options::default() };
    let redactions = options.redactions.clone();
    let (_client, mut inbox, mut peer) = conversation(&options);
    let refresh =
        json!({"method": "account/chatgptAuthTokens/refresh", "id": 0, "params": {"reason": "unauthorized"}});
    peer.say(refresh.clone()).await;
    let answer = peer.next().await;
    assert_eq!(
        answer,
        json!({"id": 0, "result": {"accessToken": "new-token", "chatgptAccountId": "account"}})
    );
    let line = inbox.next().await.unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(line.text().unwrap()).unwrap(),
        refresh,
        "the consumer sees it too"
    );
    assert_eq!(redactions.apply("a new-token b"), "a [redacted] b");
}

#[tokio::test(start_paused = true)]
async fn a_refused_refresh_is_an_error_with_its_reason() {
    let source = TokenSource::new(|_reason| async { Err("log in again".to_owned()) });
    let (_client, _inbox, mut peer) =
        conversation(&Options { token_source: Some(source), ..Options::default() });
    peer.say(json!({"id": 5, "method": "account/chatgptAuthTokens/refresh", "params": {}})).await;
    assert_eq!(peer.next().await, json!({"id": 5, "error": {"code": -32603, "message": "log in again"}}));
}

#[tokio::test]
async fn thousands_of_callers_each_get_their_own_answer() {
    let (client, _inbox, mut peer) = conversation(&Options::default());
    let client = Arc::new(client);
    let mut calls = JoinSet::new();
    for n in 0..3000 {
        let client = Arc::clone(&client);
        calls.spawn(async move {
            let reply = client.request("thread/read", &json!({"n": n})).await.unwrap();
            assert_eq!(reply.result().get(), n.to_string());
        });
    }
    let answering = async {
        for _ in 0..3000 {
            let request = peer.next().await;
            let result = request["params"]["n"].clone();
            peer.answer(&request, result).await;
        }
    };
    let joining = async { while calls.join_next().await.transpose().unwrap().is_some() {} };
    tokio::join!(answering, joining);
}
