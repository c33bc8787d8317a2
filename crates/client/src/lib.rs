//! One conversation with one `codex app-server`.
//!
//! A [`Client`] asks and answers from any task; an [`Inbox`] yields everything else Codex says, in order and without
//! loss, however slowly it is read. Both end with the same [`End`], which says how and by whom.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use selvedge_client::{AppServer, Introduction, Launch, Message};
//! use selvedge_protocol::{calls, say, see::Notification};
//!
//! let AppServer { client, mut inbox, process } = AppServer::spawn(Launch::find(None)?)?;
//! client.initialize(&Introduction::new("my-program", "1.0.0")).await?;
//!
//! let started = client.call::<calls::ThreadStart>(&say::ThreadStartParams::default()).await?;
//! let thread = started.read()?.thread().ok_or("no thread")?.id.into_owned();
//! let input = vec![say::TextUserInput::new("What is in this directory?").into()];
//! client.call::<calls::TurnStart>(&say::TurnStartParams::new(thread, input)).await?;
//!
//! while let Some(line) = inbox.next().await {
//!     match line.message() {
//!         Message::Notification(Notification::ItemAgentMessageDelta(it)) => print!("{}", it.delta().unwrap_or_default()),
//!         Message::Notification(Notification::TurnCompleted(_)) => break,
//!         Message::Request { id, .. } => client.refuse(&id, -32601, "nobody is here to ask")?,
//!         _ => {} // everything else is there too, known or not
//!     }
//! }
//! println!("{}", process.shut_down().await);
//! # Ok(()) }
//! ```

mod abilities;
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
mod redactions;
mod splitter;
mod stderr;
mod table;
mod tap;

pub use abilities::{Abilities, Efforts, Fork, History, JUDGED, TokenShape, Tools, Unsubscribe, Unwind};
pub use client::{Answer, Client, Reply, Reserved};
pub use connection::{Options, connect, connect_to};
pub use end::{ClosedBy, End, Exit};
pub use error::{CallError, Hint, RpcError};
pub use handshake::{Introduction, ServerInfo};
pub use inbox::{Inbox, InboxLimits};
pub use limits::TimeLimits;
pub use line::Line;
pub use login::{Credentials, RefreshReason, TokenSource, Tokens};
pub use message::Message;
pub use process::{AppServer, Launch, LaunchError};
pub use redactions::Redactions;
pub use tap::{Listener, Tap};

pub use selvedge_protocol as protocol;
