//! How a session lies in the journal: its events as they are shown, its facts by kind, and the index made from them.

mod settings;

use std::fmt;

use bytes::Bytes;
use selvedge_journal::{Entry, Indexer, Kind, Record, SessionId as Key, StoredRecord};
use selvedge_session::{Event, Fact, Session, SessionId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{error::Error, standing};

/// A fact of the machine's.
pub(crate) const FACT: Kind = kind(0);
/// The whole session, so that a start needs only what came after.
pub(crate) const SNAPSHOT: Kind = kind(1);
/// Who owns the session.
pub(crate) const LEASE: Kind = kind(2);
/// What is asked across sessions.
pub(crate) const INDEX: Kind = kind(3);
/// What is about to be said to Codex, and as which request.
pub(crate) const INTENT: Kind = kind(4);
/// How far the session has heard an app-server that outlives its program.
pub(crate) const SOURCE: Kind = kind(5);
/// What a dashboard shows changed: a mark, so that it is found without reading anything else.
pub(crate) const NOTABLE: Kind = kind(48);

/// A snapshot of this size is kept at every message's end.
const SMALL_SNAPSHOT: usize = 32 * 1024;

#[expect(clippy::panic, reason = "it is evaluated when this is compiled")]
const fn kind(number: u8) -> Kind {
    match Kind::new(number) {
        Some(kind) => kind,
        // There are 63, and we use seven.
        None => panic!("no such kind"),
    }
}

/// The tables of the index.
pub(crate) mod table {
    /// Every session, with its summary.
    pub(crate) const SESSIONS: &str = "sessions";
    /// Sessions with a turn, a queue or an errand: what a start looks after.
    pub(crate) const OPEN: &str = "open";
    /// What sessions used, by day and model.
    pub(crate) const USAGE: &str = "usage";

    /// The table that is called like this.
    pub(super) fn named(name: &str) -> Option<&'static str> {
        ALL.into_iter().chain([USAGE]).find(|known| *known == name)
    }

    /// Approvals that wait.
    pub(crate) const APPROVALS: &str = "approvals";
    /// Tool calls that wait.
    pub(crate) const TOOL_CALLS: &str = "tool_calls";
    /// Messages, with the number of the event that accepted them.
    pub(crate) const ACCEPTED: &str = "accepted";
    /// Messages that have ended, with the number of the event that says how.
    pub(crate) const FINISHED: &str = "finished";
    /// Messages that say something else than when they were accepted, with the number of the event that says what.
    pub(crate) const REWORDED: &str = "reworded";
    /// Idempotency keys, with what they gave.
    pub(crate) const KEYS: &str = "keys";

    /// Answers that were given under a key.
    pub(crate) const ANSWERS: &str = "answers";
    /// What surfaces wrote down about sessions.
    pub(crate) const NOTES: &str = "notes";
    /// Messages by session, in the order in which they were accepted; made from `ACCEPTED`.
    pub(crate) const MESSAGES: &str = "messages";
    /// Sessions, with what of their summaries is counted; made from `SESSIONS`.
    pub(crate) const STANDING: &str = "standing";
    /// Sessions, with what they work with; made from the events that say it.
    pub(crate) const SETTINGS: &str = "settings";
    /// Approvals and tool calls that no longer wait; made from those that did.
    pub(crate) const SETTLED: &str = "settled";

    /// Each by its name: names in records become these again.
    pub(super) const ALL: [&str; 10] =
        [SESSIONS, OPEN, APPROVALS, TOOL_CALLS, ACCEPTED, FINISHED, REWORDED, KEYS, ANSWERS, NOTES];
}

/// One line for the index, kept in the record it is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct IndexLine {
    #[serde(rename = "t")]
    pub(crate) table: String,
    #[serde(rename = "k")]
    pub(crate) key: String,
    #[serde(rename = "v")]
    pub(crate) value: Option<serde_json::Value>,
}

/// Makes the index of a journal from the lines its records carry, and from what sessions say they work with.
pub(crate) fn indexer() -> Indexer {
    Indexer::new(4, |session, record| {
        let lines = record.facts.iter().filter(|fact| fact.kind == INDEX);
        let mut entries: Vec<Entry> = lines.flat_map(|fact| entries(session, &fact.body)).collect();
        // Whatever changes settings is notable, and has a line too: the many records without one are not searched.
        if !entries.is_empty() {
            entries.extend(settings::said(session, record));
        }
        entries
    })
}

fn entries(session: &Key, body: &[u8]) -> Vec<Entry> {
    // A line that cannot be read is not of this version; the record itself stays whole.
    let lines: Vec<IndexLine> = serde_json::from_slice(body).unwrap_or_default();
    let known = |line: IndexLine| {
        let table = table::named(&line.table)?;
        let value = line.value.map(|value| Bytes::from(value.to_string()));
        Some(Entry { table, key: line.key, value })
    };
    let followed = |line: IndexLine| [follows(session, &line), known(line)].into_iter().flatten();
    lines.into_iter().flat_map(followed).collect()
}

/// What is also looked up by something that a line says.
fn follows(session: &Key, line: &IndexLine) -> Option<Entry> {
    match (line.table.as_str(), &line.value) {
        (table::ACCEPTED, Some(place)) => {
            let key = format!("{session}/{}", line.key);
            Some(Entry { table: table::MESSAGES, key, value: Some(Bytes::from(place.to_string())) })
        }
        (table::SESSIONS, summary) => Some(Entry {
            table: table::STANDING,
            key: line.key.clone(),
            value: summary.as_ref().map(standing::said),
        }),
        (table::APPROVALS | table::TOOL_CALLS, None) => Some(Entry {
            table: table::SETTLED,
            key: line.key.clone(),
            value: Some(Bytes::from_static(b"{}")),
        }),
        _ => None,
    }
}

/// The session's name in the journal.
pub(crate) fn key(id: SessionId) -> Key {
    Key::from(id.to_string())
}

/// One record under way: what a step of a session came to.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    record: Record,
    index: Vec<IndexLine>,
    notable: bool,
    /// Something in it wants the whole session kept.
    pub(crate) snapshot: bool,
}

impl Draft {
    pub(crate) fn is_empty(&self) -> bool {
        self.record.events.is_empty() && self.record.facts.is_empty() && self.index.is_empty()
    }

    /// Adds what the machine said.
    pub(crate) fn add(&mut self, events: &[Event], facts: Vec<(usize, Fact)>) -> Result<(), Error> {
        let before = self.record.events.len();
        for event in events {
            self.record.events.push(selvedge_journal::Event { seq: event.seq, body: written(event)? });
        }
        for (place, fact) in facts {
            self.put(FACT, &(before + place, fact))?;
        }
        Ok(())
    }

    /// Adds a fact of ours.
    pub(crate) fn put(&mut self, kind: Kind, body: &impl Serialize) -> Result<(), Error> {
        self.record.facts.push(selvedge_journal::Fact { kind, body: written(body)? });
        Ok(())
    }

    /// Adds a line to the index; without a value it is gone.
    pub(crate) fn index(&mut self, table: &str, key: impl fmt::Display, value: Option<serde_json::Value>) {
        self.index.push(IndexLine { table: table.to_owned(), key: key.to_string(), value });
    }

    /// A dashboard wants to know of this.
    pub(crate) fn notable(&mut self) {
        self.notable = true;
    }

    pub(crate) fn is_notable(&self) -> bool {
        self.notable
    }

    /// Whether whoever reads the session later may begin with this record.
    pub(crate) fn may_be_first(&self) -> bool {
        self.notable || self.snapshot
    }

    /// The record, to be appended.
    /// `unkept` counts bytes since the last snapshot.
    pub(crate) fn finish(
        mut self,
        session: &Session,
        at: Timestamp,
        unkept: &mut usize,
    ) -> Result<Record, Error> {
        let index = std::mem::take(&mut self.index);
        if !index.is_empty() {
            self.put(INDEX, &index)?;
        }
        if self.snapshot {
            self.keep(session, unkept)?;
        }
        if self.notable {
            self.record.facts.push(selvedge_journal::Fact { kind: NOTABLE, body: Bytes::new() });
        }
        self.record.at = at.0;
        *unkept += self.record.events.iter().map(|event| event.body.len()).sum::<usize>();
        Ok(self.record)
    }

    /// Keeps the whole session, if that is not much or much has happened: snapshots never outgrow what they sum up.
    fn keep(&mut self, session: &Session, unkept: &mut usize) -> Result<(), Error> {
        let body = written(session)?;
        if body.len() <= SMALL_SNAPSHOT.max(*unkept) {
            *unkept = 0;
            self.record.facts.push(selvedge_journal::Fact { kind: SNAPSHOT, body });
        }
        Ok(())
    }
}

fn written(value: &impl Serialize) -> Result<Bytes, Error> {
    let bytes = serde_json::to_vec(value);
    bytes.map(Bytes::from).map_err(|error| unreadable("cannot be written", &error))
}

/// Whether a record only says more of what a turn says anyway: nobody but the session's owner has to know of it at once.
pub(crate) fn is_brief(record: &Record) -> bool {
    record.facts.iter().all(|fact| fact.kind == SOURCE)
}

/// The session as of a record that has a snapshot.
pub(crate) fn snapshot_of(record: &StoredRecord) -> Result<Option<Session>, Error> {
    let Some(fact) = record.record.facts.iter().rfind(|fact| fact.kind == SNAPSHOT) else { return Ok(None) };
    serde_json::from_slice(&fact.body)
        .map(Some)
        .map_err(|error| unreadable("has no readable snapshot", &error))
}

/// Who the record says owns the session from then on.
pub(crate) fn lease_of(record: &StoredRecord) -> Option<Option<String>> {
    let fact = record.record.facts.iter().rfind(|fact| fact.kind == LEASE)?;
    serde_json::from_slice(&fact.body).ok()
}

/// Tells a session what one of its records says.
pub(crate) fn replay(session: &mut Session, record: &StoredRecord) -> Result<(), Error> {
    let Record { at, events, facts } = &record.record;
    let events = events.iter().map(|event| serde_json::from_slice::<Event>(&event.body));
    let events = events
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| unreadable("has an unreadable event", &error))?;
    let facts = facts.iter().filter(|fact| fact.kind == FACT).map(|fact| serde_json::from_slice(&fact.body));
    let facts = facts
        .collect::<Result<Vec<(usize, Fact)>, _>>()
        .map_err(|error| unreadable("has an unreadable fact", &error))?;
    session.replay(&events, &facts, Timestamp(*at));
    Ok(())
}

fn unreadable(what: &str, error: &serde_json::Error) -> Error {
    Error::coded(selvedge_session::Code::Internal, format!("a record {what}: {error}"))
}
