//! What follows from time passing, and when the machine wants to be told that it has.

use std::time::Duration;

use super::{
    Deciding,
    requests::{Answered, failed_content},
};
use crate::{
    code::Code,
    effect::Effect,
    event::data::Decision,
    fact::{Cause, Fact},
    input::TurnEnd,
    message::{Failure, Status},
    state::{OpenRequest, Queued, Session, Turn, Wished},
    time::Timestamp,
};

/// Silence after which Codex is asked what became of the turn.
const SILENCE: Duration = Duration::from_secs(60);
/// Silence after which a person is told.
const QUIET: Duration = Duration::from_secs(300);
/// How long `turn/completed` may take after the thread is said to be idle.
const IDLE_GRACE: Duration = Duration::from_secs(2);
/// How long `turn/completed` may take after an error without retry.
const ERROR_GRACE: Duration = Duration::from_secs(5);
/// How long an interrupt and `turn/completed` after it may take.
const INTERRUPT_GRACE: Duration = Duration::from_secs(10);
/// How long `turn/completed` may take after the interrupt was answered.
const COMPLETED_GRACE: Duration = Duration::from_secs(5);

/// How long a compaction or a review may take to begin.
const WISH_GRACE: Duration = Duration::from_secs(120);

/// Something that is due at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    AskTurn,
    ExamineAgain,
    TellQuiet,
    GiveUpTurn,
    FailTurn,
    Interrupt(Cause),
}

impl Session {
    /// When the machine wants the next [`Input::Tick`](crate::Input::Tick), if it wants one.
    #[must_use]
    pub fn next_wake(&self) -> Option<Timestamp> {
        let of_turn = self.turn.iter().flat_map(|turn| self.dues(turn)).map(|(at, _)| at);
        let of_requests = self.approvals.values().chain(self.tools.values()).filter_map(expiry);
        let of_wish = self.wish.iter().filter_map(wish_limit);
        of_turn.chain(of_wish).chain(of_requests).chain(self.queue.iter().filter_map(queue_limit)).min()
    }

    /// What is due when about the running turn.
    fn dues(&self, turn: &Turn) -> Vec<(Timestamp, Due)> {
        let mut dues = Vec::new();
        if turn.examining {
            // Something runs that may be ours: it is looked at again.
            dues.extend(turn.asked_at.map(|asked| (asked + SILENCE, Due::ExamineAgain)));
            return dues;
        }
        if let Some((_, since)) = &turn.failing {
            dues.push((*since + ERROR_GRACE, Due::FailTurn));
        }
        if let Some(interrupt) = turn.interrupt.as_ref().filter(|_| turn.started) {
            let grace = if interrupt.answered { COMPLETED_GRACE } else { INTERRUPT_GRACE };
            dues.push((interrupt.asked_at + grace, Due::GiveUpTurn));
            // It may well have heard us, and only nobody told its end.
            dues.extend(turn.idle_due());
            return dues;
        }
        // Codex has it, whether or not we saw it start.
        let known = turn.turn_id.is_some() && turn.waiting_since.is_none();
        if known {
            let heard = [Some(turn.last_sign), turn.alive_at, turn.asked_at];
            let heard = heard.into_iter().flatten().max().unwrap_or(turn.last_sign);
            dues.push((heard + SILENCE, Due::AskTurn));
        }
        if known && turn.started && turn.interrupt.is_none() {
            dues.extend(turn.idle_due());
            if !turn.quiet_told {
                dues.push((turn.last_sign + QUIET, Due::TellQuiet));
            }
            if let Some(stall) = self.settings.stall_seconds {
                dues.push((turn.last_sign + Duration::from_secs(stall), Due::Interrupt(Cause::Stall)));
            }
            if let Some(deadline) = self.deadline(turn) {
                dues.push((deadline, Due::Interrupt(Cause::Deadline)));
            }
        }
        dues
    }

    /// The end of the turn's time; waiting for people and callers does not count, and stops the clock.
    fn deadline(&self, turn: &Turn) -> Option<Timestamp> {
        let own = turn.opener.as_ref().and_then(|opener| opener.options.deadline_seconds);
        let seconds = own.or(self.settings.deadline_seconds)?;
        Some(turn.begun_at + Duration::from_secs(seconds) + Duration::from_millis(turn.waited_ms))
    }
}

impl Turn {
    /// When its end is asked for because its thread rests and nobody told it; once.
    fn idle_due(&self) -> Option<(Timestamp, Due)> {
        let since = self.idle_since.filter(|_| self.asked_at.is_none())?;
        Some((since + IDLE_GRACE, Due::AskTurn))
    }
}

fn expiry(open: &OpenRequest) -> Option<Timestamp> {
    open.timeout_seconds.map(|seconds| open.asked_at + Duration::from_secs(seconds))
}

fn wish_limit(wished: &Wished) -> Option<Timestamp> {
    wished.sent_at.map(|sent| sent + WISH_GRACE)
}

fn queue_limit(queued: &Queued) -> Option<Timestamp> {
    queued.options.queue_seconds.map(|seconds| queued.accepted_at + Duration::from_secs(seconds))
}

impl Deciding<'_> {
    pub(super) fn tick(&mut self) {
        self.expire_queue();
        self.expire_requests();
        if self.session.wish.as_ref().and_then(wish_limit).is_some_and(|limit| limit <= self.now) {
            self.lose_wish(None);
        }
        let Some(turn) = &self.session.turn else { return };
        let now = self.now;
        let due: Vec<_> =
            self.session.dues(turn).into_iter().filter(|(at, _)| *at <= now).map(|(_, due)| due).collect();
        for due in due {
            self.perform(due);
        }
    }

    fn perform(&mut self, due: Due) {
        let Some(turn) = &self.session.turn else { return };
        match due {
            Due::AskTurn => {
                let turn_id = turn.turn_id.clone();
                self.note(Fact::Asked);
                self.effect(Effect::AskTurn { turn_id });
            }
            Due::ExamineAgain => {
                let (alive, effect) = (turn.unanswered, turn.examine());
                self.note(Fact::Examining { alive });
                self.effect(effect);
            }
            Due::TellQuiet => self.warn(Code::Quiet, Code::Quiet.message()),
            Due::FailTurn => {
                let error = turn.failing.as_ref().map(|(failure, _)| failure.clone());
                self.end_turn(TurnEnd { status: Status::Failed, error, text: None });
            }
            Due::GiveUpTurn => {
                self.leave();
                self.lose("the turn did not end when it was interrupted");
            }
            Due::Interrupt(cause) => self.interrupt(cause),
        }
    }

    fn expire_queue(&mut self) {
        let now = self.now;
        let late = |queued: &&Queued| queue_limit(queued).is_some_and(|limit| limit <= now);
        let late: Vec<_> = self.session.queue.iter().filter(late).map(|queued| queued.id).collect();
        for id in late {
            let error = Failure::of(Code::QueueTimeExceeded);
            self.finish_unstarted(id, Status::Failed, Some(&error));
        }
    }

    fn expire_requests(&mut self) {
        let now = self.now;
        let due = |open: &OpenRequest| expiry(open).is_some_and(|at| at <= now);
        let approvals: Vec<_> =
            self.session.approvals.iter().filter(|(_, open)| due(open)).map(|(id, _)| *id).collect();
        let tools: Vec<_> =
            self.session.tools.iter().filter(|(_, open)| due(open)).map(|(id, _)| *id).collect();
        for id in approvals {
            // It is open: it was found a line above.
            let _open = self.answer_approval(id, Answered::by(Decision::Decline, "timeout"));
        }
        for id in tools {
            let _open = self.answer_tool(id, false, failed_content("the caller did not answer in time"));
        }
    }
}
