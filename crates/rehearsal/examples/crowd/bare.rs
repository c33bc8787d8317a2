//! The bare server: the same addresses and the same bytes, made where they are sent, and nothing kept.

mod frames;

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    thread::available_parallelism,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
    routing::{get, post},
    serve::ListenerExt as _,
};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};

use crate::Failure;
use frames::Frames;

/// Chunks that wait for one reader.
const WAITING: usize = 16;

/// Who follows which session.
#[derive(Clone, Default)]
struct Bare {
    readers: Arc<Mutex<HashMap<String, Vec<mpsc::Sender<Bytes>>>>>,
}

/// Serves until it is ended.
pub(crate) fn serve() -> Result<(), Failure> {
    // As many threads as the gateway has.
    let threads = (available_parallelism()?.get() / 2).max(1);
    let executor =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    executor.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("listening on http://{} (bare)", listener.local_addr()?);
        let listener = listener.tap_io(|stream| {
            let _slower = stream.set_nodelay(true);
        });
        let router = Router::new()
            .route("/v1/sessions", post(create).get(list))
            .route("/v1/sessions/{id}", get(session))
            .route("/v1/sessions/{id}/messages", post(message))
            .route("/v1/sessions/{id}/messages/{message}", get(finished))
            .route("/v1/sessions/{id}/events", get(events))
            .with_state(Bare::default());
        Ok(axum::serve(listener, router).await?)
    })
}

async fn create(_body: Bytes) -> Response {
    session(Path(uuid::Uuid::now_v7().to_string())).await
}

async fn list() -> Response {
    written(&json!({ "items": [] }))
}

/// About as long as ours.
async fn session(Path(id): Path<String>) -> Response {
    written(&json!({ "id": id, "last_seq": 0, "filling": ".".repeat(700) }))
}

async fn finished(Path((_, id)): Path<(String, String)>) -> Response {
    written(&json!({ "message_id": id, "state": "completed", "text": "hello" }))
}

async fn message(State(bare): State<Bare>, Path(id): Path<String>, body: Bytes) -> Response {
    let said: Value = serde_json::from_slice(&body).unwrap_or_default();
    let words: Vec<&str> = said["text"].as_str().unwrap_or_default().split(' ').collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse().ok());
    if let (Some("pace" | "flood"), Some(deltas), Some(every_ms)) =
        (words.first().copied(), number(1), number(2))
    {
        #[expect(clippy::disallowed_methods, reason = "it ends with its deltas, or with the process")]
        tokio::spawn(bare.speak(id, deltas, every_ms));
    }
    written(&json!({ "message_id": uuid::Uuid::now_v7().to_string(), "state": "queued" }))
}

async fn events(State(bare): State<Bare>, Path(id): Path<String>) -> Response {
    let (sender, receiver) = mpsc::channel(WAITING);
    bare.readers.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default().push(sender);
    let chunks = stream::unfold(receiver, |mut receiver| async move {
        Some((Ok::<Bytes, Infallible>(receiver.recv().await?), receiver))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (kind, Body::from_stream(chunks)).into_response()
}

fn written(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

impl Bare {
    /// Says so many deltas to whoever follows the session now.
    async fn speak(self, id: String, deltas: u64, every_ms: u64) {
        let readers = {
            let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            readers.get(&id).cloned().unwrap_or_default()
        };
        let mut frames = Frames::new(&id, deltas);
        let mut every = (every_ms > 0).then(|| tokio::time::interval(Duration::from_millis(every_ms)));
        loop {
            let chunk = match &mut every {
                Some(every) => {
                    every.tick().await;
                    frames.now()
                }
                None => frames.next_chunk(),
            };
            let Some(chunk) = chunk else { return };
            for reader in &readers {
                // Who has left wants nothing more.
                let _left = reader.send(chunk.clone()).await;
            }
        }
    }
}
