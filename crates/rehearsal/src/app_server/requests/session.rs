//! What is done with a thread as a whole: named, archived, deleted, reverted, no longer followed, its terminals cleaned.

use std::sync::Arc;

use serde_json::json;

use super::{
    super::{
        command::Terminal,
        dispatch::{Ask, Handled, Reply},
        messages,
        params::{self, OfThread, ThreadRevert, check_thread_id},
        server::Server,
        store::{Record, Stored},
        thread::{Birth, Status, Thread},
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
    ask.server.tell(&messages::status_changed(&thread_id, Status::NotLoaded)).await;
    ask.answer(json!({})).await;
    ask.server.tell(&messages::of_thread("thread/archived", &thread_id)).await;
    Ok(Reply::Later)
}

/// A stored thread that no other process writes.
fn stored_alone(server: &Server, id: &str) -> Result<Arc<Thread>, RpcError> {
    let Stored { birth, state, .. } = server.store.read(id).ok_or_else(|| RpcError::no_rollout(id))?;
    server.store.claim(id).map_err(|_| has_writer(id))?;
    Ok(Arc::new(Thread::new(birth, state)))
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
    if is_forked(ask.server, &thread_id) {
        let why = format!("cannot delete thread {thread_id}: forked history still references it");
        return Err(RpcError::invalid(why));
    }
    if ask.server.unload(&thread_id).is_some() {
        ask.server.tell(&messages::status_changed(&thread_id, Status::NotLoaded)).await;
    } else {
        stored_alone(ask.server, &thread_id)?;
    }
    ask.server.store.delete(&thread_id);
    ask.answer(json!({})).await;
    ask.server.tell(&messages::of_thread("thread/deleted", &thread_id)).await;
    Ok(Reply::Later)
}

/// Codex's forks refer to the history they came from.
fn is_forked(server: &Server, id: &str) -> bool {
    let from_here = |birth: &Birth| !birth.ephemeral && birth.forked_from.as_deref() == Some(id);
    let loaded = server.threads().iter().any(|thread| from_here(&thread.birth));
    loaded || server.store.read_all().iter().any(|stored| from_here(&stored.birth))
}

/// Cuts the history before a turn. Codex unloads and loads the thread for it, even when the turn is not there.
pub(in super::super) async fn revert(ask: Ask<'_>) -> Handled {
    let ThreadRevert { thread_id, before_turn_id } = params::read(ask.params.clone())?;
    let thread = loaded(ask.server, &thread_id)?;
    ask.server.tell(&messages::status_changed(&thread_id, Status::NotLoaded)).await;
    let cut = cut_before(&thread, &before_turn_id);
    if cut == Some(Unread::Gone) {
        let notice = messages::read_state(&thread_id, &thread.state().touch_read_state());
        ask.server.tell(&notice).await;
    }
    ask.server.tell(&messages::status_changed(&thread_id, Status::Idle)).await;
    if cut.is_none() {
        return Err(RpcError::invalid(format!("turn not found: {before_turn_id}")));
    }
    ask.server.store.append(&thread, &Record::Reverted { before: before_turn_id });
    let value = shown(ask.server, &thread, false);
    ask.answer(json!({ "thread": value, "turnsBackwardsCursor": "at:0", "itemsBackwardsCursor": "at:0" }))
        .await;
    ask.server.tell(&messages::of_thread("thread/reverted", &thread_id)).await;
    Ok(Reply::Later)
}

/// Whether a cut took away the first unread turn.
#[derive(Debug, PartialEq, Eq)]
enum Unread {
    Kept,
    Gone,
}

/// Cuts the turns; `None` if there is no such turn.
fn cut_before(thread: &Thread, turn: &str) -> Option<Unread> {
    let mut state = thread.state();
    let at = state.turns.iter().position(|known| known.id == turn)?;
    state.turns.truncate(at);
    let kept = |unread: &String| state.turns.iter().any(|turn| turn.id == *unread);
    if state.first_unread.as_ref().is_none_or(kept) {
        return Some(Unread::Kept);
    }
    state.first_unread = None;
    Some(Unread::Gone)
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
