//! What is handed to Codex is written down before: which message, to which app-server, as which request.

use selvedge_client::{Client, Reserved};
use selvedge_session::{Effect, MessageId};
use serde::Serialize;
use uuid::Uuid;

use super::Actor;
use crate::{
    error::Error,
    ledger::{Draft, INTENT},
};

/// As it lies in the journal, in the record that is committed before the line is written.
#[derive(Debug, Serialize)]
struct Intent {
    message_id: MessageId,
    /// Of a message that begins a turn; one that joins a turn has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<u32>,
    process: Uuid,
    rpc_id: i64,
}

/// An id that was written down and not used yet.
#[derive(Debug)]
pub(super) struct Intended {
    message_id: MessageId,
    process: Uuid,
    reserved: Reserved,
}

impl Actor {
    /// Writes down what of this goes to Codex as somebody's message.
    pub(super) fn intend(&mut self, draft: &mut Draft, effects: &[Effect]) -> Result<(), Error> {
        let Some(attachment) = &self.attachment else { return Ok(()) };
        let generation = &attachment.seat.generation;
        let process = generation.id();
        for effect in effects {
            let Some((message_id, attempt)) = handed_over(effect) else { continue };
            let reserved = generation.client().reserve();
            draft.put(INTENT, &Intent { message_id, attempt, process, rpc_id: reserved.id() })?;
            self.intended.push(Intended { message_id, process, reserved });
        }
        Ok(())
    }

    /// The id under which this was written down for this app-server; a new one for what is nobody's message.
    pub(super) fn id_for(&mut self, effect: &Effect, (process, client): (Uuid, &Client)) -> Reserved {
        let message = handed_over(effect).map(|(message_id, _)| message_id);
        let written = |it: &mut Intended| Some(it.message_id) == message && it.process == process;
        let found = self.intended.extract_if(.., written).last();
        found.map_or_else(|| client.reserve(), |it| it.reserved)
    }
}

fn handed_over(effect: &Effect) -> Option<(MessageId, Option<u32>)> {
    match effect {
        Effect::StartTurn { message_id, attempt, .. } => Some((*message_id, Some(*attempt))),
        Effect::Steer { message_id, .. } => Some((*message_id, None)),
        _ => None,
    }
}
