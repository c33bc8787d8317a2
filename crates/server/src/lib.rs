//! The gateway: the runtime behind HTTP.
//!
//! A thin room. A handler reads a request, calls one method of the runtime, and writes the answer in the runtime's own
//! words; what a session is and what is refused is decided deeper. `docs/design/03-gateway.md` says why it is built so.

mod access;
mod answer;
mod gateway;
mod idempotent;
mod in_path;
mod openapi;
mod problem;
mod roots;
mod routes;
mod sse;
mod strict;

pub use gateway::{Gateway, Options};
pub use problem::Problem;
pub use routes::{openapi, router};
