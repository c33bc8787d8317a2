//! The events of all sessions of a replay, as they come.

use selvedge_runtime::{Error, SessionHandle, Written};
use selvedge_session::SessionId;
use tokio::{sync::mpsc, task::JoinSet};

/// Events that are read at once, and pages that wait to be seen.
const PAGE: usize = 256;
const PAGES: usize = 16;

pub(super) type Page = (SessionId, Vec<Written>);

pub(super) struct Watch {
    to: mpsc::Sender<Page>,
    from: mpsc::Receiver<Page>,
    readers: JoinSet<()>,
}

impl Watch {
    pub(super) fn new() -> Self {
        let (to, from) = mpsc::channel(PAGES);
        Self { to, from, readers: JoinSet::new() }
    }

    /// Everything that happens in a session, from its beginning.
    pub(super) async fn add(&mut self, session: &SessionHandle) -> Result<(), Error> {
        let (id, to) = (session.id(), self.to.clone());
        let mut events = session.events(0).await?;
        self.readers.spawn(async move {
            while let Ok(page) = events.next(PAGE).await {
                if to.send((id, page)).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// The next events of any of them.
    pub(super) async fn next(&mut self) -> Page {
        match self.from.recv().await {
            Some(page) => page,
            // The sender lives in `self`.
            None => std::future::pending().await,
        }
    }
}
