//! Text frames of a socket, in both directions, and a ping in silence.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Proxies end what says nothing for long.
const SILENCE: Duration = Duration::from_secs(25);

/// The other side is gone.
pub(crate) struct Gone;

/// A socket that speaks text.
pub(crate) struct Wire {
    socket: WebSocket,
    ping: Interval,
}

impl Wire {
    pub(super) fn new(socket: WebSocket) -> Self {
        let mut ping = interval(SILENCE);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        Self { socket, ping }
    }

    /// The next text that the other side says. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<String, Gone> {
        loop {
            tokio::select! {
                heard = self.socket.recv() => match heard {
                    Some(Ok(Message::Text(text))) => return Ok(text.as_str().to_owned()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                    // Pings are answered below us.
                    Some(Ok(_)) => {}
                },
                _ = self.ping.tick() => {
                    self.socket.send(Message::Ping(bytes::Bytes::new())).await.map_err(|_| Gone)?;
                }
            }
        }
    }

    /// Says something; waits for a reader that is slow.
    pub(crate) async fn say(&mut self, said: &impl Serialize) -> Result<(), Gone> {
        // What is said is made of strings and numbers: it can be written.
        let text = serde_json::to_string(said).map_err(|_| Gone)?;
        self.say_text(text).await
    }

    pub(crate) async fn say_text(&mut self, text: String) -> Result<(), Gone> {
        self.socket.send(Message::Text(text.into())).await.map_err(|_| Gone)
    }
}
