//! What each request does, one file a kind.

pub(super) mod account;
pub(super) mod history;
pub(super) mod session;
pub(super) mod threads;
pub(super) mod turns;

use std::sync::Arc;

use super::{
    params::check_thread_id,
    server::Server,
    thread::Thread,
    views::{self, Shown},
    wire::RpcError,
};

/// A loaded thread, or the error Codex gives.
fn loaded(server: &Server, id: &str) -> Result<Arc<Thread>, RpcError> {
    check_thread_id(id)?;
    server.thread(id).ok_or_else(|| RpcError::thread_not_found(id))
}

/// A loaded thread as clients see it.
fn shown(server: &Server, thread: &Thread, turns: bool) -> serde_json::Value {
    let shown = Shown { path: server.store.path(&thread.birth), loaded: true, turns };
    views::thread(&thread.birth, &thread.state(), &shown)
}
