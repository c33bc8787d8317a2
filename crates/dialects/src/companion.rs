//! The Companion's browser protocol: what a browser that was written for it is told, and what it can say.
//!
//! `docs/dialects/companion.md` has the tables, and what differs from upstream.

mod answering;
mod asking;
mod heard;
mod items;
mod message;
mod outcome;
mod past;
mod phase;
mod plan;
mod servers;
mod speaker;
mod state;
mod tools;

pub use heard::Heard;
pub use message::{
    Assistant, Block, Delta, McpServer, Message, PermissionRequest, Replayed, Status, StreamEvent,
    Suggestion, Tokens,
};
pub use outcome::Outcome;
pub use past::{HISTORY_LIMIT, Past, REPLAY_LIMIT};
pub use phase::Phase;
pub use speaker::Speaker;
pub use state::{Connected, RateLimit, RateLimits, SessionState, TokenDetails, Update};
