//! What a session can keep: values of one type, in order, under a name.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A type whose values a session keeps.
///
/// ```
/// use selvedge_agent::{Session, Slice};
///
/// #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Plan {
///     steps: Vec<String>,
/// }
///
/// impl Slice for Plan {
///     const NAME: &'static str = "plan";
/// }
///
/// let session = Session::new();
/// session.append(Plan { steps: vec!["read".into()] });
/// assert_eq!(session.latest::<Plan>().unwrap().steps, ["read"]);
/// ```
pub trait Slice: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name in snapshots. It outlives the type's own name: choose it once.
    const NAME: &'static str;
    /// Whether it is undone with a call that failed.
    const POLICY: SlicePolicy = SlicePolicy::State;
}

/// What becomes of a slice when a transaction or a session is put back.
///
/// ```
/// use selvedge_agent::{Session, Slice, SlicePolicy};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Attempt(u32);
///
/// impl Slice for Attempt {
///     const NAME: &'static str = "attempt";
///     const POLICY: SlicePolicy = SlicePolicy::Log;
/// }
///
/// let session = Session::new();
/// let transaction = session.transaction();
/// transaction.session().append(Attempt(1));
/// drop(transaction);
/// assert_eq!(session.all::<Attempt>().len(), 1, "what was tried was tried");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlicePolicy {
    /// It is put back too.
    State,
    /// It stays: it tells what happened, and that happened.
    Log,
}

/// The values of one slice at one moment. Costs a reference count, and does not change any more.
///
/// ```
/// use selvedge_agent::Session;
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// let session = Session::new();
/// session.append(note("one"));
/// let before = session.all::<Note>();
/// session.append(note("two"));
/// assert_eq!((before.len(), session.all::<Note>().len()), (1, 2));
/// assert_eq!(before.first(), Some(&note("one")), "it is a slice");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items<T>(Arc<Vec<T>>);

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Items<T> {
    pub(crate) fn new(values: Vec<T>) -> Self {
        Self(Arc::new(values))
    }
}

impl<T: Clone> Items<T> {
    /// Copied only if somebody still holds what it was.
    pub(crate) fn make_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A slice whose type is known to itself alone.
pub(crate) trait AnySlice: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn is_empty(&self) -> bool;
    fn to_json(&self) -> serde_json::Result<Vec<Value>>;
    fn boxed_clone(&self) -> Box<dyn AnySlice>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Slice> AnySlice for Items<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn to_json(&self) -> serde_json::Result<Vec<Value>> {
        self.iter().map(serde_json::to_value).collect()
    }

    fn boxed_clone(&self) -> Box<dyn AnySlice> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
