//! Turns are started, steered and interrupted.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    super::{
        dispatch::{Ask, Handled, Reply},
        items::new_id,
        messages,
        params::{self, OfThread, TurnInterrupt, TurnStart, TurnSteer, UserMessage},
        server::Server,
        thread::{Active, Signal, Thread},
        turn::{self, Opening},
        views,
        wire::RpcError,
    },
    loaded,
};

/// Signals that may wait for a turn that does not listen just now.
const SIGNALS: usize = 64;

/// Starts a turn; on a busy thread it steers, and names the turn it joined.
pub(in super::super) async fn start(ask: Ask<'_>) -> Handled {
    let wanted: TurnStart = params::read(ask.params.clone())?;
    let thread = loaded(ask.server, &wanted.thread_id)?;
    let message = UserMessage::new(wanted.input, wanted.client_user_message_id)?;
    if join_active(&ask, &thread, &message)? {
        return Ok(Reply::Later);
    }
    let changed = thread.state().settings.take(wanted.overrides);
    if changed {
        let notice = messages::settings_updated(thread.id(), &thread.state().settings);
        ask.server.tell_of(&thread, &notice).await;
    }
    let opening = Opening { message: Some(message), output_schema: wanted.output_schema, compaction: false };
    let turn = open(&thread);
    ask.answer(json!({ "turn": views::coming_turn(&turn.0) })).await;
    begin(ask.server, &thread, turn, opening);
    Ok(Reply::Later)
}

/// A compaction is a turn without a message.
pub(in super::super) async fn compact(ask: Ask<'_>) -> Handled {
    let OfThread { thread_id, .. } = params::read(ask.params.clone())?;
    let thread = loaded(ask.server, &thread_id)?;
    ask.answer(json!({})).await;
    let turn = open(&thread);
    begin(ask.server, &thread, turn, Opening { message: None, output_schema: None, compaction: true });
    Ok(Reply::Later)
}

/// Steers the turn that runs, if one does; it answers with that turn.
fn join_active(ask: &Ask<'_>, thread: &Thread, message: &UserMessage) -> Result<bool, RpcError> {
    let state = thread.state();
    let Some(active) = &state.active else { return Ok(false) };
    let answer = Ok(json!({ "turn": views::coming_turn(&active.turn) }));
    let answer = messages::response(&ask.id, &answer);
    send(active, Signal::Steer { message: message.clone(), answer })?;
    Ok(true)
}

fn send(active: &Active, signal: Signal) -> Result<(), RpcError> {
    active.signals.try_send(signal).map_err(|_| RpcError::overloaded())
}

/// Takes the thread for a new turn.
fn open(thread: &Thread) -> (String, mpsc::Receiver<Signal>) {
    let turn = new_id();
    let (sender, receiver) = mpsc::channel(SIGNALS);
    thread.state().active = Some(Active { turn: turn.clone(), started: false, signals: sender });
    (turn, receiver)
}

fn begin(
    server: &Arc<Server>,
    thread: &Arc<Thread>,
    turn: (String, mpsc::Receiver<Signal>),
    opening: Opening,
) {
    let (id, signals) = turn;
    let playing = turn::Playing::new(Arc::clone(server), Arc::clone(thread), id, signals);
    server.spawn(playing.play(opening));
}

/// Steers; the turn answers when it hears it, so that a steer that was answered is never lost.
pub(in super::super) fn steer(ask: Ask<'_>) -> Handled {
    let wanted: TurnSteer = params::read(ask.params)?;
    let thread = loaded(ask.server, &wanted.thread_id)?;
    let message = UserMessage::new(wanted.input, wanted.client_user_message_id)?;
    let state = thread.state();
    let Some(active) = state.active.as_ref().filter(|active| active.started) else {
        return Err(RpcError::invalid("no active turn to steer"));
    };
    let expected = wanted.expected_turn_id;
    if active.turn != expected {
        let why = format!("expected active turn id `{expected}` but found `{}`", active.turn);
        return Err(RpcError::invalid(why));
    }
    let answer = messages::response(&ask.id, &Ok(json!({ "turnId": expected })));
    send(active, Signal::Steer { message, answer })?;
    Ok(Reply::Later)
}

/// Interrupts a turn; the turn answers when it has stopped. With Codex's traps: before `turn/started` there is nothing
/// to interrupt, and a second interrupt of the same turn is answered when the next turn ends.
pub(in super::super) fn interrupt(ask: Ask<'_>) -> Handled {
    let TurnInterrupt { thread_id, turn_id } = params::read(ask.params)?;
    let thread = loaded(ask.server, &thread_id)?;
    if ask.server.faults.ignore_interrupt {
        return Ok(Reply::Later);
    }
    if turn_id.is_empty() {
        return Ok(Reply::Now(Value::Object(serde_json::Map::new())));
    }
    let mut state = thread.state();
    let running = state.active.as_ref().filter(|active| active.started);
    if let Some(active) = running.filter(|active| active.turn == turn_id) {
        send(active, Signal::Interrupt(ask.id))?;
        return Ok(Reply::Later);
    }
    let found = running.map(|active| active.turn.clone()).or_else(|| state.last_interrupted.clone());
    match found {
        None => Err(RpcError::invalid("no active turn to interrupt")),
        Some(found) if found == turn_id => {
            state.deferred_interrupts.push(ask.id);
            Ok(Reply::Later)
        }
        Some(found) => Err(RpcError::invalid(format!("expected active turn id {turn_id} but found {found}"))),
    }
}
