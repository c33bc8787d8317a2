//! One append: what is made before it waits for the writer, and what the writer does with it.

use bytes::Bytes;
use rusqlite::params;
use tokio::sync::oneshot;

use super::{
    bodies,
    heads::{Heads, Place},
    index,
    transaction::Transaction,
};
use crate::{
    error::AppendError,
    index::{Entry, Indexer},
    record::{
        Record, SessionId,
        blob::{self, ApartBody},
    },
    store::Head,
};

/// A record of more bytes is written by the writer's thread.
const SMALL: usize = 64 * 1024;

/// A record on its way into the log; everything that can be made before was made before.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) session: SessionId,
    pub(super) blob: Bytes,
    pub(super) reply: oneshot::Sender<Result<Head, AppendError>>,
    pub(super) kinds: i64,
    expected_n: u64,
    events: Numbers,
    at: i64,
    apart: Vec<ApartBody>,
    entries: Vec<Entry>,
}

/// What somebody wants to append.
pub(super) struct Wanted {
    pub(super) session: SessionId,
    pub(super) expected_n: u64,
    pub(super) record: Record,
}

/// The numbers of a record's events: the first and how many.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    first: u64,
    count: u64,
}

impl Wanted {
    /// Serialises the record. That takes milliseconds if it has long bodies.
    pub(super) fn prepare(
        self,
        indexer: &Indexer,
        reply: oneshot::Sender<Result<Head, AppendError>>,
    ) -> Result<Append, AppendError> {
        let Self { session, expected_n, record } = self;
        let events = numbers(&record)?;
        let encoded = blob::encode(&session, expected_n + 1, &record);
        Ok(Append {
            entries: indexer.entries(&session, &record),
            kinds: record.kinds(),
            at: record.at,
            blob: encoded.blob,
            apart: encoded.apart,
            session,
            expected_n,
            events,
            reply,
        })
    }
}

/// The numbers of the events, which have to be dense.
fn numbers(record: &Record) -> Result<Numbers, AppendError> {
    let first = record.events.first().map_or(0, |event| event.seq);
    for (expected, event) in (first..).zip(&record.events) {
        if event.seq != expected {
            return Err(AppendError::Gap { expected, found: event.seq });
        }
    }
    Ok(Numbers { first, count: record.events.len() as u64 })
}

impl Append {
    /// Whether writing it takes no longer than any other commit.
    pub(super) fn is_small(&self) -> bool {
        self.blob.len() <= SMALL && self.apart.is_empty()
    }

    /// Where its session stands after it, if it may come there.
    fn head_after(&self, last: Head) -> Result<Head, AppendError> {
        if last.n != self.expected_n {
            return Err(AppendError::Conflict { last_n: last.n });
        }
        let Numbers { first, count } = self.events;
        if count > 0 && first != last.seq + 1 {
            return Err(AppendError::Gap { expected: last.seq + 1, found: first });
        }
        Ok(Head { n: last.n + 1, seq: last.seq + count })
    }
}

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
    heads: &'a Heads,
    moved: Heads,
}

impl<'a> Placing<'a> {
    pub(super) fn new(transaction: &'a Transaction<'a>, heads: &'a Heads) -> Self {
        Self { transaction, heads, moved: Heads::default() }
    }

    /// Puts a record into the log, or says why its owner may not.
    pub(super) fn place(&mut self, append: &Append) -> rusqlite::Result<Placed> {
        let found = match self.moved.known(&append.session) {
            Some(place) => Some(place),
            None => self.heads.find(self.transaction, &append.session)?,
        };
        let head = match append.head_after(found.map(|place| place.head).unwrap_or_default()) {
            Ok(head) => head,
            Err(refused) => return Ok(Err(refused)),
        };
        let number = match found {
            Some(place) => place.number,
            None => self.begin(&append.session)?,
        };
        let id = self.insert(number, head, append)?;
        let place = Place { number, head };
        self.moved.remember(&append.session, place);
        Ok(Ok(Appended { place, id }))
    }

    fn begin(&self, session: &SessionId) -> rusqlite::Result<i64> {
        self.transaction.prepare_cached("INSERT INTO sessions (name) VALUES (?1)")?.insert([session.as_str()])
    }

    fn insert(&self, number: i64, head: Head, append: &Append) -> rusqlite::Result<u64> {
        let Append { kinds, at, blob, .. } = append;
        let id = self
            .transaction
            .prepare_cached(
                "INSERT INTO log (session, n, last_seq, kinds, at, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![number, head.n, head.seq, kinds, at, &blob[..]])?;
        bodies::store(self.transaction, number, &append.apart)?;
        index::apply(self.transaction, number, &append.entries)?;
        Ok(id.cast_unsigned())
    }
}
