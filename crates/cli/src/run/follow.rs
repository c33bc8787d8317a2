//! Follows one message to its end: shows what happens, asks what is to be asked, and hears Ctrl-C.

use std::{
    collections::VecDeque,
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use selvedge_runtime::{Answer, Error, Written};
use selvedge_session::{
    ApprovalId, Code, Event, MessageId, What,
    data::{ApprovalRequested, Decision},
};
use tokio::time::{interval, timeout};

use super::{outcome::Ended, signals::Signals, surface::Surface};
use crate::{
    ask::{self, CHOICES},
    exit,
    failure::Failure,
    place::{Events, Heard, Session},
};

/// How often the progress line is drawn.
const BEAT: Duration = Duration::from_millis(250);
/// After a second Ctrl-C the end is awaited so long.
const PATIENCE: Duration = Duration::from_secs(10);

type Asking = Pin<Box<dyn Future<Output = io::Result<Answer>> + Send>>;

pub(super) struct Follow {
    session: Session,
    message_id: MessageId,
    events: Events,
    surface: Surface,
    signals: Signals,
    begun: Instant,
    /// Questions nobody has answered yet, the one that is asked first.
    questions: VecDeque<ApprovalRequested>,
    asking: Option<Asking>,
    interrupts: u32,
    cancelled: bool,
    /// Nobody can see it any more.
    blind: bool,
}

impl Follow {
    pub(super) fn new(
        session: Session,
        message_id: MessageId,
        events: Events,
        surface: Surface,
    ) -> Result<Self, Failure> {
        Ok(Self {
            session,
            message_id,
            events,
            surface,
            signals: Signals::new().map_err(Failure::start)?,
            begun: Instant::now(),
            questions: VecDeque::new(),
            asking: None,
            interrupts: 0,
            cancelled: false,
            blind: false,
        })
    }

    /// Until the message has ended.
    pub(super) async fn until_it_ends(mut self) -> Result<Ended, Failure> {
        let mut beat = interval(BEAT);
        loop {
            let asking = async {
                match &mut self.asking {
                    Some(asking) => asking.await,
                    None => std::future::pending().await,
                }
            };
            let happened = tokio::select! {
                heard = self.events.next() => Happened::Heard(heard?),
                answer = asking => Happened::Answered(answer),
                () = self.signals.next() => Happened::Signal,
                _ = beat.tick() => Happened::Beat,
            };
            if let Some(ended) = self.handle(happened).await? {
                return Ok(ended);
            }
        }
    }

    async fn handle(&mut self, happened: Happened) -> Result<Option<Ended>, Failure> {
        match happened {
            Happened::Heard(heard) => return self.heard(heard).await,
            Happened::Answered(answer) => self.answered(answer).await?,
            Happened::Signal => self.interrupted().await?,
            Happened::Beat if self.asking.is_none() => {
                let drawn = self.surface.progress(self.begun.elapsed());
                self.seen(drawn).await?;
            }
            Happened::Beat => {}
        }
        Ok(None)
    }

    async fn heard(&mut self, heard: Heard) -> Result<Option<Ended>, Failure> {
        if let Some(aside) = heard.aside() {
            let said = self.surface.aside(aside);
            self.seen(said).await?;
        }
        match heard {
            Heard::Events(page) => self.page(&page).await,
            Heard::Lost | Heard::Back => {
                self.ask_next()?;
                Ok(None)
            }
        }
    }

    async fn page(&mut self, page: &[Written]) -> Result<Option<Ended>, Failure> {
        for written in page {
            let event = written.read()?;
            if !self.blind {
                let shown = self.surface.show(written, &event);
                self.seen(shown).await?;
            }
            if let Some(ended) = self.event(event).await? {
                let shown = self.surface.ended(&ended.finished.text);
                return if self.blind {
                    Err(Failure::output(&io::ErrorKind::BrokenPipe.into()))
                } else {
                    Ok(shown.map(|()| Some(ended))?)
                };
            }
        }
        self.ask_next()?;
        Ok(None)
    }

    async fn event(&mut self, event: Event) -> Result<Option<Ended>, Failure> {
        match event.what {
            What::MessageFinished(finished) if finished.message_id == self.message_id => {
                return Ok(Some(Ended { finished, cancelled: self.cancelled }));
            }
            What::ApprovalRequested(asked) if self.surface.is_terminal() => self.questions.push_back(asked),
            What::ApprovalRequested(asked) => self.decline(asked.approval_id).await?,
            What::ApprovalResolved(it) => {
                self.cancelled |= it.decision == Decision::Cancel && it.by != "codex";
                self.no_longer_asked(it.approval_id);
            }
            _ => {}
        }
        Ok(None)
    }

    /// In a pipe nobody can say yes. A policy of the session may have answered already.
    async fn decline(&mut self, id: ApprovalId) -> Result<(), Failure> {
        let answer = Answer::new(Decision::Decline, "unattended");
        self.give(id, answer).await
    }

    async fn give(&mut self, id: ApprovalId, answer: Answer) -> Result<(), Failure> {
        match self.session.answer(id, answer).await {
            Err(error) if !matches!(error.code, Code::AlreadyAnswered | Code::NotFound) => Err(error.into()),
            // The first answer wins; the event says whose it was.
            _ => Ok(()),
        }
    }

    /// Somebody else was faster, or the turn has ended.
    fn no_longer_asked(&mut self, id: ApprovalId) {
        let first = self.questions.front().is_some_and(|asked| asked.approval_id == id);
        self.questions.retain(|asked| asked.approval_id != id);
        if first {
            self.asking = None;
        }
    }

    /// Puts the first open question, or puts it again after other things were shown.
    fn ask_next(&mut self) -> io::Result<()> {
        let Surface::Terminal(terminal, tty) = &mut self.surface else { return Ok(()) };
        let Some(first) = self.questions.front() else { return Ok(()) };
        if self.asking.is_none() {
            let keys = tty.listen()?;
            self.asking = Some(Box::pin(ask::ask(Arc::clone(tty), keys, first.clone())));
        }
        terminal.screen.end_line()?;
        terminal.screen.text(None, CHOICES)
    }

    async fn answered(&mut self, answer: io::Result<Answer>) -> Result<(), Failure> {
        self.asking = None;
        if let Surface::Terminal(terminal, _) = &mut self.surface {
            terminal.screen.at_line_start();
        }
        let Some(asked) = self.questions.pop_front() else { return Ok(()) };
        match answer {
            Ok(answer) => self.give(asked.approval_id, answer).await,
            // The terminal is gone: nobody has said yes.
            Err(_) => self.interrupted().await,
        }
    }

    /// The first time the turn is stopped, the second time its process is killed, the third time we just go. A signal that
    /// comes while the one before is being told counts.
    async fn interrupted(&mut self) -> Result<(), Failure> {
        loop {
            self.interrupts += 1;
            let session = self.session.clone();
            let (id, force) = (self.message_id, self.interrupts > 1);
            match self.interrupts {
                1 => {
                    let said = self.surface.aside("interrupting … (again: end it now)");
                    self.seen_quietly(&said);
                }
                2 => {}
                _ => return Err(left()),
            }
            let stop = async move {
                match force {
                    false => session.take_back(id).await,
                    true => timeout(PATIENCE, session.interrupt(true)).await.unwrap_or(Ok(())),
                }
            };
            tokio::select! {
                stopped = stop => return stopped_or_why(stopped),
                () = self.signals.next() => {}
            }
        }
    }

    /// When nobody reads any more, the turn is stopped and its end awaited.
    async fn seen(&mut self, shown: io::Result<()>) -> Result<(), Failure> {
        if shown.is_err() && !self.blind {
            self.blind = true;
            self.interrupted().await?;
        }
        Ok(())
    }

    fn seen_quietly(&mut self, shown: &io::Result<()>) {
        self.blind |= shown.is_err();
    }
}

fn left() -> Failure {
    let hint = "the turn may still be cut: `selvedge sessions show` says how it ended";
    Failure::new(exit::INTERRUPTED, "ended at once", Some(hint))
}

fn stopped_or_why(stopped: Result<(), Error>) -> Result<(), Failure> {
    match stopped {
        // It ended by itself a moment ago.
        Err(error) if matches!(error.code, Code::Idle | Code::NotFound | Code::NotQueued) => Ok(()),
        Err(error) if error.code == Code::GatewayUnreachable => {
            let hint = "the turn goes on when the gateway does; `selvedge attach` can stop it then";
            Err(Failure::new(exit::INTERRUPTED, &error.message, Some(hint)))
        }
        stopped => Ok(stopped?),
    }
}

/// Everything that can wake it.
enum Happened {
    Heard(Heard),
    Answered(io::Result<Answer>),
    Signal,
    Beat,
}
