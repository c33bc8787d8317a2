//! Making a session.

use std::collections::BTreeMap;

use super::root::Root;
use super::slices::Slices;
use super::{Session, lock};

/// What a new session is made with.
///
/// ```
/// use selvedge_agent::Session;
///
/// let parent = Session::new();
/// let child = Session::builder().tag("customer", "42").parent(&parent).build();
/// assert_eq!(child.tags().get("customer").map(String::as_str), Some("42"));
/// assert_eq!((child.parent_id(), parent.children()), (Some(parent.id()), vec![child.id()]));
/// ```
#[derive(Debug, Default)]
pub struct SessionBuilder {
    parent: Option<Session>,
    tags: BTreeMap<String, String>,
}

impl SessionBuilder {
    /// A label, which stands in snapshots. `session_id` and `parent_session_id` are given by the session itself.
    #[must_use]
    pub fn tag(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.tags.insert(name.into(), value.into());
        self
    }

    /// The session for whose work this one is made.
    #[must_use]
    pub fn parent(mut self, parent: &Session) -> Self {
        self.parent = Some(parent.clone());
        self
    }

    /// Makes it.
    #[must_use]
    pub fn build(self) -> Session {
        let session =
            Session::with(Root::new(self.parent.as_ref().map(Session::id), self.tags), Slices::default());
        if let Some(parent) = self.parent {
            lock(&parent.level.root.children).push(session.id());
        }
        session
    }
}
