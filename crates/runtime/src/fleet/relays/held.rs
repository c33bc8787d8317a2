//! One relay that holds an app-server for us.

use std::{
    fs::{self, File},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use selvedge_client::{ClosedBy, End, Exit, process::sweep};
use selvedge_relay::{Ended, Place, Standing};
use tokio::{task::spawn_blocking, time::sleep};
use uuid::Uuid;

use super::Note;
use crate::fleet::router::Board;

/// How much of the relay's diary is looked through for the last words on stderr.
const LAST_WORDS: usize = 16 * 1024;
/// How often it is noted how far the journal has come, and so much of the log is given back at once.
const NOTED: Duration = Duration::from_secs(2);
const WORTH_NOTING: u64 = 1024 * 1024;

/// A relay that holds an app-server. Cheap to clone.
#[derive(Debug, Clone)]
pub(in crate::fleet) struct Relayed {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    marker: Uuid,
    place: Place,
    /// Ours as long as this is held.
    lock: Mutex<Option<File>>,
    /// Whether we went, and left it running.
    left: Mutex<bool>,
}

impl Relayed {
    pub(super) fn new(marker: Uuid, place: Place, lock: File) -> Self {
        let (lock, left) = (Mutex::new(Some(lock)), Mutex::default());
        Self { inner: Arc::new(Inner { marker, place, lock, left }) }
    }

    /// Where its files lie.
    pub(in crate::fleet) fn place(&self) -> &Place {
        &self.inner.place
    }

    /// Ends the app-server by the relay's own ladder.
    pub(in crate::fleet) async fn shut_down(&self) {
        self.order(selvedge_relay::stop).await;
    }

    /// Kills it now, with everything it started.
    pub(in crate::fleet) async fn kill(&self) {
        self.order(selvedge_relay::kill).await;
    }

    async fn order(&self, order: fn(&Place) -> Result<Ended, selvedge_relay::Error>) {
        let place = self.inner.place.clone();
        // A relay that does not take it is gone, and its child with it; what is left is swept.
        let _gone = spawn_blocking(move || order(&place)).await;
        self.sweep().await;
    }

    /// Ends what it left running.
    pub(in crate::fleet) async fn sweep(&self) {
        sweep::end_marked(self.inner.marker).await;
    }

    /// We go, and it stays: whoever comes next finds it.
    pub(in crate::fleet) fn leave(&self) {
        *self.inner.left.lock().unwrap_or_else(PoisonError::into_inner) = true;
        if let Some(lock) = self.inner.lock.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // By word, because a program that is just being started may have a copy of it for a moment.
            let _closed_with_us = lock.unlock();
        }
    }

    /// It has ended, and all it said is durable.
    pub(in crate::fleet) fn remove(&self) {
        if !*self.inner.left.lock().unwrap_or_else(PoisonError::into_inner) {
            // What cannot be removed is found at the next start.
            let _next_time = fs::remove_dir_all(self.inner.place.directory());
        }
    }

    /// The stream does not say why it ended; the relay's files do.
    pub(super) async fn how_it_ended(self, closed_by: ClosedBy) -> End {
        let place = self.inner.place.clone();
        let looked = spawn_blocking(move || (place.standing(), place.stderr_tail(LAST_WORDS))).await;
        let (standing, stderr) = looked.unwrap_or((Standing::Nothing, String::new()));
        match standing {
            Standing::Ended(ended) => End::new(closed_by, Some(exit(ended)), &stderr),
            Standing::Running => End::new(closed_by, None, &stderr),
            Standing::Killed | Standing::Nothing => {
                let killed = ClosedBy::ReadError("the relay that held it was killed".to_owned());
                End::new(killed, None, &stderr)
            }
        }
    }

    /// Notes how far the journal has come, from time to time, and gives back what is not needed any more.
    pub(in crate::fleet) async fn keep_note(&self, note: &Mutex<Note>, board: &Board) {
        loop {
            sleep(NOTED).await;
            self.note_durable(note, board).await;
        }
    }

    /// Notes that one session has it for itself.
    pub(in crate::fleet) async fn note_isolated(&self, note: &Mutex<Note>) {
        let now = {
            let mut note = note.lock().unwrap_or_else(PoisonError::into_inner);
            note.isolated = true;
            note.clone()
        };
        self.write_note(now, "that it is one session's alone").await;
    }

    /// Threads of it were told that their tools are there.
    pub(in crate::fleet) async fn note_tools_at(&self, note: &Mutex<Note>, at: &str) {
        let now = {
            let mut note = note.lock().unwrap_or_else(PoisonError::into_inner);
            if note.tools_at.as_deref() == Some(at) {
                return;
            }
            note.tools_at = Some(at.to_owned());
            note.clone()
        };
        self.write_note(now, "where its threads look for their tools").await;
    }

    async fn write_note(&self, now: Note, what: &str) {
        let place = self.inner.place.clone();
        let noted = spawn_blocking(move || now.write(place.directory())).await;
        if let Ok(Err(error)) = noted {
            let relay = self.inner.place.directory().display();
            tracing::warn!(%relay, %error, "{what} could not be noted");
        }
    }

    async fn note_durable(&self, note: &Mutex<Note>, board: &Board) {
        let Some(durable) = board.durable_before() else { return };
        let now = {
            let mut note = note.lock().unwrap_or_else(PoisonError::into_inner);
            if durable < note.durable + WORTH_NOTING {
                return;
            }
            note.durable = durable;
            note.clone()
        };
        let place = self.inner.place.clone();
        let noted = spawn_blocking(move || {
            // First the note: what is given back is never read again.
            now.write(place.directory())?;
            place.forget_before(now.durable)
        });
        if let Ok(Err(error)) = noted.await {
            let relay = self.inner.place.directory().display();
            tracing::warn!(%relay, %error, "how far the journal has come could not be noted");
        }
    }
}

fn exit(ended: Ended) -> Exit {
    match ended {
        Ended::Code(code) => Exit { code: Some(code), signal: None },
        Ended::Signal(signal) => Exit { code: None, signal: Some(signal) },
    }
}
