//! A session's events in a dialect, for whoever reads them: from a message on, and then live.

use selvedge_dialects::{Dialect, Speaker, Spoken, event_of};
use selvedge_runtime::{Error, Events, Runtime};
use selvedge_session::{Code, SessionId};

/// Events read at once, and their bytes.
const CHUNK: usize = 512;
const CHUNK_BYTES: usize = 64 << 10;

/// A reader of a session in a dialect. The speaker has heard everything before, and says what comes after a number.
pub(crate) struct Reading {
    speaker: Speaker,
    events: Events,
    after: u64,
}

impl Reading {
    /// From the message after this number on. One that is not there yet is refused, as over an event's number.
    pub(crate) async fn open(
        runtime: &Runtime,
        id: SessionId,
        dialect: Dialect,
        after: u64,
    ) -> Result<Self, Error> {
        let newest = runtime.event_page(id, event_of(after), 1).await?.last_seq;
        if event_of(after) > newest {
            return Err(Error::of(Code::CursorAhead));
        }
        let events = runtime.events(id, 0).await?;
        Ok(Self { speaker: Speaker::of(dialect), events, after })
    }

    /// What is said next, at least one message; waits for it. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Vec<Spoken>, Error> {
        loop {
            let page = self.events.next_within(CHUNK, CHUNK_BYTES).await?;
            let said = self.hear(&page)?;
            if !said.is_empty() {
                return Ok(said);
            }
            // A long past is heard in one go: whoever else is served here has a turn between its pages.
            tokio::task::yield_now().await;
        }
    }

    /// Everything that is there already.
    pub(crate) async fn there(&mut self) -> Result<Vec<Spoken>, Error> {
        let mut all = Vec::new();
        loop {
            let page = self.events.there(CHUNK).await?;
            if page.is_empty() {
                return Ok(all);
            }
            all.extend(self.hear(&page)?);
            tokio::task::yield_now().await;
        }
    }

    fn hear(&mut self, page: &[selvedge_runtime::Written]) -> Result<Vec<Spoken>, Error> {
        let mut said = Vec::new();
        for written in page {
            said.extend(self.speaker.hear(&written.read()?));
        }
        said.retain(|spoken| spoken.number > self.after);
        Ok(said)
    }

    /// The speaker, who knows what its listeners may answer.
    pub(crate) fn speaker(&self) -> &Speaker {
        &self.speaker
    }
}
