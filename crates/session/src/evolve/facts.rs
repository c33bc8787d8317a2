//! How a session changes by its facts.

use std::sync::Arc;

use crate::{
    fact::{Fact, RequestRef},
    ids::MessageId,
    message::Status,
    state::{Adrift, CutTurn, Given, Interrupt, OpenRequest, Queued, Session, Turn, Wished},
    time::Timestamp,
};

impl Session {
    pub(crate) fn evolve_fact(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::Queued { message_id, input, options, first, joins } => {
                let queued = Queued {
                    id: *message_id,
                    input: input.as_slice().into(),
                    options: Arc::new((**options).clone()),
                    accepted_at: at,
                    attempts: 0,
                    interrupts: *first,
                    joins: *joins,
                    in_doubt: None,
                };
                if *first { self.queue.push_front(queued) } else { self.queue.push_back(queued) }
            }
            Fact::Moved { message_id, position } => {
                if let Some(queued) = self.take_queued(*message_id) {
                    self.queue.insert((*position).min(self.queue.len()), queued);
                }
            }
            Fact::Edited { message_id, input } => {
                if let Some(queued) = self.queue.iter_mut().find(|queued| queued.id == *message_id) {
                    queued.input = input.as_slice().into();
                }
            }
            Fact::Steering { message_id } => {
                if let (Some(queued), Some(turn)) = (self.take_queued(*message_id), &mut self.turn) {
                    turn.joining.push(queued);
                }
            }
            Fact::Adrift { message_id, status, text } => self.set_adrift(*message_id, *status, text),
            Fact::SteerRefused { message_id } => self.back_to_queue(*message_id, false),
            Fact::SteerUnanswered { message_id } => self.back_to_queue(*message_id, true),
            Fact::Request { .. } => self.request_opened(fact, at),
            Fact::Given { key, answer, held } => {
                self.given.push(Given { key: key.clone(), answer: answer.clone(), held: *held });
            }
            Fact::Settled { key } => self.given.retain(|given| given.key != *key),
            Fact::Total { thread_id, total } => _ = self.totals.insert(thread_id.clone(), *total),
            Fact::Child { thread_id } => _ = self.children.insert(thread_id.clone()),
            _ => self.evolve_thread(fact, at),
        }
    }

    /// The facts about the thread: had, left, to be loaded again.
    fn evolve_thread(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::ThreadReady { thread_id } => {
                self.epoch += 1;
                self.left.remove(thread_id);
                self.thread_id = Some(thread_id.clone());
                self.thread_ready = true;
                self.thread_wanted = false;
                self.stale = false;
            }
            Fact::Stale => self.stale = true,
            Fact::Reloading => {
                self.thread_ready = false;
                self.thread_wanted = true;
            }
            Fact::RenewalDue => self.renewal_due = true,
            Fact::Renewed => self.leave_thread(),
            Fact::ThreadWanted { wanted } => self.thread_wanted = *wanted,
            Fact::Left => {
                self.left.extend(self.thread_id.clone());
                self.thread_ready = false;
                self.child_turns.clear();
            }
            Fact::MadeWith(made_with) => self.made_with = Some(made_with.clone()),
            Fact::Parted => {
                self.thread_ready = false;
                self.thread_wanted = false;
                self.child_turns.clear();
            }
            _ => self.evolve_wants(fact, at),
        }
    }

    /// What belonged to the thread alone goes with it.
    fn leave_thread(&mut self) {
        self.renewal_due = false;
        self.renewed = true;
        self.thread_id = None;
        self.thread_ready = false;
        self.thread_wanted = false;
        self.stale = false;
        self.made_with = None;
        self.last_turn_id = None;
        self.child_turns.clear();
    }

    /// The facts about what is wanted of the session as a whole.
    fn evolve_wants(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::Held { held } => self.held = *held,
            Fact::Stopped { stopped } => self.stopped = *stopped,
            Fact::Broken { reason } => self.broken.clone_from(reason),
            Fact::CutKept => self.cut = self.turn.as_ref().map(cut_of),
            Fact::Wished { wish } => {
                self.wish = Some(Wished { wish: wish.clone(), sent_at: None, turn_id: None });
            }
            Fact::WishOver => self.wish = None,
            Fact::StoppingChild { thread_id } => {
                self.child_turns.get_mut(thread_id).into_iter().for_each(|turn| turn.stopping = true);
            }
            Fact::WishNamed { turn_id } => {
                if let Some(wished) = &mut self.wish {
                    wished.turn_id = Some(turn_id.clone());
                }
            }
            Fact::WishSent => {
                if let Some(wished) = &mut self.wish {
                    wished.sent_at = Some(at);
                }
            }
            Fact::Archived { archived } => self.archived = *archived,
            Fact::PutAway { away } => {
                self.put_away = *away;
                self.putting = true;
                // Codex unloads what it puts away.
                self.thread_ready &= !*away;
            }
            Fact::PutAwayDone => self.putting = false,
            Fact::NameDue { due } => self.name_due = *due,
            Fact::Naming => {
                self.name_due = false;
                self.naming = true;
            }
            Fact::Named { told } => {
                self.name_due = !*told;
                self.naming = false;
            }
            Fact::Noted { text } => self.notes.push(text.clone()),
            Fact::Told { reached } => self.told(*reached),
            _ => self.evolve_turn(fact, at),
        }
    }

    fn request_opened(&mut self, fact: &Fact, at: Timestamp) {
        let Fact::Request { id, key, thread, turn, kind, timeout_seconds, offered } = fact else { return };

        let open = OpenRequest {
            key: key.clone(),
            thread: thread.clone(),
            turn: turn.clone(),
            kind: *kind,
            asked_at: at,
            timeout_seconds: *timeout_seconds,
            offered: offered.clone(),
        };
        match id {
            RequestRef::Approval(id) => self.approvals.insert(*id, open),
            RequestRef::Tool(id) => self.tools.insert(*id, open),
        };
        self.note_waiting(at);
    }

    /// The facts that are about the running turn.
    fn evolve_turn(&mut self, fact: &Fact, at: Timestamp) {
        let Some(turn) = &mut self.turn else { return };
        match fact {
            Fact::ActiveAs { turn_id } => turn.active_as = Some(turn_id.clone()),
            Fact::TurnBound { turn_id } => turn.turn_id = Some(turn_id.clone()),
            Fact::Interrupting { .. }
            | Fact::Killing
            | Fact::InterruptAnswered { .. }
            | Fact::InterruptSent => evolve_interrupt(&mut turn.interrupt, fact, at),
            Fact::Failing { failure } => turn.failing = Some((failure.clone(), at)),
            Fact::Idle => turn.idle_since = Some(at),
            Fact::Asked => turn.asked_at = Some(at),
            Fact::Alive => {
                turn.alive_at = Some(at);
                turn.idle_since = None;
                turn.asked_at = None;
            }
            Fact::Examining { alive } => {
                turn.examining = true;
                turn.unanswered = *alive;
                turn.asked_at = None;
            }
            Fact::NotThere => {
                turn.examining = false;
                turn.asked_at = None;
                if let Some(opener) = &mut turn.opener {
                    opener.in_doubt = None;
                }
            }
            Fact::Found { turn_id } => {
                turn.turn_id = Some(turn_id.clone());
                turn.examining = false;
                turn.unanswered = false;
                turn.asked_at = None;
                turn.last_sign = at;
            }
            Fact::Telling { text } => turn.telling.push_back(text.clone()),
            _ => {}
        }
    }

    fn set_adrift(&mut self, id: MessageId, status: Status, text: &str) {
        let Some(turn) = &mut self.turn else { return };
        let Some(place) = turn.joining.iter().position(|queued| queued.id == id) else { return };
        let message = turn.joining.remove(place);
        let opener = turn.opener.as_ref().map(|opener| opener.id);
        let turn_id = turn.turn_id.clone();
        self.adrift.push(Adrift { message, opener, turn_id, status, text: text.to_owned() });
    }

    /// A steer that did not join, or of which nobody knows whether it did, waits its turn.
    fn back_to_queue(&mut self, id: MessageId, unanswered: bool) {
        if let Some(turn) = &mut self.turn
            && let Some(place) = turn.joining.iter().position(|queued| queued.id == id)
        {
            let in_doubt = turn.turn_id.clone().filter(|_| unanswered);
            let queued = turn.joining.remove(place);
            self.queue.push_front(Queued { joins: false, in_doubt, ..queued });
        }
        if let Some(place) = self.adrift.iter().position(|adrift| adrift.message.id == id) {
            let adrift = self.adrift.remove(place);
            let in_doubt = adrift.turn_id.filter(|_| unanswered);
            self.queue.push_front(Queued { joins: false, in_doubt, ..adrift.message });
        }
    }

    /// What the agent was to be told reached it; if not, it is told with the next message. The answers that it belongs to
    /// wait for it, and no longer than until nothing more is being told.
    fn told(&mut self, reached: bool) {
        let text = self.turn.as_mut().and_then(|turn| turn.telling.pop_front());
        self.notes.extend(text.filter(|_| !reached));
        if self.turn.as_ref().is_none_or(|turn| turn.telling.is_empty()) {
            self.given.iter_mut().for_each(|given| given.held = false);
        }
    }
}

/// The facts about how the running turn is stopped.
fn evolve_interrupt(interrupt: &mut Option<Interrupt>, fact: &Fact, at: Timestamp) {
    match (fact, interrupt) {
        (Fact::Interrupting { cause }, interrupt) => {
            *interrupt = Some(Interrupt {
                cause: *cause,
                asked_at: at,
                again: false,
                resent: 0,
                answered: false,
                forced: false,
            });
        }
        (Fact::Killing, Some(interrupt)) => interrupt.forced = true,
        (Fact::InterruptAnswered { again }, Some(interrupt)) => {
            interrupt.again = *again;
            interrupt.answered = !*again;
            interrupt.asked_at = at;
        }
        (Fact::InterruptSent, Some(interrupt)) => {
            interrupt.again = false;
            interrupt.resent = interrupt.resent.saturating_add(1);
            interrupt.answered = false;
            interrupt.asked_at = at;
        }
        _ => {}
    }
}

fn cut_of(turn: &Turn) -> CutTurn {
    let input = turn.opener.as_ref().map(|opener| opener.input.clone()).unwrap_or_default();
    CutTurn { input, partial: turn.said_so_far().into() }
}
