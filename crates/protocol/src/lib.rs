//! Read-only views of what `codex app-server` says, and what can be said to it.
//!
//! The raw line is the truth. [`frame`] says what a line is; [`see`] and [`say`] are generated from Codex's own schema:
//!
//! - [`see`]: what Codex says. A view borrows the raw text. Its ids are fields, read when it is made: without them there
//!   is no view. (What has an `id` is identified by it alone; what has none, by every `…Id` that the schema requires.)
//!   Everything else is an accessor that reads one field when called and gives `None` if the field is
//!   missing, null, or not what the schema says. Every enum has an arm `Unknown` that keeps what it does not know, and
//!   every view gives its whole [`object`], so that nothing is out of reach.
//!   [`see::Notification`] and [`see::ServerRequest`] read a message by its method.
//! - [`say`]: what we say. Owned, required fields as arguments of `new`, all others optional and left out when `None`.
//!   `extra` takes fields that the schema did not know, and `null` where it means something else than leaving out.
//! - [`calls`] are the requests we make, [`asks`] those that Codex makes; each ties method, parameters and answer
//!   together ([`call`]).
//!
//! ```
//! use selvedge_protocol::{frame::Frame, see::{Notification, ThreadItem}};
//!
//! let line = r#"{"method":"item/completed","params":{"threadId":"t","turnId":"u",
//!     "item":{"type":"agentMessage","id":"m","text":"done","mood":"new in some version"}}}"#;
//! let Frame::Notification { method, params } = Frame::read(line) else { unreachable!() };
//! let Notification::ItemCompleted(it) = Notification::read(method, params) else { unreachable!() };
//! assert_eq!(it.thread_id, "t");
//! let Some(ThreadItem::AgentMessage(message)) = it.item() else { unreachable!() };
//! assert_eq!(message.text().as_deref(), Some("done"));
//! assert!(message.phase().is_none());
//! assert_eq!(message.object().raw("mood").unwrap().get(), r#""new in some version""#);
//! ```

pub mod call;
pub mod frame;
mod generated;
pub mod list;
pub mod object;
mod say_macros;
pub mod secret;
#[doc(hidden)]
pub mod touch;
pub mod view;
mod view_macros;

pub use generated::{asks, calls, say, see};
