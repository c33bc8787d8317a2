//! How far a session has heard an app-server that outlives its program: kept with what was heard, in the same record.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_journal::StoredRecord;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    error::Error,
    fleet::Told,
    ledger::{Draft, SOURCE},
};

/// The app-server, and up to which byte of its output each thread of the session's was heard. The lines of one thread come
/// in their order, those of two threads may not: so each has a place of its own. What concerns the whole app-server
/// has the empty name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    process: Uuid,
    heard: BTreeMap<String, u64>,
    /// What of it is not written down yet.
    new: BTreeSet<String>,
}

/// As it lies in the journal: the whole, or what changed.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    process: Uuid,
    heard: BTreeMap<String, u64>,
}

impl Source {
    /// At this app-server, which may be the one we were at.
    pub(super) fn go_on(before: Option<Self>, process: Uuid) -> Self {
        let same = before.filter(|before| before.process == process);
        same.unwrap_or_else(|| Self { process, heard: BTreeMap::new(), new: BTreeSet::new() })
    }

    pub(super) fn process(&self) -> Uuid {
        self.process
    }

    /// How far each thread was heard.
    pub(super) fn heard(&self) -> &BTreeMap<String, u64> {
        &self.heard
    }

    pub(super) fn hear(&mut self, told: &Told) {
        let thread = told.of();
        match self.heard.get_mut(thread) {
            Some(heard) => *heard = told.offset.max(*heard),
            None => _ = self.heard.insert(thread.to_owned(), told.offset),
        }
        if !self.new.contains(thread) {
            self.new.insert(thread.to_owned());
        }
    }

    /// Puts what is new into the record; all of it, if somebody may begin to read there.
    pub(super) fn put(&mut self, draft: &mut Draft) -> Result<(), Error> {
        let new = std::mem::take(&mut self.new);
        let mut heard = self.heard.clone();
        if !draft.may_be_first() {
            if new.is_empty() {
                return Ok(());
            }
            heard.retain(|thread, _| new.contains(thread));
        }
        draft.put(SOURCE, &Written { process: self.process, heard })
    }

    /// What a record adds to what is known.
    pub(super) fn read_on(known: &mut Option<Self>, record: &StoredRecord) {
        let Some(written) = written_in(record) else { return };
        let mut source = Self::go_on(known.take(), written.process);
        source.heard.extend(written.heard);
        *known = Some(source);
    }
}

/// The app-server that a record names.
pub(crate) fn process_in(record: &StoredRecord) -> Option<Uuid> {
    written_in(record).map(|written| written.process)
}

fn written_in(record: &StoredRecord) -> Option<Written> {
    let fact = record.record.facts.iter().rfind(|fact| fact.kind == SOURCE)?;
    serde_json::from_slice(&fact.body).ok()
}

#[cfg(test)]
mod tests {
    use selvedge_journal::{Fact, Record};
    use selvedge_session::Heard;

    use super::*;

    fn told(process: Uuid, thread: &str, offset: u64) -> Told {
        Told { process, offset, thread: Some(thread.to_owned()), heard: Heard::Idle }
    }

    fn kept(n: u64, written: &Written) -> StoredRecord {
        let body = serde_json::to_vec(written).unwrap().into();
        StoredRecord { n, record: Record { facts: vec![Fact { kind: SOURCE, body }], ..Record::default() } }
    }

    #[test]
    fn each_thread_has_its_own_place_and_none_goes_back() {
        let process = Uuid::from_u128(1);
        let mut source = Source::go_on(None, process);
        for (thread, offset) in [("a", 10), ("b", 30), ("a", 20), ("b", 25)] {
            source.hear(&told(process, thread, offset));
        }
        assert_eq!(source.heard(), &BTreeMap::from([("a".to_owned(), 20), ("b".to_owned(), 30)]));
        assert_eq!(Source::go_on(Some(source.clone()), process), source);
        assert!(Source::go_on(Some(source), Uuid::from_u128(2)).heard().is_empty(), "another output");
    }

    #[test]
    fn what_records_say_adds_up() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut known = None;
        let records = [(one, "a", 5), (one, "b", 7), (one, "a", 9), (other, "a", 1)];
        for (n, (process, thread, offset)) in (1..).zip(records) {
            let heard = BTreeMap::from([(thread.to_owned(), offset)]);
            Source::read_on(&mut known, &kept(n, &Written { process, heard }));
            if n == 3 {
                let expected = BTreeMap::from([("a".to_owned(), 9), ("b".to_owned(), 7)]);
                assert_eq!(known.as_ref().unwrap().heard(), &expected);
            }
        }
        assert_eq!(known.unwrap().process(), other);
    }
}
