//! A client of WebSocket that reads JSON.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

use crate::support::http::Http;

/// One connection. Dropped, it breaks.
pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub(crate) async fn open(http: &Http, path: &str) -> Self {
        Self::try_open(http, path).await.expect("the socket opens")
    }

    /// The status of a refusal, if it is one.
    pub(crate) async fn try_open(http: &Http, path: &str) -> Result<Self, u16> {
        let stream = TcpStream::connect(http.address).await.unwrap();
        let request = format!("ws://{}{path}", http.address);
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) async fn say(&mut self, said: Value) {
        self.0.send(Message::text(said.to_string())).await.unwrap();
    }

    pub(crate) async fn next(&mut self) -> Value {
        loop {
            match self.0.next().await.expect("the socket goes on").unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Reads on up to the first message of a type.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut read = Vec::new();
        while read.last().is_none_or(|last: &Value| last["type"] != kind) {
            let next = timeout(Duration::from_secs(30), self.next()).await;
            read.push(next.unwrap_or_else(|_| panic!("no {kind} after {read:#?}")));
        }
        read
    }

    /// Whether the other side ends it.
    #[allow(dead_code, reason = "only one of the programs that share this waits for that")]
    pub(crate) async fn ends(&mut self) -> bool {
        loop {
            match self.0.next().await {
                None | Some(Err(_) | Ok(Message::Close(_))) => return true,
                Some(Ok(_)) => {}
            }
        }
    }
}
