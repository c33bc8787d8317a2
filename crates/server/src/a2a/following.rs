//! A task as it stands, and as it goes on: its events, told.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use selvedge_runtime::{Error, Events, Runtime, Written};
use selvedge_session::What;

use super::{
    notes::{self, FoundTask, Whose},
    words::{Message, State, Telling, Update, file_of},
};

/// Events read at once.
const PAGE: usize = 512;

/// How much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Everything, words as they come.
    Closely,
    /// Everything, words when they are whole.
    Whole,
    /// How it stands, and not what it came to.
    Glance,
}

/// Somebody who reads a task. It costs a cursor.
pub(crate) struct Following {
    runtime: Runtime,
    task: FoundTask,
    telling: Telling,
    events: Option<Events>,
    how: How,
}

impl Following {
    /// The task as it stands now.
    pub(crate) async fn open(runtime: &Runtime, task: FoundTask) -> Result<Self, Error> {
        Self::with(runtime, task, How::Closely).await
    }

    /// The same for who does not want to know what it came to.
    pub(crate) async fn at_a_glance(runtime: &Runtime, task: FoundTask) -> Result<Self, Error> {
        Self::with(runtime, task, How::Glance).await
    }

    /// For who was told everything up to an event: with what was there since. Pieces of words are not told.
    pub(crate) async fn from(
        runtime: &Runtime,
        task: FoundTask,
        told: u64,
    ) -> Result<(Self, Vec<(u64, Update)>), Error> {
        let mut following = Self::begun(runtime, task, How::Whole).await?;
        let mut updates = following.told_by_now().await?;
        updates.retain(|(seq, _)| *seq > told);
        updates.extend(following.closed());
        Ok((following, updates))
    }

    async fn with(runtime: &Runtime, task: FoundTask, how: How) -> Result<Self, Error> {
        let mut following = Self::begun(runtime, task, how).await?;
        following.catch_up().await?;
        following.closed();
        Ok(following)
    }

    async fn begun(runtime: &Runtime, task: FoundTask, how: How) -> Result<Self, Error> {
        let note = &task.note;
        let mut telling = Telling::new(task.id, &note.context, note.at);
        if let Some(message) = Message::kept(&note.message) {
            telling.say((note.at, note.after), message);
        }
        for (id, said) in notes::all_said(runtime, task.id).await? {
            telling.expect(id);
            if let Some(message) = Message::kept(&said.message) {
                telling.say((said.at, said.after), message);
            }
        }
        let events = match runtime.session(task.session).await {
            Ok(session) => Some(session.events(note.after).await?),
            Err(_) if note.closed.is_some() => None,
            Err(error) => return Err(error),
        };
        Ok(Self { runtime: runtime.clone(), task, telling, events, how })
    }

    /// Its end, if no event says it.
    fn closed(&mut self) -> Option<(u64, Update)> {
        let closed = self.task.note.closed.as_ref()?;
        let state = State::read(&closed.state.as_str().into()).unwrap_or(State::Failed);
        Some((self.seq(), self.telling.close(state, closed.at, closed.why.as_deref())))
    }

    /// Looks again whether it has such an end by now.
    pub(crate) async fn look_whether_closed(&mut self, whose: &Whose) -> Result<Vec<(u64, Update)>, Error> {
        if let Some(found) = whose.find(&self.runtime, self.task.id).await? {
            self.task = found;
        }
        Ok(self.closed().into_iter().collect())
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
        self.told_by_now().await.map(drop)
    }

    async fn told_by_now(&mut self) -> Result<Vec<(u64, Update)>, Error> {
        let mut told = Vec::new();
        while !self.telling.state().is_end() {
            let Some(events) = &mut self.events else { break };
            let page = events.there(PAGE).await?;
            if page.is_empty() {
                break;
            }
            told.extend(self.tell(&page).await?);
        }
        Ok(told)
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
            if self.how != How::Closely && written.name() == "item.delta" {
                continue;
            }
            let event = written.read()?;
            if let What::MessageAccepted(it) = &event.what
                && it.message_id != self.task.id
                && self.runtime.noted(&notes::said(self.task.id, it.message_id)).await?.is_some()
            {
                self.telling.expect(it.message_id);
            }
            if let What::ToolResolved(it) = &event.what
                && self.how != How::Glance
                && let Some(sha256) = file_of(it)
            {
                // One that is gone is told without what it held.
                let file = self.runtime.attachment(self.task.session, &sha256).await.unwrap_or_default();
                self.telling.bring(&sha256, BASE64_STANDARD.encode(file));
            }
            told.extend(self.telling.take(&event).into_iter().map(|update| (event.seq, update)));
        }
        Ok(told)
    }
}
