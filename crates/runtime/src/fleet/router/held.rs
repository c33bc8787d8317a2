//! News of threads that nobody has claimed yet.

use tokio::time::Instant;

use super::slot::join;
use crate::{
    fleet::{mailbox::Told, options::HoldLimits},
    from_codex::Piece,
};

/// What is known of one such thread.
#[derive(Debug)]
pub(super) struct Held {
    since: Instant,
    news: Vec<Told>,
    question: Question,
    /// Whose it is, if Codex said so: a thread that is itself still unknown.
    pub(super) parent: Option<String>,
}

/// Whether Codex was asked whose it is. It is asked once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    NotYet,
    Asked,
}

impl Held {
    pub(super) fn new() -> Self {
        Self { since: Instant::now(), news: Vec::new(), question: Question::NotYet, parent: None }
    }

    pub(super) fn push(&mut self, told: Told) {
        self.news.push(told);
    }

    pub(super) fn join(&mut self, offset: u64, piece: &Piece<'_>) -> bool {
        self.news.last_mut().is_some_and(|newest| join(newest, offset, piece))
    }

    /// Where the oldest of it began.
    pub(super) fn first(&self) -> Option<u64> {
        self.news.first().map(|told| told.offset)
    }

    /// When something is to be done about it.
    pub(super) fn due(&self, limits: &HoldLimits) -> Instant {
        match self.question {
            Question::NotYet => self.since + limits.ask_after.min(limits.time),
            Question::Asked => self.since + limits.time,
        }
    }

    /// Whether Codex is to be asked now; true once.
    pub(super) fn ask(&mut self, limits: &HoldLimits) -> bool {
        let now = self.question == Question::NotYet && self.since + limits.ask_after <= Instant::now();
        if now {
            self.question = Question::Asked;
        }
        now
    }

    pub(super) fn is_over(&self, limits: &HoldLimits) -> bool {
        self.news.len() >= limits.news || self.since + limits.time <= Instant::now()
    }

    pub(super) fn into_news(self) -> Vec<Told> {
        self.news
    }
}
