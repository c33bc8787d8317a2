//! What Codex said and no session could claim: kept in a log of its own, as `codex.unknown`.

use selvedge_journal::{AppendError, Record, SessionId as Key, SqliteStore, Store as _};
use selvedge_session::{Event, SessionId, What, data::Unknown};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use uuid::Uuid;

use crate::{clock::Clock, fleet::Unclaimed};

/// What may wait to be kept; more is counted, and dropped.
pub(crate) const WAITING: usize = 1024;
/// What is kept in one record.
const TOGETHER: usize = 128;

/// The log in which it lies; no session has this name.
pub(crate) fn key() -> Key {
    Key::from("unclaimed")
}

/// Who keeps it.
#[derive(Debug)]
pub(crate) struct Keeper {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Keeper {
    /// Keeps what comes.
    pub(crate) fn begin(store: SqliteStore, clock: Clock, coming: mpsc::Receiver<Unclaimed>) -> Self {
        let (stop, stopped) = oneshot::channel();
        #[expect(
            clippy::disallowed_methods,
            reason = "the keeper holds the handle, and awaits it at its end"
        )]
        let task = tokio::spawn(keep(store, clock, coming, stopped));
        Self { stop, task }
    }

    /// Keeps what has come, and nothing after it.
    pub(crate) async fn end(self) {
        // One that has ended already has kept everything.
        let _ended = self.stop.send(());
        let _panicked = self.task.await;
    }
}

async fn keep(
    store: SqliteStore,
    clock: Clock,
    mut coming: mpsc::Receiver<Unclaimed>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut together = Vec::with_capacity(TOGETHER);
    loop {
        let count = tokio::select! {
            count = coming.recv_many(&mut together, TOGETHER) => count,
            _ = &mut stopped, if !coming.is_closed() => {
                coming.close();
                continue;
            }
        };
        if count == 0 {
            return;
        }
        let raws: Vec<_> = together.drain(..).map(raw).collect();
        append(&store, &clock, &raws).await;
    }
}

/// The line, or what is left of it.
fn raw(unclaimed: Unclaimed) -> String {
    match unclaimed {
        Unclaimed::Thread { told, thread } => {
            format!("app-server {} at {}, thread {thread}: {:?}", told.process, told.offset, told.heard)
        }
        Unclaimed::Line { process, offset, raw } => format!("app-server {process} at {offset}: {raw}"),
        Unclaimed::LateAnswer { process, method, raw } => {
            format!("app-server {process}, late answer to {method}: {raw}")
        }
    }
}

/// Another program may write here too: whoever comes second looks again where the log ends.
async fn append(store: &SqliteStore, clock: &Clock, raws: &[String]) {
    let key = key();
    loop {
        let Ok(head) = store.head(&key).await else { return };
        let at = clock.now();
        let mut record = Record::at(at.0);
        for (seq, raw) in (head.seq + 1..).zip(raws) {
            let unknown = Unknown { direction: "from_codex".to_owned(), raw: raw.clone() };
            let session_id = SessionId(Uuid::nil());
            let what = What::CodexUnknown(unknown);
            let event = Event { seq, session_id, at, thread_id: None, turn_id: None, item_id: None, what };
            let Ok(body) = serde_json::to_vec(&event) else { return };
            record = record.event(seq, body);
        }
        match store.append(&key, head.n, record).await {
            Err(AppendError::Conflict { .. } | AppendError::Gap { .. }) => {}
            // Without room it is lost: a session's own records are not.
            Ok(_) | Err(AppendError::Store(_)) => return,
        }
    }
}
