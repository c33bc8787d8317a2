//! What a browser is given when it opens a session and when it comes back to one.

use std::collections::VecDeque;

use super::{
    message::{Message, Replayed, Status},
    speaker::Speaker,
    state::Update,
};
use crate::number::Numbered;

/// Messages that a browser can have missed and still is told one by one.
pub const REPLAY_LIMIT: usize = 600;
/// Messages that a browser is given as history.
pub const HISTORY_LIMIT: usize = 2_000;

/// A session's past, as far as a browser is given it. It is made from the journal whenever somebody opens the session.
#[derive(Debug, Clone, Default)]
pub struct Past {
    history: VecDeque<Message>,
    recent: VecDeque<Numbered<Message>>,
    /// The newest message that is not among the recent ones.
    before: u64,
    newest: u64,
}

impl Past {
    /// Takes what was said of one more event.
    pub fn keep(&mut self, said: Vec<Numbered<Message>>) {
        for numbered in said {
            self.newest = numbered.seq;
            if numbered.message.is_history() {
                self.history.push_back(numbered.message.clone());
                if self.history.len() > HISTORY_LIMIT {
                    self.history.pop_front();
                }
            }
            self.recent.push_back(numbered);
            if self.recent.len() > REPLAY_LIMIT {
                self.before = self.recent.pop_front().map_or(self.before, |gone| gone.seq);
            }
        }
    }

    /// What a browser gets that opens the session, with what is known beside the journal.
    #[must_use]
    pub fn opened(&self, speaker: &Speaker, beside: Update) -> Vec<Message> {
        let mut session = speaker.state().clone();
        session.take(beside);
        let mut told = vec![Message::SessionInit { session: Box::new(session) }];
        if !self.history.is_empty() {
            told.push(Message::MessageHistory { messages: self.history.iter().cloned().collect() });
        }
        told.extend(speaker.pending());
        if speaker.is_disconnected() {
            told.push(Message::CliDisconnected);
        }
        told
    }

    /// What a browser gets that has everything up to a number, after [`Self::opened`]. If that was too long ago, or it was
    /// never there, the history told it what was said; of the rest it gets what is being said now.
    #[must_use]
    pub fn since(&self, last_seq: u64, speaker: &Speaker) -> Vec<Message> {
        if last_seq >= self.newest {
            return Vec::new();
        }
        let missed = last_seq > 0 && last_seq >= self.before;
        let mut told = if missed { vec![self.replay(last_seq)] } else { speaker.being_said() };
        if !missed {
            // So that it knows how far it is.
            let events = vec![Replayed { seq: self.newest, message: phase(speaker) }];
            told.push(Message::EventReplay { events });
        }
        told.extend([Message::StatusChange { status: Some(status(speaker)) }, phase(speaker)]);
        told
    }

    fn replay(&self, last_seq: u64) -> Message {
        let missed = self.recent.iter().filter(|numbered| numbered.seq > last_seq).cloned();
        let events = missed.map(|Numbered { seq, message }| Replayed { seq, message });
        Message::EventReplay { events: events.collect() }
    }

    /// The number of the newest message.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.newest
    }
}

fn phase(speaker: &Speaker) -> Message {
    Message::SessionPhase { phase: speaker.phase(), previous: speaker.phase() }
}

fn status(speaker: &Speaker) -> Status {
    match speaker.phase() {
        _ if speaker.compacting => Status::Compacting,
        phase if phase.is_busy() => Status::Running,
        _ => Status::Idle,
    }
}
