//! A durable runtime for Codex: sessions whose messages reach exactly one end, whatever dies meanwhile.
//!
//! A [`Runtime`] lives on a data directory. It owns app-servers, sessions and their journal. A [`SessionHandle`] sends
//! messages, answers approvals and reads [`Events`]; nothing is shown before it is durable, and every accepted message
//! ends as completed, failed, interrupted or lost.
//!
//! ```no_run
//! # async fn example() -> Result<(), selvedge_runtime::Error> {
//! use selvedge_runtime::{Config, Message, NewSession, Runtime};
//!
//! let runtime = Runtime::open(Config::new("/var/lib/selvedge")).await?;
//! let session = runtime.create(NewSession::in_directory("/srv/project")).await?;
//! let sent = session.send(Message::text("What is in this directory?")).await?;
//! println!("{}", session.finished(sent.message_id).await?.text);
//! runtime.shut_down().await;
//! # Ok(()) }
//! ```

mod account;
mod actor;
mod asking;
mod changes;
mod clock;
mod completion;
mod config;
mod door;
mod endpoint;
mod error;
mod events;
pub mod examine;
mod executor;
mod feed;
pub mod files;
mod fleet;
pub mod from_codex;
pub mod git;
mod handle;
mod house;
mod keys;
mod ledger;
mod login;
mod models;
mod named;
mod notes;
mod once;
pub mod private;
mod recording;
mod relayed;
mod removed;
mod request;
mod roots;
mod runtime;
pub mod secrets;
mod standing;
mod tally;
pub mod to_codex;
mod tools;
mod unclaimed;
mod unwind;
mod usage;
mod view;

pub use account::Account;
pub use clock::Clock;
pub use completion::{PathFound, PathKind};
pub use config::{Config, HowDurable, Limits, Rehearsal, Relay, Restarts};
pub use endpoint::TOOLS_SERVER;
pub use error::Error;
pub use events::{EventPage, Events, Settled, SettledPage, Written};
pub use executor::executor;
pub use feed::{Feed, FeedPage, Noted};
pub use fleet::{Ignored, ProcessInfo, RelayInfo, RelayState, Stage, Within, leftovers, relays};
pub use handle::{
    Called, Calling, MessageDetail, MessageFilter, MessageListing, SessionDetail, SessionHandle,
};
pub use login::Login;
pub use models::{BackendFound, Effort, Model};
pub use notes::Note;
pub use once::Kept;
pub use recording::{Recorded, RecordingLimits};
pub use request::{Answer, Filter, Fork, Message, NewSession, Part};
pub use roots::Roots;
pub use runtime::{DetailListing, Listing, Runtime};
pub use standing::{Standing, Waiting};
pub use tally::{Ends, Tally, Times};
pub use tools::WrongTool;
pub use usage::{UsageGroup, UsageItem, UsageReport, Used};
pub use view::{Backend, MessageState, MessageView, PendingApproval, PendingToolCall, Receipt, Summary};

pub use selvedge_client::{Introduction, Redactions, RefreshReason, Tokens};
pub use selvedge_session::{self as session, Patch};

/// The examples of the page about this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/runtime.md")]
struct Page;
