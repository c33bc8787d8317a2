//! One listener of an app-server: its mailbox, and what is about to be put there.

use selvedge_session::Heard;
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
    /// In order; taken as a whole when the router hands on.
    outbox: Vec<Told>,
}

impl Slot {
    pub(super) fn new(seat: u64, mailbox: Mailbox) -> Self {
        Self { seat, mailbox, outbox: Vec::new() }
    }

    pub(super) fn push(&mut self, told: Told) {
        self.outbox.push(told);
    }

    /// Joins a piece to the newest news if that is its neighbour, else adds it.
    pub(super) fn push_piece(&mut self, process: Uuid, offset: u64, piece: Piece<'_>) {
        let joined = self.outbox.last_mut().is_some_and(|newest| join(newest, offset, &piece));
        if !joined {
            self.outbox.push(Told { process, offset, heard: piece.into_heard() });
        }
    }

    pub(super) fn take(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.outbox)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.outbox.is_empty()
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
