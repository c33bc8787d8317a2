//! What the writer does with records in a transaction: each comes to its place, or its owner is told why not.

use std::path::Path;

use rusqlite::params;

use super::{
    append::Ready,
    desk::{Claim, Desk},
    heads::{self, Heads, Place},
    slip::Jotted,
    transaction::Transaction,
};
use crate::{
    error::{AppendError, StoreError},
    record::SessionId,
};

/// Where a record came to lie, or why it did not.
pub(super) type Placed = Result<Appended, AppendError>;

/// Where a record lies: in its session, and in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Appended {
    pub(super) place: Place,
    pub(super) id: u64,
}

/// One transaction's appends; what it moved is known to nobody else before the commit.
pub(super) struct Placing<'a> {
    transaction: &'a Transaction<'a>,
    journal: &'a Path,
    heads: &'a Heads,
    moved: Heads,
    desk: &'a Desk,
    /// Whether what a dead program left was put into the log: perhaps of sessions that others here read.
    pub(super) took_over: bool,
}

impl<'a> Placing<'a> {
    pub(super) fn new(
        transaction: &'a Transaction<'a>,
        journal: &'a Path,
        heads: &'a Heads,
        desk: &'a Desk,
    ) -> Self {
        Self { transaction, journal, heads, moved: Heads::default(), desk, took_over: false }
    }

    /// Puts a record into the log that was jotted down; nothing if its session was removed, which somebody else may do.
    pub(super) fn carry_over(
        &mut self,
        Jotted { ready, place }: &Jotted,
    ) -> rusqlite::Result<Option<Appended>> {
        let found = self.find(&ready.session)?;
        let found = found.filter(|found| found.number == place.number && found.slip == place.slip);
        let follows = found.is_some_and(|found| ready.head_after(found.head) == Ok(place.head));
        if !follows {
            return Ok(None);
        }
        let id = ready.insert(self.transaction, place.number, place.head)?;
        self.moved.remember(&ready.session, *place);
        Ok(Some(Appended { place: *place, id }))
    }

    /// Puts a record into the log, or says why its owner may not. After a brief one its session is claimed for our slip, after
    /// any other it is free.
    pub(super) fn place(&mut self, ready: &Ready, brief: bool) -> rusqlite::Result<Placed> {
        let found = self.find(&ready.session)?;
        let found = match self.desk.settle(self.transaction, found.and_then(|place| place.slip))? {
            Claim::None => found,
            // Its program gives the session free.
            Claim::Held => return Ok(Err(StoreError::busy(self.journal).into())),
            Claim::TakenOver => {
                self.took_over = true;
                heads::place(self.transaction, &ready.session)?
            }
        };
        let head = match ready.head_after(found.map(|place| place.head).unwrap_or_default()) {
            Ok(head) => head,
            Err(refused) => return Ok(Err(refused)),
        };
        let (number, claimed) = match found {
            Some(place) => (place.number, place.slip),
            None => (self.begin(&ready.session)?, None),
        };
        let id = ready.insert(self.transaction, number, head)?;
        let slip = self.desk.slip().filter(|_| brief);
        if slip != claimed {
            self.claim(number, slip)?;
        }
        let place = Place { number, head, slip };
        self.moved.remember(&ready.session, place);
        Ok(Ok(Appended { place, id }))
    }

    fn find(&self, session: &SessionId) -> rusqlite::Result<Option<Place>> {
        match self.moved.known(session) {
            Some(place) => Ok(Some(place)),
            None => self.heads.find(self.transaction, session),
        }
    }

    fn begin(&self, session: &SessionId) -> rusqlite::Result<i64> {
        self.transaction.prepare_cached("INSERT INTO sessions (name) VALUES (?1)")?.insert([session.as_str()])
    }

    fn claim(&self, number: i64, slip: Option<i64>) -> rusqlite::Result<()> {
        let words = "UPDATE sessions SET slip = ?2 WHERE number = ?1";
        self.transaction.prepare_cached(words)?.execute(params![number, slip]).map(drop)
    }
}
