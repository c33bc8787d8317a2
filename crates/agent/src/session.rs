//! Typed values that outlive a turn: slices, reducers, observers, snapshots and transactions.

mod builder;
mod observers;
pub mod reducers;
mod restore;
mod root;
mod rules;
mod slice;
mod slices;
mod snapshot;
mod transaction;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use uuid::Uuid;

pub use builder::SessionBuilder;
pub use observers::Subscription;
pub use reducers::{Change, SessionView};
pub use slice::{Items, Slice, SlicePolicy};
pub use snapshot::{Snapshot, SnapshotError};
pub use transaction::Transaction;

use reducers::is_log;
use root::Root;
use slices::Slices;
use transaction::{Level, Write};

use crate::prompt::VisibilityOverrides;

/// A panic of somebody's closure leaves nothing half written: each change is worked out first, and then made in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Typed values, kept in slices: one per type, in order. A clone is the same session.
///
/// ```
/// use selvedge_agent::{Session, Slice};
///
/// #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Note(String);
///
/// impl Slice for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let session = Session::new();
/// session.append(Note("one".into()));
/// session.append(Note("two".into()));
/// assert_eq!(session.latest(), Some(Note("two".into())));
/// assert_eq!(session.filter(|note: &Note| note.0.starts_with('o')), [Note("one".into())]);
/// session.remove_if(|note: &Note| note.0 == "one");
/// assert_eq!(session.all::<Note>().len(), 1);
///
/// // A copy that goes its own way.
/// let other = session.fork();
/// other.clear::<Note>();
/// assert_eq!((session.all::<Note>().len(), other.all::<Note>().len()), (1, 0));
/// ```
#[derive(Clone)]
pub struct Session {
    level: Arc<Level>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session").field("id", &self.id()).finish_non_exhaustive()
    }
}

impl Session {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        SessionBuilder::default().build()
    }

    /// One with tags, or with a parent.
    #[must_use]
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    fn with(root: Root, state: Slices) -> Self {
        let session = Self { level: Arc::new(Level::base(root, state)) };
        session.declare::<VisibilityOverrides>();
        session
    }

    /// Its id, a UUID v7.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.level.root.id
    }

    /// When it was made.
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.level.root.created_at
    }

    /// Its labels.
    #[must_use]
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.level.root.tags
    }

    /// The session for whose work it was made.
    #[must_use]
    pub fn parent_id(&self) -> Option<Uuid> {
        self.level.root.parent_id
    }

    /// The sessions that were made for its work, in order.
    #[must_use]
    pub fn children(&self) -> Vec<Uuid> {
        lock(&self.level.root.children).clone()
    }

    /// Another session with the same values and reducers. Nobody observes it.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::with(self.level.root.fork(), self.level.read(Slices::clone))
    }

    /// Begins writes that happen together or not at all.
    ///
    /// ```
    /// # use selvedge_agent::{Session, Slice};
    /// # #[derive(Clone, serde::Serialize, serde::Deserialize)]
    /// # struct Note(String);
    /// # impl Slice for Note { const NAME: &'static str = "note"; }
    /// let session = Session::new();
    /// let transaction = session.transaction();
    /// transaction.session().append(Note("tried".into()));
    /// drop(transaction);
    /// assert!(session.all::<Note>().is_empty());
    /// ```
    pub fn transaction(&self) -> Transaction {
        Transaction::over(self)
    }
}

/// Reading.
impl Session {
    /// All values of a slice, the oldest first.
    #[must_use]
    pub fn all<T: Slice>(&self) -> Items<T> {
        self.declare::<T>();
        if is_log::<T>() { lock(&self.level.root.logs).items() } else { self.level.read(Slices::items) }
    }

    /// The newest value of a slice.
    #[must_use]
    pub fn latest<T: Slice>(&self) -> Option<T> {
        self.all::<T>().last().cloned()
    }

    /// The values of a slice that fit.
    #[must_use]
    pub fn filter<T: Slice>(&self, fits: impl Fn(&T) -> bool) -> Vec<T> {
        self.all::<T>().iter().filter(|value| fits(value)).cloned().collect()
    }
}

/// Writing.
impl Session {
    /// Gives a value to the reducers of its type; without any, adds it to its own slice. Then observers are told.
    pub fn append<E: Slice>(&self, event: E) {
        self.declare::<E>();
        let event = Arc::new(event);
        let (to_logs, to_state): (Vec<_>, Vec<_>) =
            self.level.root.rules.of::<E>().into_iter().partition(|rule| rule.to_log);
        for rule in to_logs {
            self.level.with_logs(|state, logs| {
                let applied = rule.decide(&SessionView::new(state, logs), &event);
                applied(logs);
            });
        }
        let reduced = event.clone();
        let apply = move |state: &mut Slices, logs: &Slices| {
            for rule in &to_state {
                let applied = rule.decide(&SessionView::new(state, logs), &reduced);
                applied(state);
            }
        };
        if is_log::<E>() {
            self.level.write(Write { apply: Box::new(apply), tell: None });
            self.level.root.observers.tell(&*event);
        } else {
            let tell = move |observers: &observers::Observers| observers.tell(&*event);
            self.level.write(Write { apply: Box::new(apply), tell: Some(Box::new(tell)) });
        }
    }

    /// Makes these the values of a slice, without reducers.
    pub fn seed<T: Slice>(&self, values: impl IntoIterator<Item = T>) {
        let values: Vec<T> = values.into_iter().collect();
        self.edit::<T>(move |slices| slices.set(values.clone()));
    }

    /// Empties a slice.
    pub fn clear<T: Slice>(&self) {
        self.seed::<T>([]);
    }

    /// Removes the values of a slice that fit.
    pub fn remove_if<T: Slice>(&self, fits: impl Fn(&T) -> bool + Send + Sync + 'static) {
        self.edit::<T>(move |slices| {
            let kept = slices.items::<T>().iter().filter(|value| !fits(value)).cloned().collect();
            slices.set::<T>(kept);
        });
    }

    /// Changes the newest value of a slice; if there is none, the default, which is then kept.
    ///
    /// In a transaction the change is made twice, here and again at the commit: it must depend on nothing but the value.
    ///
    /// ```
    /// use selvedge_agent::Session;
    /// # use selvedge_agent::Slice;
    /// # #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
    /// # struct Note(String);
    /// # impl Slice for Note { const NAME: &'static str = "note"; }
    /// # fn note(text: &str) -> Note { Note(text.to_owned()) }
    ///
    /// let session = Session::new();
    /// session.update(|note: &mut Note| note.0.push_str("one"));
    /// session.update(|note: &mut Note| note.0.push_str(", two"));
    /// assert_eq!(&*session.all::<Note>(), [note("one, two")]);
    /// ```
    pub fn update<T: Slice + Default>(&self, change: impl Fn(&mut T) + Send + Sync + 'static) {
        self.edit::<T>(move |slices| {
            slices.edit::<T>(|values| {
                // Changed aside, so that a panic leaves the slice as it was.
                let mut value = values.last().cloned().unwrap_or_default();
                change(&mut value);
                values.pop();
                values.push(value);
            });
        });
    }

    fn edit<T: Slice>(&self, change: impl Fn(&mut Slices) + Send + Sync + 'static) {
        self.declare::<T>();
        if is_log::<T>() {
            change(&mut lock(&self.level.root.logs));
        } else {
            self.level.write(Write { apply: Box::new(move |state, _| change(state)), tell: None });
        }
    }
}

/// Reducers and observers.
impl Session {
    /// Lets a slice follow an event. Once an event has a reducer it is no longer added to its own slice by itself: register [`reducers::append`] for that.
    ///
    /// A reducer is asked while the session is locked: what it needs is in its view, and it must not use the session.
    ///
    /// ```
    /// use selvedge_agent::{Change, Session, SessionView, Slice, ToolInvoked, reducers};
    ///
    /// #[derive(Clone, serde::Serialize, serde::Deserialize)]
    /// struct Failures(u32);
    ///
    /// impl Slice for Failures {
    ///     const NAME: &'static str = "failures";
    /// }
    ///
    /// let session = Session::new();
    /// session.register(reducers::append::<ToolInvoked>());
    /// session.register(|view: &SessionView<'_>, event: &ToolInvoked| {
    ///     let so_far = view.latest::<Failures>().map_or(0, |it| it.0);
    ///     if event.result.success { Change::Keep } else { Change::Replace(vec![Failures(so_far + 1)]) }
    /// });
    /// ```
    pub fn register<E: Slice, S: Slice>(
        &self,
        reducer: impl Fn(&SessionView<'_>, &E) -> Change<S> + Send + Sync + 'static,
    ) {
        self.declare::<E>();
        self.declare::<S>();
        self.level.root.rules.add(reducer);
    }

    /// Tells of every event of a type: of a log's at once, of state's when it is on the session itself.
    ///
    /// ```
    /// # use selvedge_agent::{Session, ToolInvoked};
    /// # let session = Session::new();
    /// let watching = session.observe(|event: &ToolInvoked| println!("{}: {}", event.name, event.rendered_output));
    /// ```
    pub fn observe<E: Slice>(&self, observer: impl Fn(&E) + Send + Sync + 'static) -> Subscription {
        self.level.root.observers.add::<E>(Box::new(observer))
    }

    /// Makes a type known, so that a stored snapshot that has it can be put back. Using a slice does so too.
    pub fn declare<T: Slice>(&self) {
        self.level.root.declare::<T>();
    }
}
