//! One conversation with one `codex app-server`.
//!
//! A [`Client`] asks and answers from any task; an [`Inbox`] yields everything else Codex says, in order and without
//! loss, however slowly it is read. Both end with the same [`End`], which says how and by whom.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use selvedge_client::{AppServer, Introduction, Launch, Message};
//!
//! let AppServer { client, mut inbox, .. } = AppServer::spawn(Launch::find(None)?)?;
//! let server = client.initialize(&Introduction::new("my-program", "1.0.0")).await?;
//! println!("Codex {}", server.version().unwrap_or("of unknown version"));
//! while let Some(line) = inbox.next().await {
//!     match line.message() {
//!         Message::Notification(told) => println!("{}: {}", line.offset, told.method()),
//!         Message::Request { id, .. } => client.refuse(&id, -32601, "nobody decides anything here")?,
//!         Message::Response { .. } | Message::Malformed(_) => println!("unexpected: {line:?}"),
//!     }
//! }
//! println!("{}", client.ended().await);
//! # Ok(()) }
//! ```

mod client;
mod connection;
mod end;
mod error;
mod handshake;
mod inbox;
mod lanes;
mod limits;
mod line;
mod login;
mod message;
pub mod process;
mod splitter;
mod stderr;
mod table;
mod tap;

pub use client::{Answer, Client, Reply};
pub use connection::{Options, connect};
pub use end::{ClosedBy, End, Exit};
pub use error::{CallError, Hint, RpcError};
pub use handshake::{Introduction, ServerInfo};
pub use inbox::{Inbox, InboxLimits};
pub use limits::TimeLimits;
pub use line::Line;
pub use login::{Credentials, RefreshReason, TokenSource, Tokens};
pub use message::Message;
pub use process::{AppServer, Launch, LaunchError};
pub use tap::{Redactions, Tap};

pub use selvedge_protocol as protocol;
