//! Threads come to be: started, resumed, forked.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    super::{
        dispatch::{Ask, Handled, Reply},
        items::{new_id, now_ms},
        messages::{self, Place},
        outbox::Out,
        params::{self, Overrides, ThreadReopen, ThreadStart, check_thread_id},
        server::Server,
        store::{Record, Stored},
        thread::{Birth, Settings, State, Status, Thread, Turn, TurnStatus, absolute},
        views,
        wire::RpcError,
    },
    shown,
};

pub(in super::super) async fn start(ask: Ask<'_>) -> Handled {
    let wanted: ThreadStart = params::read(ask.params.clone())?;
    let mut settings = Settings::new(absolute("."));
    settings.take(wanted.overrides);
    let birth = Birth {
        ephemeral: wanted.ephemeral.unwrap_or_default(),
        dynamic_tools: wanted.dynamic_tools.unwrap_or_default(),
        ..born(ask.server)
    };
    let thread = ask.server.load(Thread::new(birth, State::new(settings)));
    // A new id has no other writer.
    let _ = ask.server.store.claim(thread.id());
    let value = shown(ask.server, &thread, false);
    let answer = views::session(&value, &thread.state().settings);
    ask.answer(answer).await;
    ask.server.tell(&messages::thread_started(&value)).await;
    Ok(Reply::Later)
}

fn born(server: &Server) -> Birth {
    Birth {
        id: new_id(),
        created_at: now_ms() / 1000,
        ephemeral: false,
        forked_from: None,
        originator: server.client.get().map(|client| client.name.clone()).unwrap_or_default(),
        dynamic_tools: Vec::new(),
        inherited_turns: 0,
    }
}

pub(in super::super) async fn resume(ask: Ask<'_>) -> Handled {
    let wanted: ThreadReopen = params::read(ask.params.clone())?;
    check_thread_id(&wanted.thread_id)?;
    match ask.server.thread(&wanted.thread_id) {
        Some(thread) => subscribe_again(&ask, &thread, wanted).await,
        None => load_stored(&ask, wanted).await,
    }
}

/// The thread is here: only follow it again, and hear again what is still asked.
async fn subscribe_again(ask: &Ask<'_>, thread: &Arc<Thread>, wanted: ThreadReopen) -> Handled {
    warn_of_turns(ask.server, &wanted).await;
    if !wanted.exclude_turns && thread.state().turns.is_empty() {
        return Err(RpcError::unsupported("list_turns"));
    }
    thread.subscribe(true);
    let turns = !wanted.exclude_turns;
    let answer = resumed(ask.server, thread, wanted.overrides, turns);
    ask.answer(answer).await;
    if turns {
        tell_usage(ask.server, thread).await;
    }
    ask.server.tell(&messages::of_thread("thread/goal/cleared", thread.id())).await;
    for open in ask.server.calls.open_of(thread.id()) {
        ask.server.outbox.send(Out::Lines(open)).await;
    }
    Ok(Reply::Later)
}

async fn load_stored(ask: &Ask<'_>, wanted: ThreadReopen) -> Handled {
    let id = &wanted.thread_id;
    let stored = ask.server.store.read(id).ok_or_else(|| RpcError::no_rollout(id))?;
    if stored.archived {
        let how = format!("session {id} is archived. Run `codex unarchive {id}` to unarchive it first.");
        return Err(RpcError::invalid(how));
    }
    warn_of_turns(ask.server, &wanted).await;
    ask.server.store.claim(id).map_err(|_| super::session::has_writer(id))?;
    let thread = ask.server.load(loaded(stored));
    ask.server.tell(&messages::status_changed(id, Status::Idle)).await;
    let answer = resumed(ask.server, &thread, wanted.overrides, !wanted.exclude_turns);
    ask.answer(answer).await;
    tell_usage(ask.server, &thread).await;
    ask.server.tell(&messages::of_thread("thread/goal/cleared", id)).await;
    Ok(Reply::Later)
}

/// Codex would rather send pages.
async fn warn_of_turns(server: &Server, wanted: &ThreadReopen) {
    if !wanted.exclude_turns {
        server.tell(&messages::hydration_deprecated("use `excludeTurns: true`")).await;
    }
}

fn loaded(mut stored: Stored) -> Thread {
    stored.state.status = Status::Idle;
    Thread::new(stored.birth, stored.state)
}

fn resumed(server: &Server, thread: &Thread, overrides: Overrides, turns: bool) -> Value {
    thread.state().settings.take(overrides);
    let value = shown(server, thread, turns);
    let settings = thread.state().settings.clone();
    let mut answer = views::session(&value, &settings);
    answer["collaborationMode"] = settings.collaboration_mode();
    answer["initialTurnsPage"] = Value::Null;
    answer["turnsBackwardsCursor"] = json!("at:0");
    answer["itemsBackwardsCursor"] = json!("at:0");
    answer
}

/// What the thread has used so far.
async fn tell_usage(server: &Server, thread: &Thread) {
    let (usage, turn) = {
        let state = thread.state();
        let ended = state.turns.iter().rev().find(|turn| turn.status != TurnStatus::Interrupted);
        (state.usage, ended.map(|turn| turn.id.clone()))
    };
    if let Some(turn) = turn {
        server.tell(&Place { thread: thread.id(), turn: &turn }.usage(&usage)).await;
    }
}

pub(in super::super) async fn fork(ask: Ask<'_>) -> Handled {
    let wanted: ThreadReopen = params::read(ask.params.clone())?;
    check_thread_id(&wanted.thread_id)?;
    let source = source_of_fork(ask.server, &wanted)?;
    warn_of_turns(ask.server, &wanted).await;
    let thread = ask.server.load(source);
    thread.state().settings.take(wanted.overrides);
    store_fork(ask.server, &thread);
    let value = shown(ask.server, &thread, !wanted.exclude_turns);
    let answer = views::session(&value, &thread.state().settings);
    ask.answer(answer).await;
    if !wanted.exclude_turns {
        tell_usage(ask.server, &thread).await;
    }
    let value = shown(ask.server, &thread, false);
    ask.server.tell(&messages::thread_started(&value)).await;
    Ok(Reply::Later)
}

/// A new thread with the turns of another; it works while another process writes that one.
fn source_of_fork(server: &Server, wanted: &ThreadReopen) -> Result<Thread, RpcError> {
    let id = &wanted.thread_id;
    let (tools, settings, mut turns, usage) = match server.thread(id) {
        Some(thread) => {
            let state = thread.state();
            (thread.birth.dynamic_tools.clone(), state.settings.clone(), state.turns.clone(), state.usage)
        }
        None => {
            let Stored { birth, state, .. } =
                server.store.read(id).ok_or_else(|| RpcError::no_rollout(id))?;
            (birth.dynamic_tools, state.settings, state.turns, state.usage)
        }
    };
    cut(&mut turns, wanted)?;
    let ephemeral = wanted.ephemeral.unwrap_or_default();
    let birth = Birth {
        forked_from: Some(id.clone()),
        dynamic_tools: tools,
        ephemeral,
        inherited_turns: turns.len(),
        ..born(server)
    };
    Ok(Thread::new(birth, State { turns, usage, ..State::new(settings) }))
}

fn cut(turns: &mut Vec<Turn>, wanted: &ThreadReopen) -> Result<(), RpcError> {
    let place = |id: &str| {
        let found = turns.iter().position(|turn| turn.id == id);
        found.ok_or_else(|| RpcError::invalid(format!("turn not found: {id}")))
    };
    let keep = match (&wanted.last_turn_id, &wanted.before_turn_id) {
        (Some(last), _) => place(last)? + 1,
        (None, Some(before)) => place(before)?,
        (None, None) => turns.len(),
    };
    turns.truncate(keep);
    for turn in turns.iter_mut().filter(|turn| turn.status == TurnStatus::InProgress) {
        turn.status = TurnStatus::Interrupted;
    }
    Ok(())
}

fn store_fork(server: &Server, thread: &Thread) {
    let _ = server.store.claim(thread.id());
    let (turns, usage) = {
        let state = thread.state();
        (state.turns.clone(), state.usage)
    };
    for turn in turns {
        let id = turn.id;
        server.store.append(thread, &Record::TurnStarted { turn: id.clone(), at: turn.started_at });
        for item in turn.items {
            server.store.append(thread, &Record::Item { turn: id.clone(), item });
        }
        let completed_at = turn.completed_at.unwrap_or(turn.started_at);
        let (status, error, duration_ms) = (turn.status, turn.error, turn.duration_ms.unwrap_or_default());
        server
            .store
            .append(thread, &Record::TurnEnded { turn: id, status, error, completed_at, duration_ms });
    }
    server.store.append(thread, &Record::Usage(usage));
}
