//! The writer's desk: where it jots down what is short, if it has a slip for that.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rusqlite::Connection;

use super::{
    append::Append,
    heads::{Heads, Place},
    slip::{Jotted, NoSlip, Slip, Slips},
    transaction::Transaction,
};
use crate::{record::SessionId, store::Head};

/// A slip, from the first record on that may be jotted down.
#[derive(Debug)]
pub(super) struct Desk {
    slips: Slips,
    slip: Option<Slip>,
    /// Where sessions stand of which something is jotted down.
    ahead: HashMap<SessionId, Place>,
    /// Nothing is jotted down any more: slips cannot be had here, or the log has no room.
    bare: bool,
    /// Whether what dead programs left could not be carried over yet.
    left: bool,
    /// Whether something is to be carried over, for whoever reads the log.
    pending: Arc<AtomicBool>,
}

/// Whether somebody may be ahead of the log with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nobody else: it is not claimed, or by us.
    None,
    /// A program that lives.
    Held,
    /// Nobody any more: what a program had that has died is in the log now.
    TakenOver,
}

impl Desk {
    pub(super) fn beside(journal: &Path, pending: Arc<AtomicBool>) -> Self {
        Self {
            slips: Slips::beside(journal),
            slip: None,
            ahead: HashMap::new(),
            bare: false,
            left: false,
            pending,
        }
    }

    /// Gets a slip, if there is none yet and one can be had.
    pub(super) fn lay_out(&mut self, connection: &mut Connection) {
        if self.slip.is_some() || self.bare {
            return;
        }
        match Slip::take(connection, &self.slips) {
            Ok(slip) => self.slip = Some(slip),
            Err(NoSlip::NotNow) => {}
            Err(NoSlip::Unusable) => self.bare = true,
        }
    }

    /// By which slip a session may be claimed.
    pub(super) fn slip(&self) -> Option<i64> {
        self.slip.as_ref().filter(|_| !self.bare).map(|slip| slip.id)
    }

    /// Sees to who else has claimed a session.
    pub(super) fn settle(
        &self,
        transaction: &Transaction<'_>,
        claimed: Option<i64>,
    ) -> rusqlite::Result<Claim> {
        let Some(other) = claimed.filter(|id| !self.is_ours(*id)) else { return Ok(Claim::None) };
        let Some(left) = self.slips.left_by(other) else { return Ok(Claim::Held) };
        left.carry_over(transaction)?;
        Ok(Claim::TakenOver)
    }

    /// The same at once, for who only wants to know where a session stands; whether there was anything.
    pub(super) fn take_over(
        &self,
        connection: &mut Connection,
        claimed: Option<i64>,
    ) -> rusqlite::Result<bool> {
        let other = claimed.filter(|id| !self.is_ours(*id));
        let Some(left) = other.and_then(|id| self.slips.left_by(id)) else { return Ok(false) };
        left.end(connection).map(|()| true)
    }

    fn is_ours(&self, id: i64) -> bool {
        self.slip.as_ref().is_some_and(|slip| slip.id == id)
    }

    /// Carries over what programs that have died left, as far as there is room and time for it.
    pub(super) fn carry_all_left(&mut self, connection: &mut Connection) -> rusqlite::Result<()> {
        self.left = !self.slips.carry_all_left(connection)?;
        self.say_what_is_pending();
        Ok(())
    }

    /// Jots all of them down, if they are brief, their sessions are claimed and nobody is to be refused; then it is known where their
    /// sessions stand. `known` is where they stand in the log.
    pub(super) fn jot(&mut self, appends: &[Append], known: &Heads) -> Option<Vec<Head>> {
        let slip = self.slip.as_mut().filter(|_| !self.bare)?;
        let mut moved: Vec<(&SessionId, Place)> = Vec::with_capacity(appends.len());
        for Append { ready, brief, .. } in appends {
            let before = moved.iter().rfind(|(session, _)| **session == ready.session);
            let place = before.map(|(_, place)| *place);
            let place = place.or_else(|| self.ahead.get(&ready.session).copied());
            let place = place.or_else(|| known.known(&ready.session))?;
            if !brief || place.slip != Some(slip.id) {
                return None;
            }
            moved.push((&ready.session, Place { head: ready.head_after(place.head).ok()?, ..place }));
        }
        let places = moved.iter().map(|(_, place)| *place);
        slip.jot(appends.iter().map(|append| &append.ready).zip(places)).ok()?;
        self.ahead.extend(moved.iter().map(|(session, place)| ((*session).clone(), *place)));
        self.say_what_is_pending();
        Some(moved.into_iter().map(|(_, place)| place.head).collect())
    }

    pub(super) fn jotted(&self) -> &[Jotted] {
        self.slip.as_ref().map_or(&[], Slip::jotted)
    }

    pub(super) fn has_jotted(&self) -> bool {
        !self.jotted().is_empty()
    }

    /// Where a session stands of which something is jotted down.
    pub(super) fn ahead(&self, session: &SessionId) -> Option<Head> {
        self.ahead.get(session).map(|place| place.head)
    }

    /// Whether what dead programs left waits for room.
    pub(super) fn has_left(&self) -> bool {
        self.left
    }

    /// What was jotted down is in the log.
    pub(super) fn take_jotted(&mut self) -> Vec<Jotted> {
        self.ahead.clear();
        let jotted = self.slip.as_mut().map(Slip::carried_over).unwrap_or_default();
        self.say_what_is_pending();
        jotted
    }

    /// Whether somebody has to look after it from time to time.
    pub(super) fn is_in_use(&self) -> bool {
        self.left || self.slip.as_ref().is_some_and(Slip::is_in_use)
    }

    /// A session was removed: nobody waits for what was jotted of it.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.ahead.remove(session);
    }

    /// Nothing more is jotted down.
    pub(super) fn stop(&mut self) {
        self.bare = true;
    }

    /// Gives the slip back. What could not be carried over is left to whoever comes next.
    pub(super) fn clear(&mut self, connection: &mut Connection) {
        self.stop();
        if let Some(slip) = self.slip.take() {
            let _left = slip.end(connection);
        }
    }

    fn say_what_is_pending(&self) {
        self.pending.store(self.left || self.has_jotted(), Ordering::Release);
    }
}
