//! Reading what was: threads, turns and items, also of threads that another process writes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    super::{
        dispatch::{Ask, Handled, Reply},
        messages,
        params::{self, Direction, HistoryPage, ItemsView, OfThread, ThreadPage, check_thread_id},
        server::Server,
        store::Stored,
        thread::{Birth, State, Thread},
        views::{self, Page, Shown},
        wire::RpcError,
    },
    shown,
};

pub(in super::super) async fn read(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, include_turns, .. } = params::read(ask.params.clone())?;
    check_thread_id(&thread_id)?;
    let (value, read_state) = match ask.server.thread(&thread_id) {
        Some(thread) => {
            check_turns(&thread, include_turns)?;
            let read_state = read_state(&thread.birth, &thread.state());
            (shown(ask.server, &thread, include_turns), read_state)
        }
        None => {
            let Stored { birth, state, .. } = stored(ask.server, &thread_id)?;
            (stored_value(ask.server, &birth, &state, include_turns), read_state(&birth, &state))
        }
    };
    if include_turns {
        let notice = messages::hydration_deprecated("omit `includeTurns` or set it to `false`");
        ask.server.tell(&notice).await;
    }
    Ok(Reply::Now(json!({ "thread": value, "readState": read_state })))
}

/// Only a thread that is kept can be unread.
fn read_state(birth: &Birth, state: &State) -> Option<Value> {
    (!birth.ephemeral && !state.turns.is_empty()).then(|| state.read_state())
}

fn check_turns(thread: &Thread, wanted: bool) -> Result<(), RpcError> {
    if wanted && thread.birth.ephemeral {
        return Err(RpcError::invalid("ephemeral threads do not support includeTurns"));
    }
    if wanted && thread.state().turns.is_empty() {
        return Err(RpcError::unsupported("list_turns"));
    }
    Ok(())
}

fn stored(server: &Server, id: &str) -> Result<Stored, RpcError> {
    server.store.read(id).ok_or_else(|| RpcError::invalid(format!("thread not loaded: {id}")))
}

fn stored_value(server: &Server, birth: &Birth, state: &State, turns: bool) -> Value {
    let how = Shown { path: server.store.path(birth), loaded: false, turns };
    views::thread(birth, state, &how)
}

pub(in super::super) fn loaded(server: &Server) -> Value {
    let ids: Vec<String> = server.threads().iter().map(|thread| thread.id().to_owned()).collect();
    json!({ "data": ids, "nextCursor": null })
}

/// Threads with a history, the newest first unless asked otherwise.
pub(in super::super) fn list(ask: Ask<'_>) -> Handled {
    let wanted: ThreadPage = params::read(ask.params)?;
    let archived = wanted.archived.unwrap_or_default();
    let loaded = ask.server.threads();
    let mut all: Vec<Value> = loaded
        .iter()
        .filter(|thread| !archived && !thread.birth.ephemeral && !thread.state().turns.is_empty())
        .map(|thread| shown(ask.server, thread, false))
        .collect();
    let is_loaded = |birth: &Birth| loaded.iter().any(|thread| thread.id() == birth.id);
    let cold = ask.server.store.read_all().into_iter().filter(|stored| stored.archived == archived);
    all.extend(
        cold.filter(|stored| !is_loaded(&stored.birth))
            .map(|stored| stored_value(ask.server, &stored.birth, &stored.state, false)),
    );
    // Ids are in the order of their time.
    all.sort_by_key(|thread| {
        (thread["updatedAt"].as_i64(), thread["id"].as_str().unwrap_or_default().to_owned())
    });
    let direction = wanted.sort_direction.unwrap_or(Direction::Desc);
    let mut page = Page { cursor: wanted.cursor, limit: wanted.limit, direction }.cut(all);
    page["readStates"] = json!({});
    Ok(Reply::Now(page))
}

pub(in super::super) fn turns(ask: Ask<'_>) -> Handled {
    let wanted: HistoryPage = params::read(ask.params)?;
    let view = wanted.items_view.unwrap_or(ItemsView::Summary);
    let all = with_state(ask.server, &wanted.thread_id, "thread/turns/list", |state| {
        state.turns.iter().map(|turn| views::turn(turn, view)).collect()
    })?;
    let direction = wanted.sort_direction.unwrap_or(Direction::Desc);
    Ok(Reply::Now(Page { cursor: wanted.cursor, limit: wanted.limit, direction }.cut(all)))
}

pub(in super::super) fn items(ask: Ask<'_>) -> Handled {
    let wanted: HistoryPage = params::read(ask.params)?;
    let all = with_state(ask.server, &wanted.thread_id, "thread/items/list", |state| {
        let turns = state.turns.iter().filter(|turn| wanted.turn_id.as_ref().is_none_or(|id| *id == turn.id));
        turns.flat_map(|turn| turn.items.iter().map(|item| views::item_entry(&turn.id, item))).collect()
    })?;
    let direction = wanted.sort_direction.unwrap_or(Direction::Asc);
    Ok(Reply::Now(Page { cursor: wanted.cursor, limit: wanted.limit, direction }.cut(all)))
}

/// Reads from a thread, loaded or stored, that has a history.
fn with_state(
    server: &Arc<Server>,
    id: &str,
    method: &str,
    read: impl Fn(&State) -> Vec<Value>,
) -> Result<Vec<Value>, RpcError> {
    check_thread_id(id)?;
    let Some(thread) = server.thread(id) else {
        return stored(server, id).map(|stored| read(&stored.state));
    };
    if thread.birth.ephemeral {
        return Err(RpcError::invalid(format!("ephemeral threads do not support {method}")));
    }
    let state = thread.state();
    if state.turns.is_empty() && method == "thread/items/list" {
        return Err(RpcError::unsupported(method));
    }
    if state.turns.is_empty() {
        let why =
            format!("thread {id} is not materialized yet; {method} is unavailable before first user message");
        return Err(RpcError::invalid(why));
    }
    Ok(read(&state))
}
