//! What a store of records has to do; SQLite here, others must pass the same [`conformance`](crate::conformance).
//!
//! Nothing here spans two sessions in one step, so a log with one message per record can stand behind it too.

use std::{path::Path, sync::Arc};

use bytes::Bytes;

use crate::{
    cursor::{Cursor, Limit, Page, Reader},
    error::{AppendError, StoreError},
    feed::{Feed, FeedCursor, FeedPage, Pulse},
    index::Found,
    record::{Kind, Record, SessionId, StoredRecord},
    tail::Live,
};

/// Where a session stands. One that does not exist stands at zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head {
    /// Its last record.
    pub n: u64,
    /// Its last event.
    pub seq: u64,
}

/// One session of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// Which session.
    pub id: SessionId,
    /// Where it stands.
    pub head: Head,
    /// When its last record was made.
    pub at: i64,
}

/// How a store ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Everything that was asked was done.
    Done,
    /// Somebody else closed it before.
    Before,
    /// A thread of it panicked; what was committed is there.
    Broken {
        /// Which one.
        thread: &'static str,
    },
}

/// What keeps records. A clone is another handle to the same store.
pub trait Store: Clone + Send + Sync + 'static {
    /// Appends a record after the record `expected_n`, and answers when it is durable and readers can have it.
    ///
    /// When the future is dropped the outcome is unknown: ask [`Store::head`].
    fn append(
        &self,
        session: &SessionId,
        expected_n: u64,
        record: Record,
    ) -> impl Future<Output = Result<Head, AppendError>> + Send;

    /// The same for a short record of a session that nobody else appends to: as durable and as soon shown here, but with less work. Other
    /// processes may see it a twentieth of a second later, and cannot append to that session until a record of it was appended
    /// as usual, or this one has ended.
    fn jot(
        &self,
        session: &SessionId,
        expected_n: u64,
        record: Record,
    ) -> impl Future<Output = Result<Head, AppendError>> + Send {
        self.append(session, expected_n, record)
    }

    /// Where a session stands.
    fn head(&self, session: &SessionId) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Records after the record `after_n`, for the session's owner.
    fn records(
        &self,
        session: &SessionId,
        after_n: u64,
        limit: Limit,
    ) -> impl Future<Output = Result<Vec<StoredRecord>, StoreError>> + Send;

    /// Events after a cursor, from what is stored; empty at the end. [`Store::reader`] is what waits.
    fn events(
        &self,
        session: &SessionId,
        after: Cursor,
        limit: Limit,
    ) -> impl Future<Output = Result<Page, StoreError>> + Send;

    /// The newest record that has a fact of a kind: where an owner starts to read after a crash.
    fn newest(
        &self,
        session: &SessionId,
        kind: Kind,
    ) -> impl Future<Output = Result<Option<StoredRecord>, StoreError>> + Send;

    /// The newest record that has a fact of a kind and the records after it, as of one moment; from the first record if
    /// there is none. What an owner reads to begin.
    fn since(
        &self,
        session: &SessionId,
        kind: Kind,
        limit: Limit,
    ) -> impl Future<Output = Result<Vec<StoredRecord>, StoreError>> + Send;

    /// What readers at the tip share. While somebody holds it, the newest records stay in memory.
    fn live(&self, session: &SessionId) -> impl Future<Output = Result<Arc<Live>, StoreError>> + Send;

    /// A reader of the events after `after_seq`. Ahead of the newest event is an error.
    fn reader(
        &self,
        session: &SessionId,
        after_seq: u64,
    ) -> impl Future<Output = Result<Reader<Self>, StoreError>> + Send {
        async move { Reader::open(self.clone(), session, after_seq).await }
    }

    /// Records of all sessions in the order of their commits, after a place; only those with a fact of a kind, if one is
    /// given ([`Kind::FIRST_MARK`] says which are cheap). Empty at the end. [`Store::feed`] is what waits.
    fn log(
        &self,
        after: FeedCursor,
        only: Option<Kind>,
        limit: Limit,
    ) -> impl Future<Output = Result<FeedPage, StoreError>> + Send;

    /// The place of the newest record of all sessions: a feed from here on misses nothing that is committed after.
    fn tip(&self) -> impl Future<Output = Result<FeedCursor, StoreError>> + Send;

    /// What feeds of one kind share at the tip.
    fn pulse(&self, only: Option<Kind>) -> Arc<Pulse>;

    /// A reader of the records of all sessions, as in [`Store::log`]. A place ahead of the newest is an error.
    fn feed(
        &self,
        after: FeedCursor,
        only: Option<Kind>,
    ) -> impl Future<Output = Result<Feed<Self>, StoreError>> + Send {
        async move { Feed::open(self.clone(), after, only).await }
    }

    /// Sessions in the order of their names, after one of them.
    fn sessions(
        &self,
        after: Option<&SessionId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<SessionInfo>, StoreError>> + Send;

    /// The entries of a table with exactly this key, one per session that has it.
    fn look_up(
        &self,
        table: &'static str,
        key: &str,
    ) -> impl Future<Output = Result<Vec<Found>, StoreError>> + Send;

    /// The entries of a table with any of these keys, in the order in which they are named: one question for many.
    fn look_up_all(
        &self,
        table: &'static str,
        keys: Vec<String>,
    ) -> impl Future<Output = Result<Vec<Found>, StoreError>> + Send;

    /// The entries of a table in the order of their keys, after a key.
    fn list(
        &self,
        table: &'static str,
        after: Option<&str>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Found>, StoreError>> + Send;

    /// How many entries of a table say the same, by what they say: one question, however many sessions there are.
    fn counts(
        &self,
        table: &'static str,
    ) -> impl Future<Output = Result<Vec<(Bytes, u64)>, StoreError>> + Send;

    /// Throws the index away and makes it again from the records; how many records it read.
    fn rebuild_index(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Removes a session with everything only it uses; whether there was one.
    fn remove(&self, session: &SessionId) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Removes the sessions whose last record is older than `before`, but those that `keep` names.
    fn prune(
        &self,
        before: i64,
        keep: impl Fn(&SessionInfo) -> bool + Send + Sync,
    ) -> impl Future<Output = Result<Vec<SessionId>, StoreError>> + Send;

    /// Writes everything, as of one moment, into a new file that [`Store`]s of this kind can open.
    fn backup(&self, file: &Path) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Does what waits, then ends. Later calls and waiting readers get [`StoreError::Closed`].
    fn close(&self) -> impl Future<Output = Ended> + Send;
}
