//! What all handles and transactions of one session share.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::lock;
use super::observers::Observers;
use super::rules::Rules;
use super::slice::{AnySlice, Items, Slice, SlicePolicy};
use super::slices::Slices;

type Read = fn(&[Value]) -> Result<Box<dyn AnySlice>, BadItem>;

/// What is known of a type without a value of it.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
    pub(crate) policy: SlicePolicy,
    pub(crate) read: Read,
}

/// An item of a stored slice that is not of its type.
pub(crate) struct BadItem {
    pub(crate) index: usize,
    pub(crate) source: serde_json::Error,
}

impl Kind {
    pub(crate) fn of<T: Slice>() -> Self {
        Self { id: TypeId::of::<T>(), name: T::NAME, policy: T::POLICY, read: read::<T> }
    }
}

fn read<T: Slice>(items: &[Value]) -> Result<Box<dyn AnySlice>, BadItem> {
    let read_one = |(index, item)| T::deserialize(item).map_err(|source| BadItem { index, source });
    let items: Result<Vec<T>, BadItem> = items.iter().enumerate().map(read_one).collect();
    Ok(Box::new(Items::new(items?)))
}

/// The part of a session that no transaction has a copy of.
pub(crate) struct Root {
    pub(crate) id: Uuid,
    pub(crate) created_at: Timestamp,
    pub(crate) parent_id: Option<Uuid>,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) children: Mutex<Vec<Uuid>>,
    pub(crate) rules: Rules,
    pub(crate) observers: Arc<Observers>,
    /// Logs live here alone, so no rollback reaches them.
    pub(crate) logs: Mutex<Slices>,
    kinds: Mutex<BTreeMap<TypeId, Kind>>,
}

impl Root {
    pub(crate) fn new(parent_id: Option<Uuid>, mut tags: BTreeMap<String, String>) -> Self {
        let id = Uuid::now_v7();
        tags.insert("session_id".to_owned(), id.to_string());
        if let Some(parent) = parent_id {
            tags.insert("parent_session_id".to_owned(), parent.to_string());
        }
        Self {
            id,
            created_at: Timestamp::now(),
            parent_id,
            tags,
            children: Mutex::default(),
            rules: Rules::default(),
            observers: Arc::default(),
            logs: Mutex::default(),
            kinds: Mutex::default(),
        }
    }

    /// Another session with the same reducers and logs, and nobody who watches it.
    pub(crate) fn fork(&self) -> Self {
        let own = ["session_id", "parent_session_id"];
        let tags = self.tags.iter().filter(|(name, _)| !own.contains(&name.as_str()));
        let tags = tags.map(|(name, value)| (name.clone(), value.clone())).collect();
        Self {
            rules: self.rules.copy(),
            logs: Mutex::new(lock(&self.logs).clone()),
            kinds: Mutex::new(lock(&self.kinds).clone()),
            ..Self::new(self.parent_id, tags)
        }
    }

    pub(crate) fn declare<T: Slice>(&self) {
        lock(&self.kinds).entry(TypeId::of::<T>()).or_insert_with(Kind::of::<T>);
    }

    pub(crate) fn kinds(&self) -> Vec<Kind> {
        lock(&self.kinds).values().copied().collect()
    }
}
