//! The table of routes between the router that sorts by it and the sessions that change it.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;
use uuid::Uuid;

use super::routes::{Loaded, Routes};
use crate::fleet::{mailbox::Mailbox, options::HoldLimits};

/// Shared by a router and the seats of its app-server. Nobody waits with it in hand: a session that listens does not
/// wait for the router, which may just be waiting for that session's mailbox.
#[derive(Debug)]
pub(in crate::fleet) struct Board {
    routes: Mutex<Routes>,
    changed: Notify,
}

impl Board {
    pub(in crate::fleet) fn new(process: Uuid, limits: HoldLimits) -> Self {
        Self { routes: Mutex::new(Routes::new(process, limits)), changed: Notify::new() }
    }

    /// Gives a thread's news to this mailbox.
    pub(in crate::fleet) fn listen(&self, seat: u64, thread: &str, mailbox: Mailbox) {
        self.lock().listen(seat, thread, mailbox);
        self.changed.notify_one();
    }

    /// Goes on giving them to this mailbox, from where its session has heard them.
    pub(in crate::fleet) fn listen_on(
        &self,
        place: (u64, &str),
        heard: BTreeMap<String, u64>,
        mailbox: Mailbox,
    ) {
        self.lock().listen_on(place, heard, mailbox);
        self.changed.notify_one();
    }

    /// These threads are loaded, though nobody listens to them, and so much was said already.
    pub(in crate::fleet) fn are_loaded(&self, threads: Vec<Loaded>, said: u64) {
        self.lock().are_loaded(threads, said);
    }

    /// The answer to this request shows whoever sits there how far it has heard.
    pub(in crate::fleet) fn expect_mark(&self, id: i64, seat: u64) {
        self.lock().expect_mark(id, seat);
    }

    /// Up to where all that was said is durable, if that is known to be further than before.
    pub(in crate::fleet) fn durable_before(&self) -> Option<u64> {
        self.lock().durable_before()
    }

    /// The session has left this thread.
    pub(in crate::fleet) fn mute(&self, seat: u64, thread: &str) {
        self.lock().mute(seat, thread);
        self.changed.notify_one();
    }

    /// The app-server has let go of this thread.
    pub(in crate::fleet) fn let_go(&self, thread: &str) {
        self.lock().let_go(thread);
        self.changed.notify_one();
    }

    /// The seat is free.
    pub(in crate::fleet) fn leave(&self, seat: u64) {
        self.lock().leave(seat);
        self.changed.notify_one();
    }

    /// Whether somebody listens to this thread here, or has.
    pub(in crate::fleet) fn knows(&self, thread: &str) -> bool {
        self.lock().knows(thread)
    }

    /// Whether somebody listens to this thread now.
    pub(in crate::fleet) fn is_heard(&self, thread: &str) -> bool {
        self.lock().has(thread)
    }

    /// Whether there is any thread here.
    pub(in crate::fleet) fn has_threads(&self) -> bool {
        self.lock().has_threads()
    }

    /// Waits until somebody else has changed the table.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
