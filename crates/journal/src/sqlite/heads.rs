//! Where sessions stand: looked up once, then known, until another process has written.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{record::SessionId, store::Head};

/// So many are known at once: sessions nobody uses cost no memory.
const KNOWN: usize = 4096;

pub(super) const HEAD: &str = "SELECT n, last_seq FROM log WHERE session = ?1 ORDER BY n DESC LIMIT 1";

/// A session's number in the file and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) number: i64,
    pub(super) head: Head,
    /// The slip it is claimed for.
    pub(super) slip: Option<i64>,
}

/// What the writer knows of sessions without asking the file.
#[derive(Debug, Default)]
pub(super) struct Heads {
    known: HashMap<SessionId, Place>,
}

impl Heads {
    /// Where a session stands; nothing if there is none.
    pub(super) fn find(
        &self,
        connection: &Connection,
        session: &SessionId,
    ) -> rusqlite::Result<Option<Place>> {
        match self.known(session) {
            Some(place) => Ok(Some(place)),
            None => place(connection, session),
        }
    }

    /// What is known without asking.
    pub(super) fn known(&self, session: &SessionId) -> Option<Place> {
        self.known.get(session).copied()
    }

    /// After a commit.
    pub(super) fn remember(&mut self, session: &SessionId, place: Place) {
        if let Some(known) = self.known.get_mut(session) {
            *known = place;
            return;
        }
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(session.clone(), place);
    }

    pub(super) fn forget(&mut self, session: &SessionId) {
        self.known.remove(session);
    }

    pub(super) fn forget_all(&mut self) {
        self.known.clear();
    }
}

/// A session's number.
pub(super) fn number(connection: &Connection, session: &SessionId) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT number FROM sessions WHERE name = ?1 AND removed = 0")?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()
}

/// A session's number and where it stands, from the file.
pub(super) fn place(connection: &Connection, session: &SessionId) -> rusqlite::Result<Option<Place>> {
    let found = connection
        .prepare_cached("SELECT number, slip FROM sessions WHERE name = ?1 AND removed = 0")?
        .query_row([session.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((number, slip)) = found else { return Ok(None) };
    Ok(Some(Place { number, head: head_of(connection, number)?, slip }))
}

/// The name of a session of that number and where it stands, from the file.
pub(super) fn named(connection: &Connection, number: i64) -> rusqlite::Result<Option<(SessionId, Place)>> {
    let found = connection
        .prepare_cached("SELECT name, slip FROM sessions WHERE number = ?1 AND removed = 0")?
        .query_row([number], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))
        .optional()?;
    let Some((name, slip)) = found else { return Ok(None) };
    Ok(Some((name.into(), Place { number, head: head_of(connection, number)?, slip })))
}

fn head_of(connection: &Connection, number: i64) -> rusqlite::Result<Head> {
    let head = connection
        .prepare_cached(HEAD)?
        .query_row(params![number], |row| Ok(Head { n: row.get(0)?, seq: row.get(1)? }))
        .optional()?;
    Ok(head.unwrap_or_default())
}
