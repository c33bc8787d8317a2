//! Which tasks somebody has, in the order of their last change, so that a page of them costs a page.
//!
//! A task is open until somebody who lists finds that it has ended; then it is filed under the moment of its end, which never
//! changes. So what has ended is read once, and what is open is little. Both are notes: they go with their session.

use selvedge_runtime::{Error, Note, Runtime};
use selvedge_session::{MessageId, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    following::Following,
    notes::{FoundTask, Whose},
    words::{State, Telling},
};

/// Entries read at once.
const PAGE: usize = 1_000;

/// Where a task stands in a list: by its last change, then by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) at: Timestamp,
    pub(crate) id: MessageId,
}

/// The tasks that have not ended.
#[derive(Default)]
pub(crate) struct Open {
    pub(crate) under_way: Vec<Following>,
    /// Those that are written down, and of whose message nothing is known: it is about to be sent, or whoever was about to
    /// send it died.
    pub(crate) unsent: Vec<FoundTask>,
}

/// A task that has ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filed {
    pub(crate) place: Place,
    pub(crate) state: State,
    pub(crate) context: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    state: String,
    context: String,
}

impl Place {
    pub(crate) fn of(id: MessageId, telling: &Telling) -> Self {
        Self { at: telling.since(), id }
    }

    /// For whoever wants the next page.
    pub(crate) fn token(self) -> String {
        format!("{}.{}", self.at.0, self.id)
    }

    pub(crate) fn read(token: &str) -> Option<Self> {
        let (at, id) = token.split_once('.')?;
        Some(Self { at: Timestamp(at.parse().ok()?), id: MessageId(id.parse().ok()?) })
    }

    /// The end of a key: the newest comes first.
    fn key(self) -> String {
        let back = u64::MAX - u64::try_from(self.at.0).unwrap_or_default();
        format!("{back:016x}{:032x}", u128::MAX - self.id.0.as_u128())
    }

    fn of_key(key: &str) -> Option<Self> {
        let (at, id) = key.split_at_checked(16)?;
        let at = i64::try_from(u64::MAX - u64::from_str_radix(at, 16).ok()?).ok()?;
        let id = Uuid::from_u128(u128::MAX - u128::from_str_radix(id, 16).ok()?);
        Some(Self { at: Timestamp(at), id: MessageId(id) })
    }
}

impl Whose {
    fn open_tasks(&self) -> String {
        format!("a2a/open/{}/{}/", self.agent, self.owner)
    }

    fn ended_tasks(&self) -> String {
        format!("a2a/ended/{}/{}/", self.agent, self.owner)
    }

    /// Written down with a new task.
    pub(crate) fn opened(&self, id: MessageId) -> (String, Option<Value>) {
        (format!("{}{id}", self.open_tasks()), Some(Value::Bool(true)))
    }

    /// The tasks that have not ended, as they stand. Those that have are filed.
    pub(crate) async fn open(&self, runtime: &Runtime) -> Result<Open, Error> {
        let prefix = self.open_tasks();
        let mut open = Open::default();
        let mut after: Option<String> = None;
        loop {
            let page = runtime.notes(&prefix, after.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(open) };
            after = Some(last.key.clone());
            for note in page {
                let Some(id) = note.key.strip_prefix(&prefix).and_then(|id| id.parse().ok()) else {
                    continue;
                };
                let Some(found) = self.find(runtime, MessageId(id)).await? else { continue };
                // Its session may have been removed meanwhile.
                let Ok(following) = Following::at_a_glance(runtime, found).await else { continue };
                if following.telling().state().is_end() {
                    self.file(runtime, note.session, &following).await?;
                } else if following.telling().has_begun() {
                    open.under_way.push(following);
                } else {
                    open.unsent.push(following.found().clone());
                }
            }
        }
    }

    async fn file(&self, runtime: &Runtime, session: SessionId, following: &Following) -> Result<(), Error> {
        let found = following.found();
        let place = Place::of(found.id, following.telling());
        let state = following.telling().state().name().to_owned();
        let line = json!(Line { state, context: found.note.context.clone() });
        let (open, _) = self.opened(found.id);
        let ended = format!("{}{}", self.ended_tasks(), place.key());
        runtime.note(session, vec![(ended, Some(line)), (open, None)]).await
    }

    /// Tasks that have ended, the newest first; a page of them after a place, until there are none.
    pub(crate) async fn ended(&self, runtime: &Runtime, after: Option<Place>) -> Result<Vec<Filed>, Error> {
        let prefix = self.ended_tasks();
        let after = after.map(|place| format!("{prefix}{}", place.key()));
        let page = runtime.notes(&prefix, after.as_deref(), PAGE).await?;
        Ok(page.into_iter().filter_map(|note| read(&prefix, note)).collect())
    }
}

fn read(prefix: &str, note: Note) -> Option<Filed> {
    let place = Place::of_key(note.key.strip_prefix(prefix)?)?;
    let Line { state, context } = serde_json::from_value(note.value).ok()?;
    Some(Filed { place, state: State::read(&state.as_str().into())?, context })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_order_of_a_list() {
        let place = |at: i64, id: u128| Place { at: Timestamp(at), id: MessageId(Uuid::from_u128(id)) };
        let newest_first = [place(i64::MAX, 0), place(20, 2), place(20, 1), place(3, u128::MAX), place(0, 0)];
        let keys = newest_first.map(Place::key);
        assert!(keys.is_sorted() && newest_first.is_sorted_by(|a, b| a > b), "{keys:?}");
        assert_eq!(keys.map(|key| Place::of_key(&key).unwrap()), newest_first);
        assert_eq!(newest_first.map(|place| Place::read(&place.token()).unwrap()), newest_first);
        for nonsense in ["", "x", "1", ".", "1.x"] {
            assert_eq!((Place::read(nonsense), Place::of_key(nonsense)), (None, None));
        }
    }
}
