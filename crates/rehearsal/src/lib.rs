//! Stand-ins for the model and for Codex, for tests, demonstrations and benchmarks.

pub mod app_server;
pub mod model;
pub mod scenario;
