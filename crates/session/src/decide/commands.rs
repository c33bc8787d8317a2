//! What people and programs want.

use super::Deciding;
use crate::{
    effect::Effect,
    event::{
        What,
        data::{Accepted, Edited, Updated},
    },
    fact::{Cause, Fact, Wish},
    ids::MessageId,
    input::Command,
    message::{InputPart, NewMessage, Status},
    patch::Patch,
    refusal::Refusal,
    settings::BusyPolicy,
};

impl Deciding<'_> {
    pub(super) fn command(&mut self, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Send(message) => self.send(*message),
            Command::TakeBack(id) => self.take_back(id),
            Command::Edit { message_id, input, position } => self.edit(message_id, input, position),
            Command::Interrupt { force } => self.stop_turn(force),
            Command::Answer { approval_id, decision, by, message, content } => {
                let answered = super::requests::Answered { decision, by, message, content };
                self.answer_approval(approval_id, answered)
            }
            Command::AnswerTool { tool_call_id, success, content } => {
                self.answer_tool(tool_call_id, success, content)
            }
            Command::CallTool(call) => {
                self.check_running()?;
                self.call_tool(*call)
            }
            Command::HangUp(id) => self.hang_up(id),
            Command::Update(patch) => {
                self.update(*patch);
                Ok(())
            }
            Command::Start => self.start(),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::Compact => self.wish(Wish::Compact),
            Command::Review(params) => self.wish(Wish::Review(params)),
            Command::Archive => {
                self.note(Fact::Archived { archived: true });
                self.stop();
                Ok(())
            }
            Command::Unarchive => self.unarchive(),
        }
    }

    fn send(&mut self, message: NewMessage) -> Result<(), Refusal> {
        self.check_running()?;
        if self.knows(message.id) {
            return Err(Refusal::Duplicate);
        }
        let options = &message.options;
        if !self.session.can_keep_limit(options) && !self.session.learns_model(options) {
            return Err(Refusal::PriceUnknown);
        }
        let policy = message.options.busy_policy.unwrap_or(self.session.settings.busy_policy);
        let busy = self.is_busy();
        if busy && policy == BusyPolicy::Reject {
            return Err(Refusal::Busy);
        }
        let NewMessage { id, input, options, sender } = message;
        let first = busy && policy == BusyPolicy::Interrupt;
        let joins = policy == BusyPolicy::Steer && options.can_join();
        let ahead = if first { 0 } else { self.session.queue.len() };
        let position = usize::from(self.session.turn.is_some()) + ahead;
        let options = Box::new(options);
        self.note(Fact::Queued { message_id: id, input: input.clone(), options, first, joins });
        self.emit(What::MessageAccepted(Accepted {
            message_id: id,
            input,
            busy_policy: policy,
            position,
            sender,
        }));
        self.join_waiting();
        if first && self.session.turn.is_some() {
            self.interrupt(Cause::Person);
        }
        Ok(())
    }

    /// Whether a message with this id is on its way already.
    fn knows(&self, id: MessageId) -> bool {
        self.session.turn.as_ref().is_some_and(|turn| turn.has(id))
            || self.session.queue.iter().any(|queued| queued.id == id)
            || self.session.adrift.iter().any(|adrift| adrift.message.id == id)
    }

    /// Messages that want to join and have none before them that does not.
    pub(super) fn join_waiting(&mut self) {
        let waiting = self.session.queue.iter().take_while(|queued| queued.joins);
        for id in waiting.map(|queued| queued.id).collect::<Vec<_>>() {
            self.steer(id);
        }
    }

    /// Adds a queued message to the running turn, if that can be joined now. Otherwise it stays queued.
    fn steer(&mut self, message_id: MessageId) {
        let Some(turn) = &self.session.turn else { return };
        let joinable = turn.started && turn.opener.is_some() && turn.interrupt.is_none() && !turn.examining;
        let Some(turn_id) = turn.turn_id.clone().filter(|_| joinable) else { return };
        let Some(queued) = self.session.queue.iter().find(|queued| queued.id == message_id) else { return };
        let input = queued.input.to_vec();
        self.note(Fact::Steering { message_id });
        self.effect(Effect::Steer { message_id, input, turn_id });
    }

    fn take_back(&mut self, id: MessageId) -> Result<(), Refusal> {
        if self.session.queue.iter().any(|queued| queued.id == id) {
            self.finish_unstarted(id, Status::Interrupted, None);
            return Ok(());
        }
        let runs = self.session.turn.as_ref().is_some_and(|turn| turn.has(id));
        if runs { self.stop_turn(false) } else { Err(Refusal::NotFound) }
    }

    fn edit(
        &mut self,
        id: MessageId,
        input: Option<Vec<InputPart>>,
        position: Option<usize>,
    ) -> Result<(), Refusal> {
        if !self.session.queue.iter().any(|queued| queued.id == id && queued.in_doubt.is_none()) {
            return Err(Refusal::NotQueued);
        }
        if let Some(input) = &input {
            self.note(Fact::Edited { message_id: id, input: input.clone() });
        }
        if let Some(position) = position {
            self.note(Fact::Moved { message_id: id, position });
        }
        let place = self.session.queue.iter().position(|queued| queued.id == id);
        let before = place.map(|place| usize::from(self.session.turn.is_some()) + place);
        let position = before.filter(|_| position.is_some());
        if input.is_some() || position.is_some() {
            self.emit(What::MessageUpdated(Edited { message_id: id, input, position }));
        }
        Ok(())
    }

    fn stop_turn(&mut self, force: bool) -> Result<(), Refusal> {
        if self.session.turn.is_none() {
            // Sub-agents may outlive the turn that made them.
            return if self.stop_children() { Ok(()) } else { Err(Refusal::Idle) };
        }
        self.interrupt(Cause::Person);
        if force {
            self.note(Fact::Killing);
            self.effect(Effect::KillProcess);
        }
        Ok(())
    }

    fn check_running(&self) -> Result<(), Refusal> {
        match () {
            () if self.session.archived => Err(Refusal::Archived),
            () if self.session.stopped || self.session.broken.is_some() => Err(Refusal::NotRunning),
            () => Ok(()),
        }
    }

    fn is_busy(&self) -> bool {
        self.session.turn.is_some() || self.session.wish.is_some() || !self.session.queue.is_empty()
    }

    /// A turn that no message opens. It is wanted now or not at all.
    fn wish(&mut self, wish: Wish) -> Result<(), Refusal> {
        self.check_running()?;
        if self.is_busy() {
            return Err(Refusal::Busy);
        }
        self.note(Fact::Wished { wish });
        Ok(())
    }

    /// Codex is told a new name: now, or when it loads the thread, if it cannot hear it now.
    fn update(&mut self, patch: Patch) {
        let mut settings = (*self.session.settings).clone();
        let reload = patch.reload;
        patch.apply(&mut settings);
        if settings == *self.session.settings && !reload {
            return;
        }
        self.note_outdated(&settings, reload);
        let renamed = settings.name.clone().filter(|name| self.session.settings.name.as_ref() != Some(name));
        self.emit(What::SessionUpdated(Updated { settings: settings.into() }));
        match renamed {
            Some(name) if self.session.can_be_named() => {
                self.note(Fact::Naming);
                self.effect(Effect::SetName(name));
            }
            Some(_) => self.note(Fact::NameDue { due: true }),
            None => {}
        }
    }

    fn start(&mut self) -> Result<(), Refusal> {
        if self.session.archived {
            return Err(Refusal::Archived);
        }
        self.note(Fact::Held { held: false });
        self.note(Fact::Stopped { stopped: false });
        self.note(Fact::Broken { reason: None });
        self.note(Fact::ThreadWanted { wanted: false });
        Ok(())
    }

    fn unarchive(&mut self) -> Result<(), Refusal> {
        if !self.session.archived {
            return Ok(());
        }
        self.note(Fact::Archived { archived: false });
        if self.session.put_away {
            self.note(Fact::PutAway { away: false });
            self.effect(Effect::Unarchive);
        }
        self.start()
    }

    /// Stopping, archiving and deleting: the turn is interrupted, what waits ends.
    fn stop(&mut self) {
        self.note(Fact::Stopped { stopped: true });
        if self.session.wish.is_some() {
            self.note(Fact::WishOver);
        }
        self.end_stopped();
        self.hang_up_outside();
        self.interrupt(Cause::Person);
        self.stop_children();
    }
}
