//! Stand-ins for the model and for Codex, for tests, demonstrations and benchmarks.

pub mod app_server;
mod faults;
pub mod mcp;
#[cfg(feature = "model")]
pub mod model;
pub mod proxy;
pub mod recording;
pub mod scenario;

pub use faults::BadFault;
