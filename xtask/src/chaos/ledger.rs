//! What the driver did and saw: all that the checker may know, besides the files that commands wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::plan::Plan;

/// Everything done and seen.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) sessions: Vec<SessionLedger>,
    pub(super) messages: Vec<MessageLedger>,
    /// What was answered to each approval, in order, and whether the host took it.
    pub(super) answers: BTreeMap<String, Vec<GivenAnswer>>,
    /// Messages whose end was seen.
    pub(super) finished: BTreeSet<String>,
    pub(super) server_kills: usize,
    pub(super) host_kills: usize,
    /// Kills of a host that had been killed a moment before: not done.
    pub(super) host_kills_spared: usize,
    /// How often a host was let go.
    pub(super) host_left: usize,
    pub(super) relay_kills: usize,
    pub(super) freezes: usize,
    /// Planned messages to a session that had enough to do: not sent.
    pub(super) queue_full: usize,
    /// The most messages that one session had without an end.
    pub(super) longest_queue: usize,
    /// After the last deed, until everything had ended or was given up.
    pub(super) waited: Duration,
    pub(super) recoveries: Vec<Recovery>,
    /// From the start of a host after a kill to its first answer.
    pub(super) ready: Vec<Duration>,
    /// How often each command was refused, by its name and the reason.
    pub(super) refusals: BTreeMap<String, usize>,
    /// What was wrong at the moment it was seen.
    pub(super) violations: Vec<Violation>,
    /// What the proxies did, by its name.
    pub(super) faults: BTreeMap<String, usize>,
    /// Processes that were there after the host had ended.
    pub(super) left: Vec<String>,
}

/// One session, as its readers saw it.
#[derive(Debug, Default)]
pub(super) struct SessionLedger {
    pub(super) id: Option<String>,
    /// Each event's text, as it came; the first has seq 1.
    pub(super) events: Vec<SeenEvent>,
    /// The same, all read again at the end.
    pub(super) reread: Vec<String>,
    /// Messages that were accepted and have not ended, by their ids.
    pub(super) open: BTreeSet<String>,
}

/// An event, and when it was seen.
#[derive(Debug, Clone)]
pub(super) struct SeenEvent {
    pub(super) text: String,
    pub(super) at: Duration,
}

/// One message, as its sender saw it.
#[derive(Debug, Default)]
pub(super) struct MessageLedger {
    /// The id it was given, or why it was refused; once for each time it was sent and answered.
    pub(super) replies: Vec<Result<String, String>>,
}

#[derive(Debug)]
pub(super) struct GivenAnswer {
    pub(super) decision: &'static str,
    pub(super) taken: Option<bool>,
}

/// From a kill to the next sign of life of a session that it hit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recovery {
    pub(super) of: Killed,
    pub(super) took: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Killed {
    Server,
    Host,
}

/// Something that must not be.
#[derive(Debug, Clone)]
pub(super) struct Violation {
    /// Which promise.
    pub(super) promise: &'static str,
    pub(super) what: String,
    pub(super) session: Option<usize>,
    /// The event it was seen at.
    pub(super) seq: Option<usize>,
}

impl Ledger {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            sessions: plan.sessions.iter().map(|_| SessionLedger::default()).collect(),
            messages: plan.messages.iter().map(|_| MessageLedger::default()).collect(),
            ..Self::default()
        }
    }

    pub(super) fn violated(
        &mut self,
        promise: &'static str,
        what: impl Into<String>,
        session: Option<usize>,
    ) {
        let seq = session.map(|session| self.sessions[session].events.len());
        self.violations.push(Violation { promise, what: what.into(), session, seq });
    }

    pub(super) fn refused(&mut self, command: &str, why: &str) {
        let why: String = why.chars().take(90).collect();
        *self.refusals.entry(format!("{command}: {why}")).or_default() += 1;
    }
}
