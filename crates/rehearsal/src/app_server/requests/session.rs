//! What is done with a thread as a whole: named, archived, deleted, reverted, no longer followed, its terminals cleaned.

use serde_json::json;

use super::{
    super::{
        command::Terminal,
        dispatch::{Ask, Handled, Reply},
        messages,
        params::{self, OfThread, ThreadRevert, check_thread_id},
        server::Server,
        store::{Record, Stored},
        thread::Status,
        views::{self, Shown},
        wire::RpcError,
    },
    loaded, shown,
};

pub(super) fn has_writer(id: &str) -> RpcError {
    RpcError::invalid(format!("thread {id} already has an active writer"))
}

pub(in super::super) async fn set_name(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, name, .. } = params::read(ask.params.clone())?;
    check_thread_id(&thread_id)?;
    let thread = ask.server.thread(&thread_id).ok_or_else(|| RpcError::no_rollout(&thread_id))?;
    thread.state().name.clone_from(&name);
    ask.server.store.append(&thread, &Record::Named(name.clone()));
    ask.answer(json!({})).await;
    ask.server.tell(&messages::name_updated(&thread_id, name.as_deref())).await;
    Ok(Reply::Later)
}

pub(in super::super) fn unsubscribe(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params)?;
    check_thread_id(&thread_id)?;
    let status = match ask.server.thread(&thread_id) {
        None => "notLoaded",
        Some(thread) if thread.subscribe(false) => "unsubscribed",
        Some(_) => "notSubscribed",
    };
    Ok(Reply::Now(json!({ "status": status })))
}

pub(in super::super) async fn archive(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params.clone())?;
    check_thread_id(&thread_id)?;
    let thread = match ask.server.unload(&thread_id) {
        Some(thread) => thread,
        None => stored_alone(ask.server, &thread_id)?,
    };
    ask.server.store.append(&thread, &Record::Archived(true));
    ask.server.store.release(&thread_id);
    ask.server.tell(&messages::of_thread("thread/goal/cleared", &thread_id)).await;
    ask.server.tell(&messages::status_changed(&thread_id, Status::NotLoaded)).await;
    ask.answer(json!({})).await;
    ask.server.tell(&messages::of_thread("thread/archived", &thread_id)).await;
    Ok(Reply::Later)
}

/// A stored thread that no other process writes.
fn stored_alone(server: &Server, id: &str) -> Result<std::sync::Arc<super::super::thread::Thread>, RpcError> {
    let Stored { birth, state, .. } = server.store.read(id).ok_or_else(|| RpcError::no_rollout(id))?;
    server.store.claim(id).map_err(|_| has_writer(id))?;
    Ok(std::sync::Arc::new(super::super::thread::Thread::new(birth, state)))
}

pub(in super::super) async fn unarchive(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params.clone())?;
    check_thread_id(&thread_id)?;
    let archived = ask.server.store.read(&thread_id).is_some_and(|stored| stored.archived);
    if !archived {
        return Err(RpcError::invalid(format!("no archived rollout found for thread id {thread_id}")));
    }
    let thread = stored_alone(ask.server, &thread_id)?;
    ask.server.store.append(&thread, &Record::Archived(false));
    ask.server.store.release(&thread_id);
    let how = Shown { path: ask.server.store.path(&thread.birth), loaded: false, turns: false };
    let value = views::thread(&thread.birth, &thread.state(), &how);
    ask.answer(json!({ "thread": value })).await;
    ask.server.tell(&messages::of_thread("thread/unarchived", &thread_id)).await;
    Ok(Reply::Later)
}

pub(in super::super) async fn delete(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params.clone())?;
    check_thread_id(&thread_id)?;
    if ask.server.unload(&thread_id).is_none() {
        stored_alone(ask.server, &thread_id)?;
    }
    ask.server.store.delete(&thread_id);
    ask.answer(json!({})).await;
    ask.server.tell(&messages::of_thread("thread/deleted", &thread_id)).await;
    Ok(Reply::Later)
}

/// Cuts the history before a turn. Codex unloads and loads the thread for it, even when the turn is not there.
pub(in super::super) async fn revert(ask: Ask<'_>) -> Handled {
    let ThreadRevert { thread_id, before_turn_id } = params::read(ask.params.clone())?;
    let thread = loaded(ask.server, &thread_id)?;
    ask.server.tell(&messages::status_changed(&thread_id, Status::NotLoaded)).await;
    let found = {
        let mut state = thread.state();
        let found = state.turns.iter().position(|turn| turn.id == before_turn_id);
        found.into_iter().for_each(|at| state.turns.truncate(at));
        state.first_unread = None;
        found.is_some()
    };
    if found {
        ask.server.tell(&messages::read_state(&thread_id, None)).await;
    }
    ask.server.tell(&messages::status_changed(&thread_id, Status::Idle)).await;
    if !found {
        return Err(RpcError::invalid(format!("turn not found: {before_turn_id}")));
    }
    ask.server.store.append(&thread, &Record::Reverted { before: before_turn_id });
    let value = shown(ask.server, &thread, false);
    ask.answer(json!({ "thread": value, "turnsBackwardsCursor": "at:0", "itemsBackwardsCursor": "at:0" }))
        .await;
    ask.server.tell(&messages::of_thread("thread/reverted", &thread_id)).await;
    Ok(Reply::Later)
}

pub(in super::super) fn terminals(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params)?;
    let thread = loaded(ask.server, &thread_id)?;
    let data: Vec<_> = thread.state().terminals.iter().map(Terminal::value).collect();
    Ok(Reply::Now(json!({ "data": data, "nextCursor": null })))
}

/// Ends the thread's background terminals; each says so as its item's end.
pub(in super::super) async fn clean_terminals(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params.clone())?;
    let thread = loaded(ask.server, &thread_id)?;
    ask.answer(json!({})).await;
    thread.state().terminals.iter().for_each(Terminal::kill);
    Ok(Reply::Later)
}
