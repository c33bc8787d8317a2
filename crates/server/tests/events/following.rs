//! A reader of server-sent events, and what the cases do with sessions.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::{HeaderMap, Method, Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use selvedge_runtime::{Message, NewSession, SessionHandle};
use serde_json::Value;
use tokio::net::TcpSocket;

use crate::support::{http::Http, stage::Stage};

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) event: String,
    pub(crate) data: String,
}

impl Frame {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// A stream that is being read. Dropped, its connection ends.
pub(crate) struct Following {
    pub(crate) headers: HeaderMap,
    body: Incoming,
    text: Vec<u8>,
    /// As `EventSource` keeps it.
    pub(crate) last_id: Option<String>,
}

impl Following {
    pub(crate) async fn open(http: &Http, path: &str, last_id: Option<&str>) -> Self {
        let mut http = http.clone().with("accept", "text/event-stream");
        if let Some(id) = last_id {
            http = http.with("last-event-id", id);
        }
        let (parts, body) = http.open(Method::GET, path, None).await.into_parts();
        assert_eq!(parts.status, 200, "{path} after {last_id:?}");
        Self { headers: parts.headers, body, text: Vec::new(), last_id: last_id.map(str::to_owned) }
    }

    /// The same over a connection that holds little, so that a reader that stands still is felt at the other end.
    #[allow(dead_code, reason = "only one of the programs that share this has readers that stand still")]
    pub(crate) async fn narrow(http: &Http, path: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        let stream = socket.connect(http.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        // It ends when nobody wants its answer any more.
        tokio::spawn(connection);
        let request = Request::get(path).header("host", http.address.to_string());
        let request = request.header("accept", "text/event-stream").body(Empty::<Bytes>::new()).unwrap();
        let (parts, body) = sender.send_request(request).await.unwrap().into_parts();
        assert_eq!(parts.status, 200, "{path}");
        Self { headers: parts.headers, body, text: Vec::new(), last_id: None }
    }

    /// The next event; nothing when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            let block = self.block().await?;
            if let Some(frame) = self.read(&block) {
                return Some(frame);
            }
        }
    }

    /// The place a stream begins at, before its first event.
    pub(crate) async fn place(&mut self) -> String {
        let block = self.block().await.unwrap();
        assert_eq!(self.read(&block), None);
        self.last_id.clone().expect("it begins with its place")
    }

    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.text.windows(2).position(|pair| pair == b"\n\n") {
                let block = self.text.drain(..end + 2).collect();
                return Some(String::from_utf8(block).unwrap());
            }
            let more = self.body.frame().await?.expect("the stream does not break");
            self.text.extend_from_slice(more.data_ref().unwrap());
        }
    }

    fn read(&mut self, block: &str) -> Option<Frame> {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let id = field("id: ").map(str::to_owned);
        self.last_id = id.clone().or(self.last_id.take());
        let (event, data) = (field("event: ")?.to_owned(), field("data: ")?.to_owned());
        Some(Frame { id: id?, event, data })
    }

    /// Reads on up to the first event of a type.
    pub(crate) async fn until(&mut self, event: &str) -> Vec<Frame> {
        let mut frames = Vec::new();
        while frames.last().is_none_or(|last: &Frame| last.event != event) {
            frames.push(self.next().await.expect("the stream goes on"));
        }
        frames
    }
}

/// Makes a session in the stage's directory.
pub(crate) async fn session(stage: &Stage) -> SessionHandle {
    let cwd = stage.work("").display().to_string();
    stage.runtime.create(NewSession::in_directory(cwd)).await.unwrap()
}

/// Has a message done.
pub(crate) async fn done(session: &SessionHandle, text: &str) -> selvedge_runtime::MessageView {
    let sent = session.send(Message::text(text)).await.unwrap();
    session.finished(sent.message_id).await.unwrap()
}

/// All events of a session, page by page.
pub(crate) async fn all(http: &Http, session: &SessionHandle) -> Vec<Value> {
    let mut events: Vec<Value> = Vec::new();
    loop {
        let after = events.last().map_or(0, |last| last["seq"].as_u64().unwrap());
        let path = format!("/v1/sessions/{}/events?after={after}", session.id());
        let page = http.get(&path).await.expect(200);
        let more = page["events"].as_array().unwrap();
        events.extend(more.iter().cloned());
        if events.last().map(|last| &last["seq"]) == Some(&page["last_seq"]) {
            return events;
        }
        assert!(!more.is_empty(), "a page with nothing in it, and more to come");
    }
}
