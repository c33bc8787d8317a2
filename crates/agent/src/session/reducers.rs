//! How an event changes a slice: pure functions that say the change instead of making it.

use super::slice::{Items, Slice};
use super::slices::Slices;

/// What a reducer sees: every slice, as it stands when the event comes.
pub struct SessionView<'a> {
    state: &'a Slices,
    logs: &'a Slices,
}

impl<'a> SessionView<'a> {
    pub(crate) fn new(state: &'a Slices, logs: &'a Slices) -> Self {
        Self { state, logs }
    }

    /// All values of a slice.
    #[must_use]
    pub fn all<T: Slice>(&self) -> Items<T> {
        level::<T>(self.state, self.logs).items()
    }

    /// The newest value of a slice.
    #[must_use]
    pub fn latest<T: Slice>(&self) -> Option<T> {
        level::<T>(self.state, self.logs).get::<T>().and_then(|items| items.last().cloned())
    }
}

fn level<'a, T: Slice>(state: &'a Slices, logs: &'a Slices) -> &'a Slices {
    if is_log::<T>() { logs } else { state }
}

pub(crate) fn is_log<T: Slice>() -> bool {
    T::POLICY == super::SlicePolicy::Log
}

/// What an event does to a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<S> {
    /// Nothing.
    Keep,
    /// One more value.
    Append(S),
    /// Several more.
    Extend(Vec<S>),
    /// These, and no others.
    Replace(Vec<S>),
    /// No values at all.
    Clear,
}

impl<S: Slice> Change<S> {
    pub(crate) fn apply(self, slices: &mut Slices) {
        match self {
            Self::Keep => {}
            Self::Append(value) => slices.edit(|values| values.push(value)),
            Self::Extend(more) => slices.edit(|values| values.extend(more)),
            Self::Replace(values) => slices.set(values),
            Self::Clear => slices.set(Vec::<S>::new()),
        }
    }
}

/// Every event is one more value: what happens when nothing is registered.
pub fn append<S: Slice>() -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static {
    |_, event| Change::Append(event.clone())
}

/// Only the newest is kept.
pub fn replace_latest<S: Slice>() -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static {
    |_, event| Change::Replace(vec![event.clone()])
}

/// One value for each key, in the place where the key was first seen.
pub fn upsert_by<S, K>(
    key: impl Fn(&S) -> K + Send + Sync + 'static,
) -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static
where
    S: Slice,
    K: PartialEq,
{
    move |view, event| {
        let wanted = key(event);
        let mut kept: Vec<S> = Vec::new();
        let mut placed = false;
        for value in &view.all::<S>() {
            if key(value) != wanted {
                kept.push(value.clone());
            } else if !placed {
                placed = true;
                kept.push(event.clone());
            }
        }
        if !placed {
            kept.push(event.clone());
        }
        Change::Replace(kept)
    }
}

/// One value for each key, the newest last.
pub fn replace_latest_by<S, K>(
    key: impl Fn(&S) -> K + Send + Sync + 'static,
) -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static
where
    S: Slice,
    K: PartialEq,
{
    move |view, event| {
        let wanted = key(event);
        let others = view.all::<S>();
        let others = others.iter().filter(|value| key(value) != wanted).cloned();
        Change::Replace(others.chain([event.clone()]).collect())
    }
}
