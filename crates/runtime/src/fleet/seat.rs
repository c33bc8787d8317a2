//! One thread's place in an app-server.

use std::{collections::BTreeMap, sync::Arc};

use selvedge_client::CallError;

use super::{generation::Generation, mailbox::Mailbox, pool::Pool};

/// A place for one thread. When it is dropped, nothing is open for it any more, and nobody is told anything.
#[derive(Debug)]
pub(crate) struct Seat {
    /// The app-server.
    pub(crate) generation: Arc<Generation>,
    pool: Arc<Pool>,
    id: u64,
}

impl Seat {
    /// A seat that was already taken in the generation.
    pub(super) fn new(generation: Arc<Generation>, pool: Arc<Pool>) -> Self {
        let id = pool.enter();
        Self { generation, pool, id }
    }

    /// From now on this thread's news go to that mailbox, after everything that was held for it. Its sub-agents follow
    /// it. If the app-server has ended already, that is the last news. Waits for nobody.
    pub(crate) async fn listen(&self, thread_id: &str, mailbox: Mailbox) {
        self.generation.board.listen(self.id, thread_id, mailbox);
    }

    /// Goes on listening where another program of ours did, from what the session has heard of each thread.
    pub(crate) fn listen_on(&self, own: &str, heard: BTreeMap<String, u64>, mailbox: Mailbox) {
        self.generation.board.listen_on((self.id, own), heard, mailbox);
    }

    /// Whoever listens here is told when it has heard all that was said until now.
    pub(crate) fn mark(&self) -> Result<(), CallError> {
        let client = self.generation.client();
        let reserved = client.reserve();
        self.generation.board.expect_mark(reserved.id(), self.id);
        client.mark(&reserved)
    }

    /// Whether another binary or login has taken the place of the one that runs here, or other settings that of those it was
    /// started with. Nothing new is taken in then.
    pub(crate) fn is_outdated(&self) -> bool {
        self.pool.retire_if_outdated(&self.generation)
    }

    /// Waits until somebody has found out that it is so.
    pub(crate) async fn outdated(&self) {
        self.generation.outdated().await;
    }

    /// The app-server has let go of this thread: nobody has to come back for it.
    pub(crate) fn has_let_go(&self, thread_id: &str) {
        self.generation.board.let_go(thread_id);
    }

    /// The session has left this thread.
    pub(crate) fn mute(&self, thread_id: &str) {
        self.generation.board.mute(self.id, thread_id);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.generation.board.leave(self.id);
        // The fleet ends a generation that is done; this task, whose it may be, does not wait for that.
        self.generation.stand_up();
        self.pool.exit();
    }
}
