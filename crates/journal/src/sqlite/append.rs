//! One append: what is made before it waits for the writer.

use bytes::Bytes;
use rusqlite::params;
use tokio::sync::oneshot;

use super::{bodies, index, transaction::Transaction};
use crate::{
    error::AppendError,
    index::{Entry, Indexer},
    record::{
        Kind, Record, SessionId,
        blob::{self, ApartBody, Blob, Malformed},
    },
    store::Head,
};

/// A record of more bytes is written by the writer's thread.
const SMALL: usize = 64 * 1024;

/// More bytes are not jotted down.
const SHORT: usize = 4 * 1024;

/// A record on its way into the log, and who waits for it.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) ready: Ready,
    /// Whether it may be jotted down, and its session be claimed for that.
    pub(super) brief: bool,
    pub(super) reply: oneshot::Sender<Result<Head, AppendError>>,
}

/// A record for the log; everything that can be made before was made before.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) session: SessionId,
    pub(super) blob: Bytes,
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
    /// Whether it may be jotted down.
    pub(super) brief: bool,
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
        let Self { session, expected_n, record, brief } = self;
        let events = numbers(&record)?;
        let encoded = blob::encode(&session, expected_n + 1, &record);
        let ready = Ready {
            entries: indexer.entries(&session, &record),
            kinds: record.kinds(),
            at: record.at,
            blob: encoded.blob,
            apart: encoded.apart,
            session,
            expected_n,
            events,
        };
        Ok(Append { brief: brief && ready.is_brief(), ready, reply })
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
        self.ready.blob.len() <= SMALL && self.ready.apart.is_empty()
    }
}

impl Ready {
    /// One that was jotted down. Whoever jotted it made it; if it is none, there is nothing to be had from it.
    pub(super) fn jotted(session: SessionId, blob: Bytes) -> Option<Self> {
        let checked = Blob::check(blob.clone()).ok()?;
        let record = checked.record(&mut |_| Err(Malformed::Body)).ok()?;
        Some(Self {
            kinds: record.kinds(),
            at: record.at,
            expected_n: checked.n.checked_sub(1)?,
            events: numbers(&record).ok()?,
            session,
            blob,
            apart: Vec::new(),
            entries: Vec::new(),
        })
    }

    /// Nothing but its own bytes has to be written, and nobody looks for it by a mark.
    fn is_brief(&self) -> bool {
        let marks = 1 << Kind::FIRST_MARK;
        self.blob.len() <= SHORT && self.apart.is_empty() && self.entries.is_empty() && self.kinds < marks
    }

    /// The same again, of a brief one.
    pub(super) fn again(&self) -> Self {
        Self {
            session: self.session.clone(),
            blob: self.blob.clone(),
            apart: Vec::new(),
            entries: Vec::new(),
            ..*self
        }
    }

    /// Where its session stands after it, if it may come there.
    pub(super) fn head_after(&self, last: Head) -> Result<Head, AppendError> {
        if last.n != self.expected_n {
            return Err(AppendError::Conflict { last_n: last.n });
        }
        let Numbers { first, count } = self.events;
        if count > 0 && first != last.seq + 1 {
            return Err(AppendError::Gap { expected: last.seq + 1, found: first });
        }
        Ok(Head { n: last.n + 1, seq: last.seq + count })
    }

    /// Puts it into the log; its place there.
    pub(super) fn insert(
        &self,
        transaction: &Transaction<'_>,
        number: i64,
        head: Head,
    ) -> rusqlite::Result<u64> {
        let Self { kinds, at, blob, .. } = self;
        let id = transaction
            .prepare_cached(
                "INSERT INTO log (session, n, last_seq, kinds, at, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![number, head.n, head.seq, kinds, at, &blob[..]])?;
        bodies::store(transaction, number, &self.apart)?;
        index::apply(transaction, number, &self.entries)?;
        Ok(id.cast_unsigned())
    }
}
