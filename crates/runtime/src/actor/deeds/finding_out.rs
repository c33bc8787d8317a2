//! What became of a message: asked where it ran if that lives, else wherever its thread can be loaded again.

use std::sync::Arc;

use selvedge_client::{CallError, End};
use selvedge_session::{Heard, MessageId, Timestamp, Verdict};

use super::super::{
    Attachment, Brought,
    seating::{self, Errand, Wanted},
};
use crate::{
    examine::{self, Question},
    fleet::Seat,
    to_codex::ThreadNow,
};

/// How often a question that was not answered in time is asked.
const QUESTIONS: usize = 3;

/// What is to be found out.
pub(super) struct Asked {
    pub(super) message_id: Option<MessageId>,
    pub(super) turn_id: Option<String>,
    /// It was to join another turn, and that was never answered.
    pub(super) steered: bool,
    pub(super) last_turn_id: Option<String>,
    /// The turn of an earlier attempt.
    pub(super) dropped: Option<String>,
    pub(super) begun_at: Option<Timestamp>,
    pub(super) thread_id: Option<String>,
    pub(super) ephemeral: bool,
}

/// What became of a message: asked where it ran if that lives, else wherever the thread can be loaded again.
pub(super) async fn find_out(
    errand: Errand,
    wanted: Wanted,
    place: Option<(Arc<Seat>, String)>,
    asked: Asked,
) {
    let alive = place.is_some();
    let (attachment, mut heard) = match place {
        Some((seat, thread_id)) => (Attachment { seat, thread_id, now: ThreadNow::default() }, Vec::new()),
        None => match seating::sit(&errand, &wanted).await {
            Ok(seated) => seated,
            Err(brought) => return errand.bring(brought, true).await,
        },
    };
    let question = Question {
        thread_id: asked.thread_id.unwrap_or_else(|| attachment.thread_id.clone()),
        message_id: asked.message_id,
        turn_id: asked.turn_id,
        steered: asked.steered,
        last_turn_id: asked.last_turn_id,
        dropped: asked.dropped,
        begun_at: asked.begun_at,
        rollout: None,
        alive,
        ephemeral: asked.ephemeral,
    };
    match judged(&attachment.seat, &question).await {
        Ok(verdict) => heard.push(Heard::Verdict(verdict)),
        Err(end) => {
            let process = attachment.seat.generation.id();
            let (reason, stderr_tail) = (end.to_string(), end.stderr_tail.clone());
            return errand.bring(Brought::Gone { process, reason, stderr_tail }, true).await;
        }
    }
    let brought = match question.message_id {
        _ if !alive => Brought::Seated(Box::new(attachment), heard),
        Some(message_id) => Brought::OfMessage(message_id, heard),
        None => Brought::Heard(heard),
    };
    errand.bring(brought, true).await;
}

/// Asks until there is an answer; one who never answers is dead, or nobody can say.
async fn judged(seat: &Seat, question: &Question) -> Result<Verdict, Arc<End>> {
    for _ in 0..QUESTIONS {
        let verdict = match seat.generation.abilities().await {
            Ok(can) => examine::examine((seat.generation.client(), &can), question).await,
            Err(error) => Err(error),
        };
        match verdict {
            Ok(verdict) => return Ok(verdict),
            Err(CallError::Ended { end, .. }) => return Err(end),
            Err(CallError::TimedOut { .. }) => _ = seat.generation.probe().await,
            Err(_) => break,
        }
    }
    Ok(Verdict::Unknown)
}
