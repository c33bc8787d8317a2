//! Agents that talk to agents: a session behind A2A 1.0, over JSON-RPC and HTTP+JSON. `docs/design/10-a2a.md` says why it
//! is built so.

mod agents;
mod card;
mod desk;
mod following;
mod head;
mod inbox;
mod notes;
mod out;
mod parts;
mod polling;
mod push;
mod register;
mod rest;
mod routes;
mod rpc;
mod stream;
mod tools;

/// A2A in its own words: the pure half of all this.
use selvedge_dialects::a2a as words;

pub use agents::Agents;
pub(crate) use polling::Polls;
pub(crate) use push::Deliveries;
pub(crate) use routes::{is_open, routes};
pub(crate) use tools::Errands;
