//! A level of a session: what is written in it is on the session when it is committed, and nowhere when it is not.

use std::sync::{Arc, Mutex};

use super::observers::Observers;
use super::root::Root;
use super::slices::Slices;
use super::{Session, lock};

type Apply = Box<dyn Fn(&mut Slices, &Slices) + Send + Sync>;
type Tell = Box<dyn Fn(&Observers) + Send + Sync>;

/// Something written, in a form that can be done again on the level below.
pub(crate) struct Write {
    /// Changes state, and may look at logs.
    pub(crate) apply: Apply,
    /// Tells observers, once the session itself has it.
    pub(crate) tell: Option<Tell>,
}

/// One level: the session itself, or a transaction over another level.
pub(crate) struct Level {
    pub(crate) root: Arc<Root>,
    below: Option<Session>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    state: Slices,
    /// What is done again at the commit; empty on the session itself.
    pending: Vec<Write>,
    ended: bool,
}

impl Level {
    pub(crate) fn base(root: Root, state: Slices) -> Self {
        Self { root: Arc::new(root), below: None, work: Mutex::new(Work { state, ..Work::default() }) }
    }

    fn over(below: &Session) -> Self {
        let state = below.level.read(Slices::clone);
        let work = Mutex::new(Work { state, ..Work::default() });
        Self { root: below.level.root.clone(), below: Some(below.clone()), work }
    }

    pub(crate) fn read<R>(&self, look: impl FnOnce(&Slices) -> R) -> R {
        look(&lock(&self.work).state)
    }

    /// Looks at state and may change logs, which belong to every level at once.
    pub(crate) fn with_logs<R>(&self, change: impl FnOnce(&Slices, &mut Slices) -> R) -> R {
        let work = lock(&self.work);
        change(&work.state, &mut lock(&self.root.logs))
    }

    pub(crate) fn write(&self, write: Write) {
        self.write_all(vec![write]);
    }

    /// All of them in one step: no reader sees half of a commit.
    fn write_all(&self, writes: Vec<Write>) {
        let mut work = lock(&self.work);
        if work.ended {
            tracing::debug!("written after its transaction had ended: dropped");
            return;
        }
        {
            let logs = lock(&self.root.logs);
            writes.iter().for_each(|write| (write.apply)(&mut work.state, &logs));
        }
        if self.below.is_some() {
            work.pending.extend(writes);
            return;
        }
        drop(work);
        for tell in writes.into_iter().filter_map(|write| write.tell) {
            tell(&self.root.observers);
        }
    }

    fn end(&self) -> Vec<Write> {
        let mut work = lock(&self.work);
        work.ended = true;
        std::mem::take(&mut work.pending)
    }
}

/// Writes that are done together or not at all. Dropped without [`commit`](Self::commit), they never happened.
///
/// It sees the session as it was when the transaction began, and its own writes. A commit does those writes again on the session as it is by then, so
/// transactions side by side do not undo each other. Logs are not part of it: they are on the session at once.
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
/// let transaction = session.transaction();
/// transaction.session().append(note("tried"));
/// assert!(session.all::<Note>().is_empty(), "nobody else sees it yet");
/// transaction.commit();
/// assert_eq!(session.all::<Note>().len(), 1);
/// ```
#[must_use = "a transaction that is dropped is rolled back"]
pub struct Transaction {
    session: Session,
}

impl Transaction {
    pub(crate) fn over(below: &Session) -> Self {
        Self { session: Session { level: Arc::new(Level::over(below)) } }
    }

    /// The session as this transaction sees it. A handle that outlives the transaction still reads, and its writes are dropped.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Keeps what was written.
    pub fn commit(self) {
        let writes = self.session.level.end();
        if let Some(below) = &self.session.level.below {
            below.level.write_all(writes);
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        drop(self.session.level.end());
    }
}
