//! What the machine wants done, done by tasks: their answers come back as news.

use std::sync::Arc;

use selvedge_client::{
    CallError, Client, End, Reply,
    protocol::{calls, frame::RequestId},
};
use selvedge_session::{
    Answer, Code, Effect, Heard, InputPart, Json, MessageId, RequestKey, Settings, Verdict,
};

use super::{
    Actor, Attachment, Brought, process_of,
    seating::{self, Errand, Wanted},
};
use crate::{
    examine::{self, Question},
    fleet::Seat,
    to_codex::{self, Refused, Steer, ThreadNow, ToAnswer, TurnStart},
};

/// How often a question that was not answered in time is asked.
const QUESTIONS: usize = 3;

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
                | Effect::AskTurn { .. }
                | Effect::CleanTerminals => self.ask_now(effect),
                in_order => self.line_up(in_order),
            }
        }
        self.advance_lane();
    }

    fn errand(&self) -> Errand {
        Errand {
            house: Arc::clone(&self.house),
            id: self.id,
            ticket: self.ticket,
            messenger: self.messenger.clone(),
            mailbox: self.mailbox.clone(),
        }
    }

    fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
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
    }

    fn line_up(&mut self, effect: Effect) {
        let twice = matches!(effect, Effect::EnsureThread | Effect::Examine { .. })
            && (self.lane.contains(&effect) || self.doing.as_ref() == Some(&effect));
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
        let wanted = Wanted::by(&self.session, self.deaths);
        let place = self.seat();
        match (effect, place) {
            (Effect::EnsureThread, None) => self.spawn(async move {
                let brought = match seating::sit(&errand, &wanted).await {
                    Ok((attachment, heard)) => Brought::Seated(Box::new(attachment), heard),
                    Err(brought) => brought,
                };
                errand.bring(brought, true).await;
            }),
            (Effect::EnsureThread, Some((_, thread_id))) => self.spawn(async move {
                errand.bring(Brought::Heard(vec![Heard::ThreadReady { thread_id }]), true).await;
            }),
            (Effect::Examine { message_id, turn_id }, place) => {
                let asked = Asked {
                    message_id,
                    turn_id,
                    last_turn_id: self.session.last_turn_id().map(str::to_owned),
                    thread_id: self.session.thread_id().map(str::to_owned),
                    ephemeral: self.session.settings().ephemeral,
                };
                self.spawn(find_out(errand, wanted, place, asked));
            }
            (effect, Some((seat, thread_id))) => {
                let settings = self.session.settings().clone();
                let now = self.thread_now(&effect);
                self.spawn(async move {
                    let there = There { errand: &errand, seat: &seat, thread_id: &thread_id };
                    let brought = match effect {
                        Effect::StartTurn { message_id, .. } => {
                            Brought::OfStart(message_id, there.start_turn(&effect, &settings, &now).await)
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

    /// What is known of the thread; a turn leaves it in the mode it was given.
    fn thread_now(&mut self, effect: &Effect) -> ThreadNow {
        let mode = to_codex::mode(self.session.settings());
        let Some(attachment) = &mut self.attachment else { return ThreadNow::default() };
        let now = attachment.now.clone();
        if matches!(effect, Effect::StartTurn { .. }) {
            attachment.now.mode = Some(mode);
        }
        now
    }

    /// What is asked at once, whatever else is under way.
    fn ask_now(&mut self, effect: Effect) {
        let errand = self.errand();
        let Some((seat, thread_id)) = self.seat() else { return };
        self.spawn(async move {
            let there = There { errand: &errand, seat: &seat, thread_id: &thread_id };
            let heard = there.at_once(effect).await;
            errand.bring(Brought::Heard(heard), false).await;
        });
    }

    /// An answer goes to the process that asked, or nowhere.
    fn reply(&mut self, key: &RequestKey, answer: Answer) {
        let request = self.questions.remove(key);
        let Some((process, id)) = process_of(key) else { return };
        let Some((seat, _)) = self.seat().filter(|(seat, _)| seat.generation.id() == process) else { return };
        let id = request_id(id);
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

/// What is to be found out.
struct Asked {
    message_id: Option<MessageId>,
    turn_id: Option<String>,
    last_turn_id: Option<String>,
    thread_id: Option<String>,
    ephemeral: bool,
}

/// What became of a message: asked where it ran if that lives, else wherever the thread can be loaded again.
async fn find_out(errand: Errand, wanted: Wanted, place: Option<(Arc<Seat>, String)>, asked: Asked) {
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
        last_turn_id: asked.last_turn_id,
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
    let brought = if alive { Brought::Heard(heard) } else { Brought::Seated(Box::new(attachment), heard) };
    errand.bring(brought, true).await;
}

/// Asks until there is an answer; one who never answers is dead, or nobody can say.
async fn judged(seat: &Seat, question: &Question) -> Result<Verdict, Arc<End>> {
    for _ in 0..QUESTIONS {
        match examine::examine(seat.generation.client(), question).await {
            Ok(verdict) => return Ok(verdict),
            Err(CallError::Ended { end, .. }) => return Err(end),
            Err(CallError::TimedOut { .. }) => _ = seat.generation.probe().await,
            Err(_) => break,
        }
    }
    Ok(Verdict::Unknown)
}

/// A loaded thread, and somebody to ask about it.
struct There<'a> {
    errand: &'a Errand,
    seat: &'a Seat,
    thread_id: &'a str,
}

impl There<'_> {
    fn client(&self) -> &Client {
        self.seat.generation.client()
    }

    async fn start_turn(&self, effect: &Effect, settings: &Settings, now: &ThreadNow) -> Vec<Heard> {
        let Effect::StartTurn { message_id, input, options, after, .. } = effect else { return Vec::new() };
        let images = |sha256: &str| self.errand.house.files.path(self.errand.id, sha256);
        let start = TurnStart {
            thread_id: self.thread_id,
            message_id: *message_id,
            input,
            options,
            after: after.as_ref(),
            settings,
            now,
        };
        started(self.client().call::<calls::TurnStart>(&to_codex::turn_start(&start, &images)).await)
    }

    /// Work that waits for what came before it.
    async fn in_order(&self, effect: Effect) -> Vec<Heard> {
        let (client, thread) = (self.client(), self.thread_id);
        match effect {
            Effect::DropTurn { turn_id } => {
                // A turn that was never stored cannot be dropped, and need not be.
                let params = to_codex::drop_turn(thread, &turn_id);
                let _not_there = client.call::<calls::ThreadRevert>(&params).await;
                Vec::new()
            }
            Effect::Compact => {
                refused(client.call::<calls::ThreadCompactStart>(&to_codex::compact(thread)).await.map(drop))
            }
            Effect::Review(params) => {
                let answer = client.call::<calls::ReviewStart>(&to_codex::review(thread, &params)).await;
                match answer.as_ref().map(|answer| turn_named_in(answer.reply())) {
                    Ok(Some(turn_id)) => vec![Heard::TurnAccepted { turn_id }],
                    _ => refused(answer.map(drop)),
                }
            }
            Effect::SetName(name) => {
                let params = to_codex::set_name(thread, &name);
                warned(client.call::<calls::ThreadNameSet>(&params).await.map(drop), Code::NameNotSet)
            }
            Effect::Archive => {
                let params = to_codex::archive(thread);
                match client.call::<calls::ThreadArchive>(&params).await {
                    // Codex has unloaded the thread with it.
                    Ok(_) => vec![Heard::Parted],
                    refused => warned(refused.map(drop), Code::ArchiveFailed),
                }
            }
            Effect::Unarchive => {
                let params = to_codex::unarchive(thread);
                warned(client.call::<calls::ThreadUnarchive>(&params).await.map(drop), Code::ArchiveFailed)
            }
            _ => Vec::new(),
        }
    }

    /// What waits for nothing.
    async fn at_once(&self, effect: Effect) -> Vec<Heard> {
        let (client, thread_id) = (self.client(), self.thread_id);
        let images = |sha256: &str| self.errand.house.files.path(self.errand.id, sha256);
        match effect {
            Effect::Steer { message_id, input, turn_id } => {
                let steer =
                    Steer { thread_id, turn_id: &turn_id, message_id: Some(message_id), input: &input };
                let params = to_codex::turn_steer(&steer, &images);
                steered(message_id, &client.call::<calls::TurnSteer>(&params).await.map(drop))
            }
            Effect::Tell { turn_id, text } => {
                let input = [InputPart::Text { text }];
                let steer = Steer { thread_id, turn_id: &turn_id, message_id: None, input: &input };
                let params = to_codex::turn_steer(&steer, &images);
                let reached = client.call::<calls::TurnSteer>(&params).await.is_ok();
                vec![Heard::Told { turn_id, reached }]
            }
            Effect::Interrupt { turn_id } => {
                let params = to_codex::turn_interrupt(thread_id, &turn_id);
                interrupted(client.call::<calls::TurnInterrupt>(&params).await.map(drop))
            }
            Effect::AskTurn { turn_id } => self.ask_turn(turn_id.as_deref()).await,
            Effect::CleanTerminals => {
                let params = to_codex::clean_terminals(thread_id);
                let _nothing_to_clean = client.call::<calls::ThreadBackgroundTerminalsClean>(&params).await;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    async fn ask_turn(&self, turn_id: Option<&str>) -> Vec<Heard> {
        match examine::turn_now(self.client(), self.thread_id, turn_id).await {
            Ok(verdict) => vec![Heard::Verdict(verdict)],
            Err(CallError::TimedOut { .. }) => {
                // No answer about one turn: is there anyone at all? If not, it is killed, and we hear of that.
                self.seat.generation.probe().await;
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

fn started(answer: Result<selvedge_client::Answer<calls::TurnStart>, CallError>) -> Vec<Heard> {
    match answer {
        Ok(answer) => {
            let turn = turn_named_in(answer.reply());
            turn.map(|turn_id| vec![Heard::TurnAccepted { turn_id }]).unwrap_or_default()
        }
        Err(CallError::TimedOut { .. }) => vec![Heard::StartUnanswered],
        // The router reads to the end, and then says that the process is gone.
        Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => Vec::new(),
        Err(error) => vec![Heard::TurnRefused(to_codex::failure(&error))],
    }
}

/// The turn that an answer names.
fn turn_named_in(reply: &Reply) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(reply.result().get()).ok()?;
    Some(answer["turn"]["id"].as_str()?.to_owned())
}

fn refused(answer: Result<(), CallError>) -> Vec<Heard> {
    match answer {
        Ok(()) | Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => Vec::new(),
        Err(error) => vec![Heard::TurnRefused(to_codex::failure(&error))],
    }
}

fn warned(answer: Result<(), CallError>, code: Code) -> Vec<Heard> {
    match answer {
        Ok(()) | Err(CallError::Ended { .. }) => Vec::new(),
        Err(error) => {
            let message = format!("{}: {error}", code.message());
            vec![Heard::Warning { code, message, hint: code.hint().map(str::to_owned) }]
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
    let code = match effect {
        Effect::Archive | Effect::Unarchive => Code::ArchiveFailed,
        Effect::SetName(_) => Code::NameNotSet,
        // Nothing else is asked for before there is a thread.
        _ => return Vec::new(),
    };
    let Some(thread_id) = thread_id else { return Vec::new() };
    match seating::find(errand, wanted).await {
        Ok(seat) => There { errand, seat: &seat, thread_id: &thread_id }.in_order(effect).await,
        Err(_no_seat) => {
            vec![Heard::Warning { code, message: code.message().to_owned(), hint: None }]
        }
    }
}

fn steered(message_id: MessageId, answer: &Result<(), CallError>) -> Vec<Heard> {
    match answer {
        Ok(()) => vec![Heard::Steered { message_id, joined: true }],
        // Unknown: what the process says of the turn, or its end, decides.
        Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => Vec::new(),
        Err(_) => vec![Heard::Steered { message_id, joined: false }],
    }
}

fn interrupted(answer: Result<(), CallError>) -> Vec<Heard> {
    match answer {
        Ok(()) => vec![Heard::InterruptAnswered { not_started: false }],
        Err(error) if to_codex::refused(&error) == Some(Refused::TurnNotStarted) => {
            vec![Heard::InterruptAnswered { not_started: true }]
        }
        // Not answered in time: the ladder goes on by itself.
        Err(_) => Vec::new(),
    }
}

/// A request's id as it stands in its key.
fn request_id(text: &str) -> RequestId<'static> {
    match text.parse() {
        Ok(number) => RequestId::Int(number),
        Err(_) => RequestId::Text(text.to_owned().into()),
    }
}
