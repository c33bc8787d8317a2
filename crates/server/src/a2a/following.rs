//! A task as it stands, and as it goes on: its events, told.

use selvedge_runtime::{Error, Events, Runtime, Written};
use selvedge_session::What;

use super::{
    notes::{self, FoundTask},
    words::{Message, State, Telling, Update},
};

/// Events read at once.
const PAGE: usize = 512;

/// Somebody who reads a task. It costs a cursor.
pub(crate) struct Following {
    runtime: Runtime,
    task: FoundTask,
    telling: Telling,
    events: Option<Events>,
    /// Pieces of words are told too.
    closely: bool,
}

impl Following {
    /// The task as it stands now.
    pub(crate) async fn open(runtime: &Runtime, task: FoundTask) -> Result<Self, Error> {
        Self::with(runtime, task, true).await
    }

    /// The same for who does not want to know what it came to.
    pub(crate) async fn at_a_glance(runtime: &Runtime, task: FoundTask) -> Result<Self, Error> {
        Self::with(runtime, task, false).await
    }

    async fn with(runtime: &Runtime, task: FoundTask, closely: bool) -> Result<Self, Error> {
        let note = &task.note;
        let mut telling = Telling::new(task.id, &note.context, note.at);
        if let Some(message) = Message::kept(&note.message) {
            telling.say(note.at, message);
        }
        for (id, said) in notes::all_said(runtime, task.id).await? {
            telling.expect(id);
            if let Some(message) = Message::kept(&said.message) {
                telling.say(said.at, message);
            }
        }
        let events = match runtime.session(task.session).await {
            Ok(session) => Some(session.events(note.after).await?),
            Err(_) if note.closed.is_some() => None,
            Err(error) => return Err(error),
        };
        let mut following = Self { runtime: runtime.clone(), task, telling, events, closely };
        following.catch_up().await?;
        if let Some(closed) = &following.task.note.closed {
            let state = State::read(&closed.state.as_str().into()).unwrap_or(State::Failed);
            following.telling.close(state, closed.at, closed.why.as_deref());
        }
        Ok(following)
    }

    pub(crate) fn telling(&self) -> &Telling {
        &self.telling
    }

    pub(crate) fn found(&self) -> &FoundTask {
        &self.task
    }

    /// The last event that was read.
    pub(crate) fn seq(&self) -> u64 {
        self.events.as_ref().map_or(0, Events::seq)
    }

    /// Reads what is there.
    pub(crate) async fn catch_up(&mut self) -> Result<(), Error> {
        while !self.telling.state().is_end() {
            let Some(events) = &mut self.events else { return Ok(()) };
            let page = events.there(PAGE).await?;
            if page.is_empty() {
                return Ok(());
            }
            self.tell(&page).await?;
        }
        Ok(())
    }

    /// What happens next, with the numbers of the events that say it; waits for it. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Vec<(u64, Update)>, Error> {
        loop {
            let Some(events) = &mut self.events else { return std::future::pending().await };
            let page = events.next(PAGE).await?;
            let told = self.tell(&page).await?;
            if !told.is_empty() {
                return Ok(told);
            }
        }
    }

    /// Waits until it has ended or waits for somebody.
    pub(crate) async fn rest(&mut self) -> Result<(), Error> {
        loop {
            self.catch_up().await?;
            let state = self.telling.state();
            if state.is_end() || state.waits() {
                return Ok(());
            }
            self.next().await?;
        }
    }

    /// Waits for its end.
    pub(crate) async fn end(&mut self) -> Result<(), Error> {
        while !self.telling.state().is_end() {
            self.next().await?;
        }
        Ok(())
    }

    async fn tell(&mut self, page: &[Written]) -> Result<Vec<(u64, Update)>, Error> {
        let mut told = Vec::new();
        for written in page {
            if !self.closely && written.name() == "item.delta" {
                continue;
            }
            let event = written.read()?;
            if let What::MessageAccepted(it) = &event.what
                && it.message_id != self.task.id
                && let Some(said) = self.runtime.noted(&notes::said(self.task.id, it.message_id)).await?
            {
                self.telling.expect(it.message_id);
                drop(said);
            }
            told.extend(self.telling.take(&event).into_iter().map(|update| (event.seq, update)));
        }
        Ok(told)
    }
}
