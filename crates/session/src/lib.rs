//! What a session, message, turn, item and approval *are*: a pure machine without I/O, async or clocks.
//!
//! [`Session::apply`] takes a command, something heard from Codex, or the passing of time, and says what happened
//! ([`Event`]s, shown and numbered, and [`Fact`]s, kept) and what is to be done ([`Effect`]s). Replaying events and facts
//! gives the same state.

mod code;
mod decide;
mod effect;
mod event;
mod evolve;
mod fact;
mod ids;
mod input;
mod item;
mod json;
mod message;
mod patch;
mod pending;
mod price;
mod refusal;
#[cfg(feature = "schema")]
mod schema;
mod settings;
mod shape;
mod state;
mod text;
mod time;
mod usage;
mod view;

pub use code::Code;
pub use effect::{Answer, Cut, Effect};
pub use event::{Event, What, data};
pub use fact::{Cause, Fact, MadeWith, RequestRef, Wish};
pub use ids::{ApprovalId, MessageId, SessionId, ToolCallId};
pub use input::{Begun, Command, Heard, Input, Output, Place, RequestKey, ToolCall, TurnEnd, Verdict};
pub use item::{Item, Whole};
pub use json::Json;
pub use message::{Failure, InputPart, NewMessage, Options, Phase, Retry, Status};
pub use patch::Patch;
pub use price::Price;
pub use refusal::Refusal;
pub use settings::{
    ApprovalPolicy, Backend, Budget, BusyPolicy, ForkedFrom, Isolation, OnLost, PermissionMode, Sandbox,
    Settings, ToolSpec, ToolsVia, Unattended,
};
pub use shape::{Shape, WrongShape};
pub use state::{Lifecycle, Session};
pub use time::Timestamp;
pub use usage::Usage;
pub use view::{OpenApproval, OpenTool, QueuedMessage, ThreadSource};
