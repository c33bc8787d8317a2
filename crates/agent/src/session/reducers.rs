//! How an event changes a slice: pure functions that say the change instead of making it.
//!
//! ```
//! use selvedge_agent::{Session, ToolInvoked, reducers};
//!
//! // Of each tool the newest call is kept.
//! let session = Session::new();
//! session.register(reducers::upsert_by(|call: &ToolInvoked| call.name.clone()));
//! ```

use super::slice::{Items, Slice};
use super::slices::Slices;

/// What a reducer sees: every slice, as it stands when the event comes.
///
/// ```
/// use selvedge_agent::{Change, Session, SessionView, Slice};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Score(u32);
///
/// impl Slice for Score {
///     const NAME: &'static str = "score";
/// }
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Best(u32);
///
/// impl Slice for Best {
///     const NAME: &'static str = "best";
/// }
///
/// let session = Session::new();
/// session.register(|view: &SessionView<'_>, score: &Score| match view.latest::<Best>() {
///     Some(best) if best.0 >= score.0 => Change::Keep,
///     _ => Change::Replace(vec![Best(score.0)]),
/// });
/// [3, 9, 5].into_iter().for_each(|points| session.append(Score(points)));
/// assert_eq!(session.latest::<Best>().map(|best| best.0), Some(9));
/// ```
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
///
/// ```
/// use selvedge_agent::{Change, Session, SessionView};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// let session = Session::new();
/// session.register(|_: &SessionView<'_>, said: &Note| match said.0.as_str() {
///     "" => Change::Keep,
///     "forget" => Change::Clear,
///     _ => Change::Append(said.clone()),
/// });
/// for text in ["one", "", "two"] {
///     session.append(note(text));
/// }
/// assert_eq!(session.all::<Note>().len(), 2);
/// session.append(note("forget"));
/// assert!(session.all::<Note>().is_empty());
/// ```
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
///
/// ```
/// use selvedge_agent::{Session, reducers};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Mark(char, u32);
/// # impl Slice for Mark { const NAME: &'static str = "mark"; }
/// let session = Session::new();
/// session.register(reducers::append::<Mark>());
/// [Mark('a', 1), Mark('b', 2), Mark('a', 3)].into_iter().for_each(|mark| session.append(mark));
/// assert_eq!(&*session.all::<Mark>(), [Mark('a', 1), Mark('b', 2), Mark('a', 3)]);
/// ```
pub fn append<S: Slice>() -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static {
    |_, event| Change::Append(event.clone())
}

/// Only the newest is kept.
///
/// ```
/// use selvedge_agent::{Session, reducers};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Mark(char, u32);
/// # impl Slice for Mark { const NAME: &'static str = "mark"; }
/// let session = Session::new();
/// session.register(reducers::replace_latest::<Mark>());
/// [Mark('a', 1), Mark('b', 2), Mark('a', 3)].into_iter().for_each(|mark| session.append(mark));
/// assert_eq!(&*session.all::<Mark>(), [Mark('a', 3)]);
/// ```
pub fn replace_latest<S: Slice>() -> impl Fn(&SessionView<'_>, &S) -> Change<S> + Send + Sync + 'static {
    |_, event| Change::Replace(vec![event.clone()])
}

/// One value for each key, in the place where the key was first seen.
///
/// ```
/// use selvedge_agent::{Session, reducers};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Mark(char, u32);
/// # impl Slice for Mark { const NAME: &'static str = "mark"; }
/// let session = Session::new();
/// session.register(reducers::upsert_by(|mark: &Mark| mark.0));
/// [Mark('a', 1), Mark('b', 2), Mark('a', 3)].into_iter().for_each(|mark| session.append(mark));
/// assert_eq!(&*session.all::<Mark>(), [Mark('a', 3), Mark('b', 2)]);
/// ```
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
///
/// ```
/// use selvedge_agent::{Session, reducers};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Mark(char, u32);
/// # impl Slice for Mark { const NAME: &'static str = "mark"; }
/// let session = Session::new();
/// session.register(reducers::replace_latest_by(|mark: &Mark| mark.0));
/// [Mark('a', 1), Mark('b', 2), Mark('a', 3)].into_iter().for_each(|mark| session.append(mark));
/// assert_eq!(&*session.all::<Mark>(), [Mark('b', 2), Mark('a', 3)]);
/// ```
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
