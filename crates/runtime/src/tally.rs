//! What a runtime has done since its start, in numbers, and a line in the log for each turn.

mod times;

pub use times::Times;

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use selvedge_session::{Event, Status, Usage, What, data};

/// Sums since the start. They only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// Events that became durable.
    pub events: u64,
    /// How long each append took, from when it was wanted until it was durable.
    pub commits: Times,
    /// Turns that ended.
    pub turns: u64,
    /// Messages by their end.
    pub messages: Ends,
    /// What those used.
    pub usage: Usage,
    /// What that cost, where the price was known.
    pub cost_usd: f64,
    /// App-servers that ended under a session.
    pub exits: u64,
    /// App-servers that took the place of such a one.
    pub restarts: u64,
}

/// Messages by their end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ends {
    /// Done.
    pub completed: u64,
    /// Not done, and we know why.
    pub failed: u64,
    /// Stopped.
    pub interrupted: u64,
    /// Outcome unknown.
    pub lost: u64,
}

/// The sums of a runtime.
#[derive(Debug, Default)]
pub(crate) struct Tallies(Mutex<Tally>);

impl Tallies {
    pub(crate) fn now(&self) -> Tally {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many events became durable, and it took so long.
    pub(crate) fn committed(&self, events: u64, took: Duration) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sums.events += events;
        sums.commits.add(took);
    }

    /// What a step said is durable.
    pub(crate) fn add(&self, step: Step) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        step.notable.iter().for_each(|event| sums.note(event));
        drop(sums);
        for event in step.notable {
            log(&event);
        }
    }
}

impl Tally {
    fn note(&mut self, event: &Event) {
        match &event.what {
            What::MessageFinished(it) => {
                let ends = &mut self.messages;
                *match it.status {
                    Status::Completed => &mut ends.completed,
                    Status::Failed => &mut ends.failed,
                    Status::Interrupted => &mut ends.interrupted,
                    Status::Lost => &mut ends.lost,
                } += 1;
                self.usage = self.usage.plus(it.usage);
                self.cost_usd += it.cost_usd.unwrap_or_default();
            }
            What::TurnCompleted(_) => self.turns += 1,
            What::CodexExited(_) => self.exits += 1,
            What::CodexRestarted(_) => self.restarts += 1,
            _ => {}
        }
    }
}

/// What one step of a session says, until it is durable.
#[derive(Debug, Default)]
pub(crate) struct Step {
    notable: Vec<Event>,
}

impl Step {
    pub(crate) fn see(&mut self, events: &[Event]) {
        self.notable.extend(events.iter().filter(|event| is_notable(event)).cloned());
    }
}

fn is_notable(event: &Event) -> bool {
    matches!(
        event.what,
        What::MessageFinished(_) | What::TurnCompleted(_) | What::CodexExited(_) | What::CodexRestarted(_)
    )
}

/// Ids, ends and numbers; nothing that anybody said.
fn log(event: &Event) {
    let session_id = event.session_id;
    match &event.what {
        What::TurnCompleted(it) => log_turn(event, it),
        What::MessageFinished(it) => {
            let (message_id, status, tokens, cost_usd) =
                (it.message_id, it.status.as_str(), it.usage.total, it.cost_usd);
            let code = it.error.as_ref().map(|error| error.code.as_str());
            tracing::info!(%session_id, %message_id, status, tokens, cost_usd, code, "message finished");
        }
        What::CodexExited(_) => tracing::warn!(%session_id, "its app-server ended"),
        What::CodexRestarted(it) => {
            tracing::info!(%session_id, attempt = it.attempt, "another app-server took its place");
        }
        _ => {}
    }
}

/// Under this name, so that whoever makes spans of turns finds it.
const TURN: &str = "selvedge::turn";

fn log_turn(event: &Event, it: &data::TurnCompleted) {
    let (session_id, turn_id) = (event.session_id, event.turn_id.as_deref());
    let (status, duration_ms, messages) = (it.status.as_str(), it.duration_ms, it.message_ids.len());
    let code = it.error.as_ref().map(|error| error.code.as_str());
    tracing::info!(target: TURN, %session_id, turn_id, status, duration_ms, messages, code, "turn ended");
}
