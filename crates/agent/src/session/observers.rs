//! Who is told of what a session keeps.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Weak};

use super::lock;
use super::slice::Slice;

/// An observer with its number, the type of its event forgotten.
type Numbered = (u64, Arc<dyn Any + Send + Sync>);
type Observer<E> = Box<dyn Fn(&E) + Send + Sync>;

/// Observers by the type of the event, in the order in which they came.
#[derive(Default)]
pub(crate) struct Observers(Mutex<Table>);

#[derive(Default)]
struct Table {
    last: u64,
    by_type: BTreeMap<TypeId, Vec<Numbered>>,
}

impl Observers {
    pub(crate) fn add<E: Slice>(self: &Arc<Self>, observer: Observer<E>) -> Subscription {
        let mut table = lock(&self.0);
        table.last += 1;
        let number = table.last;
        table.by_type.entry(TypeId::of::<E>()).or_default().push((number, Arc::new(observer)));
        Subscription { observers: Arc::downgrade(self), event: TypeId::of::<E>(), number }
    }

    /// Calls each observer, without a lock: it may use the session.
    pub(crate) fn tell<E: Slice>(&self, event: &E) {
        let observers = lock(&self.0).by_type.get(&TypeId::of::<E>()).cloned().unwrap_or_default();
        for (_, observer) in observers {
            let Some(observer) = observer.downcast_ref::<Observer<E>>() else { continue };
            if catch_unwind(AssertUnwindSafe(|| observer(event))).is_err() {
                tracing::warn!(event = E::NAME, "an observer panicked; the others are told all the same");
            }
        }
    }

    fn remove(&self, event: TypeId, number: u64) {
        if let Some(observers) = lock(&self.0).by_type.get_mut(&event) {
            observers.retain(|(other, _)| *other != number);
        }
    }
}

/// An observer's place in a session: dropped, it is told nothing more.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
/// use selvedge_agent::Session;
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// let (session, told) = (Session::new(), Arc::new(AtomicUsize::new(0)));
/// let count = told.clone();
/// let subscription = session.observe(move |_: &Note| drop(count.fetch_add(1, Ordering::Relaxed)));
/// session.append(note("heard"));
/// drop(subscription);
/// session.append(note("not heard"));
/// assert_eq!(told.load(Ordering::Relaxed), 1);
/// ```
#[must_use = "an observer is removed when its subscription is dropped; `detach` keeps it"]
pub struct Subscription {
    observers: Weak<Observers>,
    event: TypeId,
    number: u64,
}

impl Subscription {
    /// Keeps the observer for as long as the session lives.
    ///
    /// ```
    /// use selvedge_agent::{Session, ToolInvoked};
    ///
    /// let session = Session::new();
    /// session.observe(|call: &ToolInvoked| println!("{}", call.name)).detach();
    /// ```
    pub fn detach(mut self) {
        self.observers = Weak::new();
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(observers) = self.observers.upgrade() {
            observers.remove(self.event, self.number);
        }
    }
}
