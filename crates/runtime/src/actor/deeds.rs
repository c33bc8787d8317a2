//! What the machine wants done, done by tasks: their answers come back as news.

mod finding_out;
mod there;

use std::sync::Arc;

use selvedge_session::{Answer, Code, Effect, Heard, Json, RequestKey};

use super::{
    Actor, Attachment, Brought,
    seating::{self, Errand, NoSeat, Wanted},
};
use crate::{
    fleet::Seat,
    from_codex::asked_by,
    to_codex::{self, ThreadNow, ToAnswer},
};
use finding_out::{Asked, find_out};
use there::{Beginning, There};

/// How many app-servers may end over an errand.
const TRIES: usize = 3;

impl Actor {
    /// Does what is to be done, in its order where the order matters.
    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::LeaveProcess => self.leave_process(),
                Effect::KillProcess => self.kill_process(),
                Effect::Answer { key, answer } => self.reply(&key, answer),
                Effect::Steer { .. }
                | Effect::Tell { .. }
                | Effect::Interrupt { .. }
                | Effect::InterruptChild { .. }
                | Effect::AskTurn { .. }
                | Effect::CleanTerminals => self.ask_now(effect),
                in_order => self.line_up(in_order),
            }
        }
        self.advance_lane();
    }

    pub(super) fn errand(&self) -> Errand {
        Errand {
            house: Arc::clone(&self.house),
            id: self.id,
            ticket: self.ticket,
            messenger: self.messenger.clone(),
            mailbox: self.mailbox.clone(),
        }
    }

    pub(super) fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        while self.tasks.try_join_next().is_some() {}
        self.tasks.spawn(task);
    }

    /// The place we have; without one nobody is there to be asked.
    fn seat(&self) -> Option<(Arc<Seat>, String)> {
        self.attachment.as_ref().map(|it| (Arc::clone(&it.seat), it.thread_id.clone()))
    }

    pub(super) fn seated(&mut self, attachment: Attachment) {
        self.backend_version = attachment.seat.generation.version().map(str::to_owned);
        self.attachment = Some(attachment);
        self.coming_back = None;
        self.moved_from = None;
    }

    fn line_up(&mut self, effect: Effect) {
        let waits = self.lane.contains(&effect);
        let twice = match effect {
            Effect::EnsureThread | Effect::Examine { .. } => waits || self.doing.as_ref() == Some(&effect),
            Effect::SetName(_) | Effect::Archive | Effect::Unarchive => waits,
            _ => false,
        };
        if !twice {
            self.lane.push_back(effect);
        }
    }

    /// The next work that has to be done in order, if none is under way.
    pub(super) fn advance_lane(&mut self) {
        if self.lane_busy {
            return;
        }
        self.doing = self.lane.pop_front();
        let Some(effect) = self.doing.clone() else { return };
        self.lane_busy = true;
        let errand = self.errand();
        let wanted = Wanted::by(&self.session, self.deaths, self.moved_from, self.source.clone());
        let before = self.outdated(&effect);
        let place = self.seat();
        match (effect, place) {
            (Effect::EnsureThread, None) => self.spawn(async move {
                // Until there is another place, so that its app-server does not end meanwhile.
                let _before = before;
                let brought = match seating::sit(&errand, &wanted).await {
                    Ok((attachment, heard)) => Brought::Seated(Box::new(attachment), heard),
                    Err(brought) => brought,
                };
                errand.bring(brought, true).await;
            }),
            (Effect::EnsureThread, Some((_, thread_id))) => self.spawn(async move {
                errand.bring(Brought::Heard(vec![Heard::ThreadReady { thread_id }]), true).await;
            }),
            (Effect::Examine { message_id, turn_id, steered }, place) => {
                let asked = Asked {
                    message_id,
                    turn_id,
                    steered,
                    last_turn_id: self.session.last_turn_id().map(str::to_owned),
                    dropped: self.session.dropped_turn_id().map(str::to_owned),
                    begun_at: self.session.turn_begun_at(),
                    thread_id: self.session.thread_id().map(str::to_owned),
                    ephemeral: self.session.settings().ephemeral,
                };
                self.spawn(find_out(errand, wanted, place, asked));
            }
            (effect, Some((seat, thread_id))) => {
                let settings = self.session.settings().clone();
                let now = self.thread_now(&effect);
                let id = self.id_for(&effect, (seat.generation.id(), seat.generation.client()));
                let beginning = Beginning { id, settings, now };
                self.spawn(async move {
                    let there = There::at(&errand, &seat, &thread_id).await;
                    let brought = match effect {
                        Effect::StartTurn { message_id, .. } => {
                            Brought::OfMessage(message_id, there.start_turn(&effect, beginning).await)
                        }
                        other => Brought::Heard(there.in_order(other).await),
                    };
                    errand.bring(brought, true).await;
                });
            }
            // What concerns a stored thread, and not a loaded one, needs any app-server of its home.
            (effect, None) => {
                let thread_id = self.session.thread_id().map(str::to_owned);
                self.spawn(async move {
                    let heard = elsewhere(&errand, &wanted, thread_id, effect).await;
                    errand.bring(Brought::Heard(heard), true).await;
                });
            }
        }
    }

    /// The place at a thread that was left, or that is to be loaded again: it is given up for another.
    fn outdated(&mut self, effect: &Effect) -> Option<Attachment> {
        let own = self.session.thread_id();
        let is_it = |it: &mut Attachment| own == Some(it.thread_id.as_str()) && !self.session.is_stale();
        let ensured = *effect == Effect::EnsureThread;
        self.attachment.take_if(|it| ensured && !is_it(it))
    }

    /// What is known of the thread; a turn leaves it in the mode and with the effort it was given.
    fn thread_now(&mut self, effect: &Effect) -> ThreadNow {
        let settings = self.session.settings();
        let Some(attachment) = &mut self.attachment else { return ThreadNow::default() };
        if let Some(made_with) = self.session.made_with() {
            attachment.now.made_with = made_with.clone();
        }
        let now = attachment.now.clone();
        if let Effect::StartTurn { options, .. } = effect {
            attachment.now.mode = Some(to_codex::mode(settings));
            attachment.now.effort = to_codex::effort(options, settings, &now.made_with);
        }
        now
    }

    /// What is asked at once, whatever else is under way.
    fn ask_now(&mut self, effect: Effect) {
        let errand = self.errand();
        let Some((seat, thread_id)) = self.seat() else { return };
        let id = self.id_for(&effect, (seat.generation.id(), seat.generation.client()));
        self.spawn(async move {
            let there = There::at(&errand, &seat, &thread_id).await;
            let heard = there.at_once(id, effect).await;
            errand.bring(Brought::Heard(heard), false).await;
        });
    }

    /// An answer goes to the process that asked, or nowhere.
    fn reply(&mut self, key: &RequestKey, answer: Answer) {
        let request = self.questions.remove(key);
        let Some((process, id)) = asked_by(key) else { return };
        let Some((seat, _)) = self.seat().filter(|(seat, _)| seat.generation.id() == process) else { return };
        let client = seat.generation.client();
        // A conversation that has ended needs no answer; its end is heard from its router.
        let _ended = match answer {
            Answer::Approval { kind, decision, content } => {
                let request = request.unwrap_or_else(|| Json::from(serde_json::Value::Null));
                let content = content.as_ref();
                client
                    .answer(&id, &to_codex::answer(&ToAnswer { kind, decision, content, request: &request }))
            }
            Answer::Tool { success, content } => client.answer(&id, &to_codex::tool(success, &content)),
        };
    }

    /// A turn that hears nothing keeps its process; the session goes elsewhere.
    fn leave_process(&mut self) {
        if let Some((seat, thread_id)) = self.seat() {
            seat.mute(&thread_id);
            seat.generation.retire();
        }
        self.leave();
    }

    fn kill_process(&mut self) {
        if let Some((seat, _)) = self.seat() {
            self.spawn(async move { seat.generation.kill().await });
        }
    }
}

/// Work on a thread that is not loaded for us.
async fn elsewhere(
    errand: &Errand,
    wanted: &Wanted,
    thread_id: Option<String>,
    effect: Effect,
) -> Vec<Heard> {
    let (code, over) = match &effect {
        Effect::Archive => (Code::ArchiveFailed, Heard::PutAway { away: true }),
        Effect::Unarchive => (Code::ArchiveFailed, Heard::PutAway { away: false }),
        Effect::SetName(name) => (Code::NameNotSet, Heard::Named { name: name.clone(), told: false }),
        // Nothing else is asked for before there is a thread.
        _ => return Vec::new(),
    };
    let Some(thread_id) = thread_id else { return Vec::new() };
    for _ in 0..TRIES {
        let seat = match seating::find(errand, wanted).await {
            Ok(seat) => seat,
            // It is done at the next start.
            Err(NoSeat::Ending) => return Vec::new(),
            Err(_no_seat) => break,
        };
        let there = There::at(errand, &seat, &thread_id).await;
        if let Some(heard) = there.errand_run(&effect).await {
            return heard;
        }
    }
    vec![Heard::Warning { code, message: code.message().to_owned(), hint: None }, over]
}
