//! One listener of an app-server: its mailbox, and what is about to be put there.

use std::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
};

use selvedge_client::Redactions;
use selvedge_session::Heard;
use tokio::sync::mpsc::error::TrySendError;
use uuid::Uuid;

use crate::{
    fleet::mailbox::{Mailbox, Told},
    from_codex::Piece,
};

/// A joined delta grows no further: a reader wants to see it move.
const LONGEST_JOINED: usize = 64 * 1024;

/// One listener.
#[derive(Debug)]
pub(super) struct Slot {
    /// Which seat it belongs to.
    pub(super) seat: u64,
    pub(super) mailbox: Mailbox,
    /// In order; what does not fit into the mailbox stays, and is joined with what comes.
    outbox: VecDeque<Told>,
    /// Up to which byte it has heard each thread already, from the relay that holds the app-server.
    heard: BTreeMap<String, u64>,
}

/// What became of handing on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandedOn {
    /// All of it, or as much as had room.
    AsFarAsPossible,
    /// The reader of the mailbox is gone.
    NobodyThere,
}

impl Slot {
    /// One that has heard this much before.
    pub(super) fn new(seat: u64, mailbox: Mailbox, heard: BTreeMap<String, u64>) -> Self {
        Self { seat, mailbox, outbox: VecDeque::new(), heard }
    }

    pub(super) fn push(&mut self, told: Told) {
        if !self.is_old(told.of(), told.offset) {
            self.push_new(told);
        }
    }

    pub(super) fn push_new(&mut self, told: Told) {
        self.mailbox.announce();
        self.outbox.push_back(told);
    }

    fn is_old(&self, thread: &str, offset: u64) -> bool {
        !self.heard.is_empty() && self.heard.get(thread).is_some_and(|heard| offset <= *heard)
    }

    /// Joins a piece to the newest news if that is its neighbour, else adds it.
    pub(super) fn push_piece(&mut self, process: Uuid, offset: u64, piece: Piece<'_>) {
        if self.is_old(&piece.thread, offset) {
            return;
        }
        let joined = self.outbox.back_mut().is_some_and(|newest| join(newest, offset, &piece));
        if !joined {
            self.mailbox.announce();
            self.outbox.push_back(Told { process, offset, thread: None, heard: piece.into_heard() });
        }
    }

    /// Puts into the mailbox what fits.
    pub(super) fn hand_on(&mut self, redactions: &Redactions) -> HandedOn {
        while let Some(mut told) = self.outbox.pop_front() {
            redact_joined(&mut told.heard, redactions);
            match self.mailbox.try_send(told).map_err(|error| *error) {
                Ok(()) => {}
                Err(TrySendError::Full(told)) => {
                    self.outbox.push_front(told);
                    return HandedOn::AsFarAsPossible;
                }
                Err(TrySendError::Closed(_)) => return HandedOn::NobodyThere,
            }
        }
        HandedOn::AsFarAsPossible
    }

    /// How much waits for room.
    pub(super) fn waiting(&self) -> usize {
        self.outbox.len()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.mailbox.withdraw(self.outbox.len());
    }
}

/// A secret that was cut into pieces is whole only when they are joined.
fn redact_joined(heard: &mut Heard, redactions: &Redactions) {
    if let Heard::Delta { delta, .. } = heard
        && let Cow::Owned(clean) = redactions.apply(delta)
    {
        *delta = clean;
    }
}

/// Joins a piece to news of the same thread, turn, item and kind; false if it is not such a neighbour.
pub(super) fn join(newest: &mut Told, at: u64, piece: &Piece<'_>) -> bool {
    let Heard::Delta { place, item_id, kind, delta } = &mut newest.heard else { return false };
    let same = *kind == piece.kind
        && *item_id == piece.item
        && place.turn == piece.turn
        && place.thread == piece.thread
        && delta.len() < LONGEST_JOINED;
    if same {
        delta.push_str(&piece.text);
        newest.offset = at;
    }
    same
}
