//! Each record: its checksum, its place in its session, and what the index says of it.

use bytes::Bytes;
use rusqlite::{Connection, Row};

use super::{Damage, Progress, Report, Stage};
use crate::{
    record::{
        Record, SessionId,
        blob::{Blob, Malformed},
    },
    sqlite::{bodies, explain::Trouble},
    store::Head,
};

/// By the index, which has everything but the records: one that cannot be read does not hide the others.
const PLACES: &str = "SELECT id, session, n, last_seq, kinds, name
    FROM log INDEXED BY by_session LEFT JOIN sessions ON number = session
    WHERE coalesce(removed, 0) = 0 ORDER BY session, n";

/// How often to tell.
const EVERY: u64 = 10_000;

/// What the index says of a record.
struct Entry {
    id: i64,
    number: i64,
    head: Head,
    kinds: i64,
    name: Option<String>,
}

impl Entry {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let head = Head { n: row.get(2)?, seq: row.get(3)? };
        Ok(Self { id: row.get(0)?, number: row.get(1)?, head, kinds: row.get(4)?, name: row.get(5)? })
    }
}

/// Checks all of them; what stops it is damage too.
pub(super) fn check(connection: &Connection, report: &mut Report, progress: &mut dyn FnMut(Progress)) {
    let of = connection.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap_or(0);
    let mut checking = Checking { connection, report, session: 0, before: Head::default() };
    let checked = checking.all(&mut |done| progress(Progress { stage: Stage::Records, done, of }));
    if let Err(error) = checked {
        checking.report.add_to_file(format!("the records cannot be listed to their end: {error}"));
    }
}

struct Checking<'a> {
    connection: &'a Connection,
    report: &'a mut Report,
    /// The session of the last record, by its number.
    session: i64,
    /// Where that session stood after it.
    before: Head,
}

impl Checking<'_> {
    fn all(&mut self, progress: &mut dyn FnMut(u64)) -> rusqlite::Result<()> {
        let connection = self.connection;
        let mut statement = connection.prepare(PLACES)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            self.one(&Entry::of(row)?);
            if self.report.records.is_multiple_of(EVERY) {
                progress(self.report.records);
            }
        }
        progress(self.report.records);
        Ok(())
    }

    fn one(&mut self, entry: &Entry) {
        if self.session != entry.number {
            (self.session, self.before) = (entry.number, Head::default());
            self.report.sessions += 1;
            if entry.name.is_none() {
                self.damaged(entry, "its session has no name (making the index again gives it one)");
            }
        }
        self.report.records += 1;
        if entry.head.n != self.before.n + 1 {
            let missing = format!("the records before it, from {} on, are missing", self.before.n + 1);
            self.damaged(entry, &missing);
        }
        if let Err(trouble) = self.read(entry) {
            self.damaged(entry, &trouble.to_string());
        }
        self.before = entry.head;
    }

    /// Reads a record and compares it with what the index says.
    fn read(&mut self, entry: &Entry) -> Result<(), Trouble> {
        let mut statement = self.connection.prepare_cached("SELECT at, record FROM log WHERE id = ?1")?;
        let (at, bytes): (i64, Vec<u8>) =
            statement.query_row([entry.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let blob = Blob::check(Bytes::from(bytes))?;
        let record = blob.record(&mut |hash| bodies::load(self.connection, hash))?;
        let named = blob.name().is_none_or(|name| entry.name.as_ref().is_none_or(|known| known == name));
        if blob.n != entry.head.n || record.at != at || record.kinds() != entry.kinds || !named {
            return Err(Malformed::Place.into());
        }
        self.check_events(entry, &record);
        Ok(())
    }

    fn check_events(&mut self, entry: &Entry, record: &Record) {
        let next = self.before.seq + 1;
        let first = record.events.first().map_or(next, |event| event.seq);
        let last = record.events.last().map_or(self.before.seq, |event| event.seq);
        // After a gap in the records nobody knows which event comes next.
        if (first != next && entry.head.n == self.before.n + 1) || last != entry.head.seq {
            self.damaged(entry, &format!("its events are numbered from {first}, and {next} would be next"));
        }
    }

    fn damaged(&mut self, entry: &Entry, what: &str) {
        let session = match &entry.name {
            Some(name) => SessionId::from(name.as_str()),
            None => SessionId::from(format!("(number {})", entry.number)),
        };
        self.report.add(Damage { session: Some(session), n: Some(entry.head.n), what: what.to_owned() });
    }
}
