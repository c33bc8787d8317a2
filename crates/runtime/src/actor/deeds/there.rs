//! What is said to Codex about a loaded thread, and what its answers mean to the session.

use std::sync::Arc;

use selvedge_client::{Abilities, CallError, Client, Reply, Reserved, protocol::calls};
use selvedge_session::{Code, Effect, Heard, InputPart, MessageId, Settings};

use super::super::seating::Errand;
use crate::{
    examine,
    fleet::Seat,
    to_codex::{self, Refused, Steer, ThreadNow, TurnStart},
    unwind,
};

/// A loaded thread, and somebody to ask about it.
pub(super) struct There<'a> {
    pub(super) errand: &'a Errand,
    pub(super) seat: &'a Seat,
    can: Arc<Abilities>,
    pub(super) thread_id: &'a str,
}

/// What a turn begins with, beside its message.
pub(super) struct Beginning {
    pub(super) id: Reserved,
    pub(super) settings: Settings,
    pub(super) now: ThreadNow,
}

impl<'a> There<'a> {
    /// At a seat. What Codex can do was asked when the thread was loaded; one that is gone since then says so itself.
    pub(super) async fn at(errand: &'a Errand, seat: &'a Seat, thread_id: &'a str) -> Self {
        let can = seat.generation.abilities().await.unwrap_or_default();
        Self { errand, seat, can, thread_id }
    }

    fn client(&self) -> &Client {
        self.seat.generation.client()
    }

    pub(super) async fn start_turn(
        &self,
        effect: &Effect,
        Beginning { id, settings, now }: Beginning,
    ) -> Vec<Heard> {
        let Effect::StartTurn { message_id, input, options, after, .. } = effect else { return Vec::new() };
        let images = |sha256: &str| self.errand.house.files.path(self.errand.id, sha256);
        let start = TurnStart {
            thread_id: self.thread_id,
            message_id: *message_id,
            input,
            options,
            after: after.as_ref(),
            settings: &settings,
            now: &now,
        };
        if options.output_schema.is_some() && !self.can.output_schema() {
            return vec![Heard::TurnRefused(to_codex::too_old("be asked for JSON of a shape"))];
        }
        let params = to_codex::turn_start(&start, &images);
        let replaced = options.effort.as_deref().and_then(|it| to_codex::replaced_effort(it, &self.can));
        let told = replaced.map(|it| Heard::Warning { code: it.code, message: it.message, hint: it.hint });
        let answer = self.client().call_as::<calls::TurnStart>(id, &params).await;
        told.into_iter().chain(started(answer)).collect()
    }

    /// Work that waits for what came before it.
    pub(super) async fn in_order(&self, effect: Effect) -> Vec<Heard> {
        let (client, thread) = (self.client(), self.thread_id);
        match effect {
            Effect::DropTurn { turn_id } => {
                let dropped = unwind::drop_turn(client, &self.can, thread, &turn_id).await;
                let kept =
                    "this Codex keeps a turn that was cut in the history: the model reads its message twice";
                (!dropped).then(|| missing(kept)).into_iter().collect()
            }
            Effect::Compact if !self.can.has("thread/compact/start") => {
                // As it was called before.
                refused(client.request("thread/compact", &to_codex::compact(thread)).await.map(drop))
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
            errand => self.errand_run(&errand).await.unwrap_or_default(),
        }
    }

    /// A name, an archive: what came of it, or nothing if the app-server ended before it answered.
    pub(super) async fn errand_run(&self, effect: &Effect) -> Option<Vec<Heard>> {
        let (client, thread) = (self.client(), self.thread_id);
        match effect {
            // The name is ours first; who has no names is not told it.
            Effect::SetName(name) if !self.can.has("thread/name/set") => {
                Some(vec![Heard::Named { name: name.clone(), told: true }])
            }
            Effect::Unarchive if !self.can.has("thread/unarchive") => {
                let heard = Heard::PutAway { away: false };
                Some(vec![missing("this Codex cannot take a thread out of its archive"), heard])
            }
            Effect::SetName(name) => {
                let answer = client.call::<calls::ThreadNameSet>(&to_codex::set_name(thread, name)).await;
                // One that is put away, or that this app-server would have to load first.
                let told = !is_gone(&answer);
                let answer = if told { answer.map(drop) } else { Ok(()) };
                done(answer, Code::NameNotSet, Heard::Named { name: name.clone(), told })
            }
            Effect::Archive => {
                let answer = client.call::<calls::ThreadArchive>(&to_codex::archive(thread)).await;
                // One that is not there was put away already, or never written.
                let answer = if is_gone(&answer) { Ok(()) } else { answer.map(drop) };
                // Codex has unloaded the thread with it.
                let unloaded = answer.is_ok().then_some(Heard::Parted);
                let mut heard = done(answer, Code::ArchiveFailed, Heard::PutAway { away: true })?;
                heard.extend(unloaded);
                Some(heard)
            }
            Effect::Unarchive => {
                let answer = client.call::<calls::ThreadUnarchive>(&to_codex::unarchive(thread)).await;
                let answer = if is_gone(&answer) { Ok(()) } else { answer.map(drop) };
                done(answer, Code::ArchiveFailed, Heard::PutAway { away: false })
            }
            _ => Some(Vec::new()),
        }
    }

    /// What waits for nothing.
    pub(super) async fn at_once(&self, id: Reserved, effect: Effect) -> Vec<Heard> {
        let (client, thread_id) = (self.client(), self.thread_id);
        let images = |sha256: &str| self.errand.house.files.path(self.errand.id, sha256);
        match effect {
            Effect::Steer { message_id, .. } if !self.can.steer() => {
                let waits = "this Codex takes no message into a running turn: it waits for the turn's end";
                vec![missing(waits), Heard::Steered { message_id, joined: false }]
            }
            Effect::Tell { turn_id, .. } if !self.can.steer() => {
                vec![Heard::Told { turn_id, reached: false }]
            }
            Effect::Steer { message_id, input, turn_id } => {
                let steer =
                    Steer { thread_id, turn_id: &turn_id, message_id: Some(message_id), input: &input };
                let params = to_codex::turn_steer(&steer, &images);
                steered(message_id, &client.call_as::<calls::TurnSteer>(id, &params).await.map(drop))
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
            Effect::InterruptChild { thread_id, turn_id } => {
                let params = to_codex::turn_interrupt(&thread_id, &turn_id);
                // One that has ended meanwhile needs none; of the others their end is heard.
                let _ended = client.call::<calls::TurnInterrupt>(&params).await;
                self.clean_terminals(&thread_id).await
            }
            Effect::AskTurn { turn_id } => self.ask_turn(turn_id.as_deref()).await,
            Effect::CleanTerminals => self.clean_terminals(thread_id).await,
            _ => Vec::new(),
        }
    }

    /// Codex keeps the commands of a turn that was stopped.
    async fn clean_terminals(&self, thread_id: &str) -> Vec<Heard> {
        if !self.can.background_terminals() {
            return Vec::new();
        }
        let params = to_codex::clean_terminals(thread_id);
        let _nothing_to_clean = self.client().call::<calls::ThreadBackgroundTerminalsClean>(&params).await;
        Vec::new()
    }

    async fn ask_turn(&self, turn_id: Option<&str>) -> Vec<Heard> {
        match examine::turn_now((self.client(), &self.can), self.thread_id, turn_id).await {
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

/// What people should know of their Codex; a session is told it once.
fn missing(what: &str) -> Heard {
    let code = Code::AbilityMissing;
    Heard::Warning { code, message: what.to_owned(), hint: Some(code.hint().to_owned()) }
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

/// Whether Codex has no such thread, or not where it was looked for.
fn is_gone<T>(answer: &Result<T, CallError>) -> bool {
    let refused = answer.as_ref().err().and_then(to_codex::refused);
    refused == Some(Refused::ThreadGone)
}

/// An errand that was done, or refused with a warning; nothing of one that the next app-server has to be asked for.
fn done(answer: Result<(), CallError>, code: Code, heard: Heard) -> Option<Vec<Heard>> {
    match answer {
        Ok(()) => Some(vec![heard]),
        Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => None,
        Err(error) => {
            let message = format!("{}: {error}", code.message());
            Some(vec![Heard::Warning { code, message, hint: Some(code.hint().to_owned()) }, heard])
        }
    }
}

fn steered(message_id: MessageId, answer: &Result<(), CallError>) -> Vec<Heard> {
    match answer {
        Ok(()) => vec![Heard::Steered { message_id, joined: true }],
        // Unknown: what the process says of the turn, or its end, decides.
        Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => Vec::new(),
        Err(CallError::TimedOut { .. }) => vec![Heard::SteerUnanswered { message_id }],
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
