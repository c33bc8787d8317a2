//! Which reducers an event has.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use super::lock;
use super::reducers::{Change, SessionView, append, is_log};
use super::slice::Slice;
use super::slices::Slices;

type Applied = Box<dyn FnOnce(&mut Slices)>;
type Decide<E> = Box<dyn Fn(&SessionView<'_>, &E) -> Applied + Send + Sync>;

/// One reducer of one event, the type of its slice forgotten.
pub(crate) struct Rule<E> {
    /// Whether it writes to a log: that is not undone, so it is done at once.
    pub(crate) to_log: bool,
    decide: Decide<E>,
}

impl<E: Slice> Rule<E> {
    fn new<S: Slice>(reducer: impl Fn(&SessionView<'_>, &E) -> Change<S> + Send + Sync + 'static) -> Self {
        let decide = move |view: &SessionView<'_>, event: &E| -> Applied {
            let change = reducer(view, event);
            Box::new(move |slices| change.apply(slices))
        };
        Self { to_log: is_log::<S>(), decide: Box::new(decide) }
    }

    /// What is to be done. A reducer that panics does nothing, and keeps no other from doing its part.
    pub(crate) fn decide(&self, view: &SessionView<'_>, event: &E) -> Applied {
        match catch_unwind(AssertUnwindSafe(|| (self.decide)(view, event))) {
            Ok(applied) => applied,
            Err(_) => {
                tracing::warn!(event = E::NAME, "a reducer panicked; its slice stays as it was");
                Box::new(|_| {})
            }
        }
    }
}

/// All reducers, by the type of the event, in the order of their registration.
#[derive(Default)]
pub(crate) struct Rules(Mutex<BTreeMap<TypeId, Vec<Arc<dyn Any + Send + Sync>>>>);

impl Rules {
    pub(crate) fn add<E: Slice, S: Slice>(
        &self,
        reducer: impl Fn(&SessionView<'_>, &E) -> Change<S> + Send + Sync + 'static,
    ) {
        lock(&self.0).entry(TypeId::of::<E>()).or_default().push(Arc::new(Rule::<E>::new(reducer)));
    }

    /// The reducers of an event; the one that appends it to its own slice, if there is none.
    pub(crate) fn of<E: Slice>(&self) -> Vec<Arc<Rule<E>>> {
        let registered = lock(&self.0).get(&TypeId::of::<E>()).cloned().unwrap_or_default();
        if registered.is_empty() {
            return vec![Arc::new(Rule::new(append::<E>()))];
        }
        registered.into_iter().filter_map(|rule| rule.downcast().ok()).collect()
    }

    pub(crate) fn copy(&self) -> Self {
        Self(Mutex::new(lock(&self.0).clone()))
    }
}
