//! The conversation: what happens is shown, what is typed is done.

use std::collections::VecDeque;

use selvedge_runtime::{Answer, Message, Written};
use selvedge_session::{ApprovalId, Event, MessageId, What};
use tokio::sync::mpsc;

use super::{
    editor::{Above, Before, Editor, Typed},
    words::{HELP, Words},
};
use crate::{
    failure::Failure,
    history,
    place::{Events, Heard, Session},
    show::{
        clean::clean,
        screen::Screen,
        style::{Look, Style},
        terminal::Terminal,
    },
};

pub(super) struct Talk {
    session: Session,
    events: Events,
    typed: mpsc::Receiver<Typed>,
    terminal: Terminal<Above>,
    /// Open questions, the oldest first.
    open: VecDeque<ApprovalId>,
    /// Messages sent from here that have not ended.
    sent: Vec<MessageId>,
    /// Somebody is at a terminal.
    person: bool,
    _before: Before,
    /// The input has ended, but not everything that was sent.
    leaving: bool,
}

impl Talk {
    /// Begins with the last message, so that it is clear where things stand.
    pub(super) async fn begin(session: Session, editor: Editor) -> Result<Self, Failure> {
        let last = history::messages(&session).await?.last().map_or(1, |sent| sent.seq);
        let events = session.events(last - 1).await?;
        let Editor { typed, above, person, before } = editor;
        let style = if person { Style::of_terminal() } else { Style::PLAIN };
        // The line that is typed stands where progress would.
        let terminal = Terminal::new(Screen::new(above, style, false));
        let (open, sent) = (VecDeque::new(), Vec::new());
        let mut talk =
            Self { session, events, typed, terminal, open, sent, person, leaving: false, _before: before };
        if person {
            talk.aside(HELP)?;
        }
        Ok(talk)
    }

    /// Until the person leaves, or a pipe has ended and everything sent through it too.
    pub(super) async fn until_left(mut self) -> Result<(), Failure> {
        loop {
            let goes_on = tokio::select! {
                heard = self.events.next() => {
                    self.heard(heard?)?;
                    true
                }
                typed = self.typed.recv(), if !self.leaving => self.typed(typed.unwrap_or(Typed::End)).await?,
            };
            if !goes_on || (self.leaving && self.sent.is_empty()) {
                return Ok(self.terminal.ended()?);
            }
        }
    }

    fn heard(&mut self, heard: Heard) -> Result<(), Failure> {
        if let Some(aside) = heard.aside() {
            return self.aside(aside);
        }
        match heard {
            Heard::Events(page) => self.page(&page),
            Heard::Lost | Heard::Back => Ok(()),
        }
    }

    fn page(&mut self, page: &[Written]) -> Result<(), Failure> {
        for written in page {
            let event = written.read()?;
            self.terminal.event(&event)?;
            self.note(event)?;
        }
        Ok(())
    }

    fn note(&mut self, event: Event) -> Result<(), Failure> {
        match event.what {
            What::MessageAccepted(it) => {
                let text = history::said(&it.input);
                let who = it.sender.map(|sender| format!(" ({})", clean(&sender))).unwrap_or_default();
                let line = format!("» {}{who}", clean(&text));
                self.line(Look::Bold, &line)
            }
            What::ApprovalRequested(it) => {
                self.open.push_back(it.approval_id);
                self.aside("/approve, /approve session or /decline [message]")
            }
            What::ApprovalResolved(it) => {
                self.open.retain(|id| *id != it.approval_id);
                Ok(())
            }
            What::MessageFinished(it) => {
                self.sent.retain(|id| *id != it.message_id);
                let status = serde_json::to_value(it.status).unwrap_or_default();
                let why = it.error.map(|why| format!(": {}", clean(&why.message))).unwrap_or_default();
                self.line(Look::Dim, &format!("({}{why})", status.as_str().unwrap_or_default()))
            }
            _ => Ok(()),
        }
    }

    /// Whether to stay.
    async fn typed(&mut self, typed: Typed) -> Result<bool, Failure> {
        match typed {
            Typed::Line(line) => return self.words(Words::read(&line)).await,
            Typed::Interrupt => {
                let interrupted = self.session.interrupt(false).await;
                self.refused(interrupted)?;
            }
            Typed::End if self.person => return Ok(false),
            Typed::End => self.leaving = true,
        }
        Ok(true)
    }

    async fn words(&mut self, words: Words) -> Result<bool, Failure> {
        match words {
            Words::Nothing => {}
            Words::Quit => return Ok(false),
            Words::Unknown(word) => self.aside(&format!("{word}? {HELP}"))?,
            Words::Interrupt => {
                let interrupted = self.session.interrupt(false).await;
                self.refused(interrupted)?;
            }
            Words::Say(text) => match self.session.send(Message::text(text)).await {
                Ok(receipt) => self.sent.push(receipt.message_id),
                Err(error) => self.refused(Err(error))?,
            },
            Words::Answer(decision, message) => {
                let Some(id) = self.open.front().copied() else {
                    self.aside("nothing is asked")?;
                    return Ok(true);
                };
                let answer = Answer { message, ..Answer::new(decision, "attach") };
                let answered = self.session.answer(id, answer).await;
                self.refused(answered)?;
            }
        }
        Ok(true)
    }

    /// What was not done is said; it is no reason to leave.
    fn refused(&mut self, done: Result<(), selvedge_runtime::Error>) -> Result<(), Failure> {
        let Err(error) = done else { return Ok(()) };
        let hint = error.hint.map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
        self.line(Look::Bad, &format!("{}{hint}", error.message))
    }

    fn aside(&mut self, text: &str) -> Result<(), Failure> {
        self.line(Look::Dim, text)
    }

    fn line(&mut self, look: Look, text: &str) -> Result<(), Failure> {
        let line = self.terminal.screen.style().paint(look, text).into_owned();
        Ok(self.terminal.screen.line(&line)?)
    }
}
