//! A session's values at one moment, in memory and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::root::{BadItem, Kind, Root};
use super::slice::{AnySlice, SlicePolicy};
use super::slices::Slices;

/// The form of the JSON that is written and read.
const VERSION: &str = "1";

/// Why a snapshot cannot be written, read or put back.
///
/// ```
/// use selvedge_agent::{Session, Snapshot, SnapshotError};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// let session = Session::new();
/// session.append(note("one"));
/// let stored = session.snapshot().to_json()?;
///
/// let later = Session::new();
/// let error = later.restore(&Snapshot::from_json(&stored)?).unwrap_err();
/// assert!(matches!(error, SnapshotError::Undeclared(slices) if slices == ["note"]));
/// later.declare::<Note>();
/// later.restore(&Snapshot::from_json(&stored)?)?;
/// # Ok::<(), SnapshotError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A value has no JSON.
    #[error("a value of the slice `{slice}` cannot be written as JSON: {source}")]
    Unwritable {
        /// The slice's name.
        slice: &'static str,
        /// Why.
        source: serde_json::Error,
    },
    /// Two types say they are the same slice.
    #[error("two types are kept as the slice `{0}`\nhint: give each its own `Slice::NAME`")]
    SameName(String),
    /// It is not the JSON of a snapshot.
    #[error("this is not a snapshot of a session: {0}")]
    NotASnapshot(serde_json::Error),
    /// It was written by another version.
    #[error("the snapshot has version {found:?}, this is {VERSION:?}")]
    Version {
        /// The version it has.
        found: String,
    },
    /// The session knows no such slices.
    #[error("the session does not know these slices: {}\nhint: call `session.declare::<T>()` for each before restoring", .0.join(", "))]
    Undeclared(Vec<String>),
    /// A stored value is not of its slice's type.
    #[error("item {index} of the slice `{slice}` cannot be read: {source}")]
    Item {
        /// The slice's name.
        slice: &'static str,
        /// Its place, from 0.
        index: usize,
        /// Why.
        source: serde_json::Error,
    },
}

enum Saved {
    Typed(Box<dyn AnySlice>),
    Json(Vec<Value>),
}

/// What a session held.
///
/// ```
/// use selvedge_agent::{Session, Snapshot, Visibility};
///
/// let session = Session::new();
/// session.set_visibility("appendix", Visibility::Full);
/// let json = session.snapshot().to_json()?;
///
/// let later = Session::new();
/// later.restore(&Snapshot::from_json(&json)?)?;
/// assert_eq!(later.visibility("appendix"), Some(Visibility::Full));
/// # Ok::<(), selvedge_agent::SnapshotError>(())
/// ```
pub struct Snapshot {
    created_at: Timestamp,
    parent_id: Option<Uuid>,
    children_ids: Vec<Uuid>,
    tags: BTreeMap<String, String>,
    policies: BTreeMap<String, SlicePolicy>,
    slices: Vec<(String, Saved)>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.slices.iter().map(|(name, _)| name.as_str()).collect();
        out.debug_struct("Snapshot").field("created_at", &self.created_at).field("slices", &names).finish()
    }
}

impl Snapshot {
    pub(crate) fn of(root: &Root, state: &Slices, logs: Option<&Slices>) -> Self {
        let wanted = |kind: &Kind| kind.policy == SlicePolicy::State || logs.is_some();
        let kinds = root.kinds().into_iter().filter(wanted);
        let filled = state.filled().chain(logs.into_iter().flat_map(Slices::filled));
        let mut slices: Vec<_> =
            filled.map(|it| (it.name().to_owned(), Saved::Typed(it.boxed_clone()))).collect();
        slices.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self {
            created_at: Timestamp::now(),
            parent_id: root.parent_id,
            children_ids: super::lock(&root.children).clone(),
            tags: root.tags.clone(),
            policies: kinds.map(|kind| (kind.name.to_owned(), kind.policy)).collect(),
            slices,
        }
    }

    /// When it was taken.
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The tags of its session.
    #[must_use]
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// As JSON, every object's keys in order.
    ///
    /// # Errors
    /// If a value has no JSON, or two types have one name.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        self.names_are_unique()?;
        let slices: Result<Vec<_>, _> = self.slices.iter().map(|(name, saved)| stored(name, saved)).collect();
        let stored = Stored {
            version: VERSION.to_owned(),
            created_at: self.created_at,
            parent_id: self.parent_id,
            children_ids: self.children_ids.clone(),
            slices: slices?,
            tags: self.tags.clone(),
            policies: self.policies.clone(),
        };
        // By way of a `Value`, whose objects are ordered by their keys.
        serde_json::to_value(stored).map(|value| value.to_string()).map_err(SnapshotError::NotASnapshot)
    }

    fn names_are_unique(&self) -> Result<(), SnapshotError> {
        let mut seen = BTreeSet::new();
        match self.slices.iter().find(|(name, _)| !seen.insert(name)) {
            Some((name, _)) => Err(SnapshotError::SameName(name.clone())),
            None => Ok(()),
        }
    }

    /// Reads what [`to_json`](Self::to_json) wrote. Its values are read when it is put back on a session that knows their types.
    ///
    /// # Errors
    /// If it is not JSON of a snapshot, or of another version.
    pub fn from_json(json: &str) -> Result<Self, SnapshotError> {
        let versioned: Versioned = serde_json::from_str(json).map_err(SnapshotError::NotASnapshot)?;
        if versioned.version != VERSION {
            return Err(SnapshotError::Version { found: versioned.version });
        }
        let stored: Stored = serde_json::from_str(json).map_err(SnapshotError::NotASnapshot)?;
        Ok(Self {
            created_at: stored.created_at,
            parent_id: stored.parent_id,
            children_ids: stored.children_ids,
            tags: stored.tags,
            policies: stored.policies,
            slices: stored.slices.into_iter().map(|it| (it.slice_type, Saved::Json(it.items))).collect(),
        })
    }

    /// For each of `kinds` what it is to hold; `None` is nothing.
    pub(crate) fn values(&self, kinds: &[Kind], all: &[Kind]) -> Result<Vec<Held>, SnapshotError> {
        let known: BTreeSet<&str> = all.iter().map(|kind| kind.name).collect();
        let unknown = self.slices.iter().map(|(name, _)| name).filter(|name| !known.contains(name.as_str()));
        let unknown: Vec<String> = unknown.cloned().collect();
        if !unknown.is_empty() {
            return Err(SnapshotError::Undeclared(unknown));
        }
        kinds.iter().map(|kind| Ok((*kind, self.value(kind)?))).collect()
    }

    fn value(&self, kind: &Kind) -> Result<Option<Box<dyn AnySlice>>, SnapshotError> {
        let mut same = self.slices.iter().filter(|(name, _)| name == kind.name);
        match (same.next(), same.next()) {
            (Some(_), Some(_)) => Err(SnapshotError::SameName(kind.name.to_owned())),
            (Some((_, Saved::Typed(slice))), None) => Ok(Some(slice.boxed_clone())),
            (Some((_, Saved::Json(items))), None) => (kind.read)(items)
                .map(Some)
                .map_err(|BadItem { index, source }| SnapshotError::Item { slice: kind.name, index, source }),
            (None, _) => Ok(None),
        }
    }
}

/// A type, and what it is to hold.
pub(crate) type Held = (Kind, Option<Box<dyn AnySlice>>);

fn stored(name: &str, saved: &Saved) -> Result<StoredSlice, SnapshotError> {
    let items = match saved {
        Saved::Json(items) => items.clone(),
        Saved::Typed(slice) => {
            slice.to_json().map_err(|source| SnapshotError::Unwritable { slice: slice.name(), source })?
        }
    };
    Ok(StoredSlice { item_type: name.to_owned(), items, slice_type: name.to_owned() })
}

#[derive(Deserialize)]
struct Versioned {
    version: String,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: String,
    created_at: Timestamp,
    #[serde(default)]
    parent_id: Option<Uuid>,
    #[serde(default)]
    children_ids: Vec<Uuid>,
    slices: Vec<StoredSlice>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    policies: BTreeMap<String, SlicePolicy>,
}

#[derive(Serialize, Deserialize)]
struct StoredSlice {
    slice_type: String,
    item_type: String,
    items: Vec<Value>,
}
