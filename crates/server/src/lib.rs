//! The gateway: the runtime behind HTTP.
//!
//! A thin room. A handler reads a request, calls one method of the runtime, and writes the answer in the runtime's own
//! words; what a session is and what is refused is decided deeper. `docs/design/03-gateway.md` says why it is built so.

mod a2a;
mod accepted;
mod access;
mod answer;
mod by_name;
mod deeds;
mod gateway;
mod guard;
mod idempotent;
mod in_path;
mod mcp;
mod metrics;
mod openapi;
#[cfg(feature = "otlp")]
mod otlp;
mod page;
mod problem;
mod roots;
mod routed;
mod routes;
mod serve;
mod settings;
mod sockets;
mod spoken;
mod sse;
mod strict;

pub use a2a::Agents;
pub use access::{Scope, Scopes, Secret, Token, Tokens, open_tokens};
pub use gateway::{Gateway, Options};
pub use guard::{Entrance, guarded};
#[cfg(feature = "otlp")]
pub use otlp::Exporting;
pub use problem::Problem;
pub use routes::{openapi, router};
pub use serve::{Claim, Ended, Listening, Running, Stop};
pub use settings::Settings;

/// In which header an answer says the gateway's version, to whoever was let in.
pub const VERSION_HEADER: &str = "selvedge-version";
