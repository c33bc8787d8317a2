//! One listener of an app-server: its mailbox, and what is about to be put there.

use std::collections::{BTreeMap, VecDeque};

use selvedge_client::Redactions;
use selvedge_session::Heard;
use tokio::sync::mpsc::error::TrySendError;
use uuid::Uuid;

use super::veil::Veil;
use crate::{
    fleet::mailbox::{Letter, Mailbox, Told},
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
    outbox: VecDeque<Letter>,
    /// Up to which byte it has heard each thread already, from the relay that holds the app-server.
    heard: BTreeMap<String, u64>,
    veil: Veil,
}

/// What became of handing on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandedOn {
    /// All of it, but what waits for what follows it.
    AsFarAsKnown,
    /// As much as had room.
    AsFarAsPossible,
    /// The reader of the mailbox is gone.
    NobodyThere,
}

impl Slot {
    /// One that has heard this much before.
    pub(super) fn new(seat: u64, mailbox: Mailbox, heard: BTreeMap<String, u64>) -> Self {
        Self { seat, mailbox, outbox: VecDeque::new(), heard, veil: Veil::default() }
    }

    pub(super) fn push(&mut self, told: Told) {
        if !self.is_old(told.of(), told.offset) {
            self.push_new(told);
        }
    }

    pub(super) fn push_new(&mut self, told: Told) {
        self.mailbox.announce();
        self.outbox.push_back(Box::new(told));
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
            self.push_new(Told { process, offset, thread: None, heard: piece.into_heard() });
        }
    }

    /// Puts into the mailbox what fits.
    pub(super) fn hand_on(&mut self, redactions: &Redactions) -> HandedOn {
        while let Some(letter) = self.outbox.front() {
            if self.outbox.len() == 1 && self.veil.waits(&letter.heard, redactions) {
                break;
            }
            let place = match self.mailbox.try_reserve() {
                Ok(place) => place,
                Err(TrySendError::Full(())) => return HandedOn::AsFarAsPossible,
                Err(TrySendError::Closed(())) => return HandedOn::NobodyThere,
            };
            let Some(mut letter) = self.outbox.pop_front() else { break };
            self.veil.cover(&mut letter.heard, self.outbox.front().map(|next| &next.heard), redactions);
            place.send(letter);
        }
        HandedOn::AsFarAsKnown
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
