//! Taking a session's values, and putting them back.

use super::slices::Slices;
use super::snapshot::{Held, Snapshot, SnapshotError};
use super::transaction::Write;
use super::{Session, SlicePolicy, lock};

/// Snapshots.
impl Session {
    /// The values of every slice but logs.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.level.read(|state| Snapshot::of(&self.level.root, state, None))
    }

    /// The values of every slice.
    #[must_use]
    pub fn snapshot_all(&self) -> Snapshot {
        self.level.with_logs(|state, logs| Snapshot::of(&self.level.root, state, Some(logs)))
    }

    /// Puts state back as it was. A slice that the snapshot does not have is empty afterwards; logs stay as they are.
    ///
    /// # Errors
    /// If the snapshot has slices that were never declared here, or values that are not of their type. Nothing has changed then.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.put_back(snapshot, false)
    }

    /// Puts state and logs back as they were.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    ///
    /// ```
    /// use selvedge_agent::{Prompt, PromptRendered, Session};
    ///
    /// let session = Session::new();
    /// let empty = session.snapshot_all();
    /// Prompt::text("demo", "greet").build()?.render(&session)?.record(&session);
    /// session.restore(&empty)?;
    /// assert_eq!(session.all::<PromptRendered>().len(), 1, "what happened has happened");
    /// session.restore_all(&empty)?;
    /// assert!(session.all::<PromptRendered>().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore_all(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.put_back(snapshot, true)
    }

    fn put_back(&self, snapshot: &Snapshot, with_logs: bool) -> Result<(), SnapshotError> {
        let all = self.level.root.kinds();
        let wanted: Vec<_> =
            all.iter().filter(|kind| with_logs || kind.policy == SlicePolicy::State).copied().collect();
        let values = snapshot.values(&wanted, &all)?;
        let (logs, state): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(kind, _)| kind.policy == SlicePolicy::Log);
        put(&logs, &mut lock(&self.level.root.logs));
        self.level.write(Write { apply: Box::new(move |slices, _| put(&state, slices)), tell: None });
        Ok(())
    }
}

fn put(values: &[Held], slices: &mut Slices) {
    for (kind, held) in values {
        match held {
            Some(slice) => slices.put(kind.id, slice.boxed_clone()),
            None => slices.remove(kind.id),
        }
    }
}
