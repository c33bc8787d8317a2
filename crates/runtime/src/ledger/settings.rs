//! What sessions work with, so that a list can show it: their newest `session.created` or `session.updated` says all of it.

use bytes::Bytes;
use selvedge_journal::{Entry, Record, SessionId as Key};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::table;
use crate::events;

/// The events whose data is the whole of a session's settings.
const SAY_ALL: [&str; 2] = ["session.created", "session.updated"];

/// What a session works with from a record on, if the record says so.
pub(super) fn said(session: &Key, record: &Record) -> Option<Entry> {
    let saying = record.events.iter().rfind(|event| SAY_ALL.contains(&&*events::name_of(&event.body)))?;
    let value = Some(data_of(&saying.body)?);
    Some(Entry { table: table::SETTINGS, key: session.to_string(), value })
}

fn data_of(event: &Bytes) -> Option<Bytes> {
    #[derive(Deserialize)]
    struct Said<'e> {
        #[serde(borrow)]
        data: &'e RawValue,
    }
    let said: Said<'_> = serde_json::from_slice(event).ok()?;
    Some(event.slice_ref(said.data.get().as_bytes()))
}

#[cfg(test)]
mod tests {
    use selvedge_session::{Session, SessionId, Settings, Timestamp};
    use uuid::Uuid;

    use super::*;
    use crate::ledger::Draft;

    #[test]
    fn the_newest_word_of_a_record_counts_and_others_say_nothing() {
        let id = SessionId(Uuid::now_v7());
        let record = |names: &[&str]| {
            let mut draft = Draft::default();
            for name in names {
                let settings =
                    Settings { cwd: "/work".into(), name: Some((*name).into()), ..Settings::default() };
                let made = Session::new(id).create(settings, Timestamp(1));
                draft.add(&made.events, Vec::new()).unwrap();
            }
            draft.index(table::OPEN, id, Some(true.into()));
            draft.finish(&Session::new(id), Timestamp(1), &mut 0).unwrap()
        };
        let key = crate::ledger::key(id);
        let entry = said(&key, &record(&["first", "second"])).unwrap();
        assert_eq!((entry.table, entry.key), (table::SETTINGS, id.to_string()));
        let settings: Settings = serde_json::from_slice(&entry.value.unwrap()).unwrap();
        assert_eq!((settings.cwd.as_str(), settings.name.as_deref()), ("/work", Some("second")));
        assert_eq!(said(&key, &record(&[])), None);
    }
}
