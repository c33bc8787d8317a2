//! The newest records of each live session, in memory, and the number that wakes its readers.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use tokio::sync::watch;

use crate::{
    cursor::{Cursor, Limit, Page},
    record::{
        SessionId,
        blob::{Blob, Malformed},
    },
    store::Head,
};

/// Bytes of serialised records kept per live session.
const TAIL_BYTES: usize = 256 * 1024;
/// What a record costs beyond its bytes, about.
const RECORD_OVERHEAD: usize = 128;

/// How a session stands, for who waits for more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newest {
    /// Nobody has looked yet.
    Unknown,
    /// Its last record and event.
    At(Head),
    /// It was removed.
    Removed,
    /// The store was closed.
    Closed,
}

/// What the readers and the owner of one session share while at least one of them is there.
#[derive(Debug)]
pub struct Live {
    session: SessionId,
    tail: Mutex<Tail>,
    newest: watch::Sender<Newest>,
    lives: Weak<Lives>,
}

#[derive(Debug, Default)]
struct Tail {
    /// Records without a gap, oldest first.
    records: VecDeque<Kept>,
    bytes: usize,
    head: Head,
}

/// A record of the tail, and the session's last event when it was appended.
#[derive(Debug, Clone)]
struct Kept {
    blob: Blob,
    last_seq: u64,
}

impl Live {
    /// Which session.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Where the session stands, as far as this process knows.
    #[must_use]
    pub fn head(&self) -> Head {
        lock(&self.tail).head
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Newest> {
        self.newest.subscribe()
    }

    pub(crate) fn is_known(&self) -> bool {
        *self.newest.borrow() != Newest::Unknown
    }

    /// A record was committed: it is kept, and readers are told.
    pub(crate) fn committed(&self, blob: Blob, head: Head) {
        lock(&self.tail).push(blob, head);
        self.raise(head);
    }

    /// Where the session stands was looked up. It may be older than what is known already.
    pub(crate) fn learned(&self, head: Head) {
        lock(&self.tail).learn(head);
        self.raise(head);
    }

    fn raise(&self, head: Head) {
        self.newest.send_if_modified(|newest| {
            let newer = match newest {
                Newest::Unknown | Newest::Removed => true,
                Newest::At(known) => head.n > known.n,
                Newest::Closed => false,
            };
            if newer {
                *newest = Newest::At(head);
            }
            newer
        });
    }

    /// It was removed, or nothing will be appended any more.
    pub(crate) fn ended(&self, how: Newest) {
        *lock(&self.tail) = Tail::default();
        self.newest.send_replace(how);
    }

    /// Events after a cursor, if the tail reaches back that far.
    pub(crate) fn page(&self, after: Cursor, limit: Limit) -> Option<Page> {
        // Only pointers are copied under the lock.
        let records = lock(&self.tail).records_after(after.seq, limit.events)?;
        let mut page = Page::after(after);
        for kept in records {
            let added = page.add(&kept.blob, limit, &mut |_| Err(Malformed::Body));
            if !added.ok()? {
                break;
            }
        }
        if page.events.is_empty() { None } else { Some(page) }
    }
}

impl Kept {
    fn cost(&self) -> usize {
        self.blob.bytes().len() + RECORD_OVERHEAD
    }

    /// The session's last event before this record.
    fn seq_before(&self) -> u64 {
        self.last_seq - self.blob.event_count()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(lives) = self.lives.upgrade() {
            lives.forget(&self.session);
        }
    }
}

impl Tail {
    fn push(&mut self, blob: Blob, head: Head) {
        if head.n <= self.head.n {
            return;
        }
        if blob.n != self.head.n + 1 {
            self.clear();
        }
        self.head = head;
        let kept = Kept { blob, last_seq: head.seq };
        self.bytes += kept.cost();
        self.records.push_back(kept);
        while self.bytes > TAIL_BYTES {
            let Some(oldest) = self.records.pop_front() else { break };
            self.bytes -= oldest.cost();
        }
    }

    /// The records with events after `seq`, up to one whose bodies lie apart; nothing if older ones are missing here.
    fn records_after(&self, seq: u64, limit: usize) -> Option<Vec<Kept>> {
        if self.records.front()?.seq_before() > seq {
            return None;
        }
        let first = self.records.partition_point(|kept| kept.last_seq <= seq);
        let here = self.records.range(first..).take(limit).take_while(|kept| !kept.blob.has_apart());
        Some(here.cloned().collect())
    }

    /// Somebody else may have appended: what is kept would have a gap.
    fn learn(&mut self, head: Head) {
        if head.n > self.head.n {
            self.clear();
            self.head = head;
        }
    }

    fn clear(&mut self) {
        self.records.clear();
        self.bytes = 0;
    }
}

/// The live sessions of a store, by name. A session nobody holds is not here.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    sessions: Mutex<HashMap<SessionId, Weak<Live>>>,
}

impl Lives {
    /// The live session of that name, made if nobody holds it.
    pub(crate) fn hold(self: &Arc<Self>, session: &SessionId) -> Arc<Live> {
        let mut sessions = lock(&self.sessions);
        if let Some(live) = sessions.get(session).and_then(Weak::upgrade) {
            return live;
        }
        let live = Arc::new(Live {
            session: session.clone(),
            tail: Mutex::default(),
            newest: watch::Sender::new(Newest::Unknown),
            lives: Arc::downgrade(self),
        });
        sessions.insert(session.clone(), Arc::downgrade(&live));
        live
    }

    /// The live session of that name, if somebody holds it.
    pub(crate) fn get(&self, session: &SessionId) -> Option<Arc<Live>> {
        lock(&self.sessions).get(session).and_then(Weak::upgrade)
    }

    /// All that somebody holds.
    pub(crate) fn all(&self) -> Vec<Arc<Live>> {
        lock(&self.sessions).values().filter_map(Weak::upgrade).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.sessions).is_empty()
    }

    /// The last holder has gone, unless somebody came meanwhile.
    fn forget(&self, session: &SessionId) {
        let mut sessions = lock(&self.sessions);
        if sessions.get(session).is_some_and(|live| live.strong_count() == 0) {
            sessions.remove(session);
        }
    }
}

/// A panic elsewhere leaves these tables whole: each change is one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
