//! A browser that speaks the Companion's language.

use std::time::Duration;

use futures_util::future::BoxFuture;
use selvedge_dialects::companion::{Heard, Message, Past, Speaker, Update};
use selvedge_runtime::{Error, Events, SessionHandle, Written};
use tokio::time::timeout;

use super::{
    Guest,
    wire::{Gone, Wire},
    wishes::Wanted,
};

/// Events read at once.
const PAGE: usize = 512;
const PAGE_BYTES: usize = 64 << 10;
/// A browser that says nothing for so long does not subscribe.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves a browser until it goes.
pub(crate) async fn serve(guest: Guest, mut wire: Wire) {
    let opened = match Browser::open(guest, &mut wire).await {
        Ok(browser) => browser,
        Err(Left::Gone) => return,
        Err(Left::Failed(error)) => {
            let _gone = wire.say(&said(&error)).await;
            return;
        }
    };
    if let Err(Left::Failed(error)) = Box::pin(opened.live(&mut wire)).await {
        let _gone = wire.say(&said(&error)).await;
    }
}

/// Why a browser is served no longer.
enum Left {
    Gone,
    Failed(Error),
}

impl From<Gone> for Left {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

impl From<Error> for Left {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

struct Browser {
    guest: Guest,
    speaker: Speaker,
    events: Events,
    /// What is asked beside the journal, and not answered yet.
    beside: Option<BoxFuture<'static, Update>>,
}

impl Browser {
    /// Tells how the session stands, and then what the browser missed.
    async fn open(guest: Guest, wire: &mut Wire) -> Result<Self, Left> {
        let (speaker, past, events) = caught_up(&guest.session).await?;
        for message in past.opened(&speaker, beside(guest.session.clone()).await) {
            wire.say(&message).await?;
        }
        let mut browser = Self { guest, speaker, events, beside: None };
        // Nothing live is told before that: the browser takes what is older for known.
        let first = match timeout(PATIENCE, wire.next()).await {
            Ok(frame) => Some(frame?),
            Err(_silence) => None,
        };
        if let Some(frame) = first {
            match browser.speaker.understand(&frame) {
                Heard::Subscribe { last_seq } => {
                    for message in past.since(last_seq, &browser.speaker) {
                        wire.say(&message).await?;
                    }
                }
                _ => browser.hear(&frame, wire).await?,
            }
        }
        Ok(browser)
    }

    async fn live(mut self, wire: &mut Wire) -> Result<(), Left> {
        loop {
            tokio::select! {
                page = self.events.next_within(PAGE, PAGE_BYTES) => self.tell(page?, wire).await?,
                frame = wire.next() => self.hear(&frame?, wire).await?,
                update = asked(&mut self.beside) => {
                    self.beside = None;
                    wire.say(&Message::SessionUpdate { session: Box::new(update) }).await?;
                }
            }
        }
    }

    async fn tell(&mut self, page: Vec<Written>, wire: &mut Wire) -> Result<(), Left> {
        for written in page {
            for said in self.speaker.hear(&written.read()?) {
                if matches!(said.message, Message::Result { .. }) {
                    self.beside = Some(Box::pin(beside(self.guest.session.clone())));
                }
                wire.say(&said).await?;
            }
        }
        Ok(())
    }

    async fn hear(&mut self, frame: &str, wire: &mut Wire) -> Result<(), Left> {
        match self.speaker.understand(frame) {
            // Whatever came since it subscribed was told on this same socket.
            Heard::Subscribe { .. } | Heard::Ack | Heard::Nothing => {}
            Heard::Wishes { key, wishes } => {
                let wanted = Wanted { key: key.as_deref(), words: frame };
                if let Err(error) = self.guest.grant(&wanted, wishes).await {
                    wire.say(&said(&error)).await?;
                }
            }
            Heard::Refused { key, why } => {
                let wanted = Wanted { key: key.as_deref(), words: frame };
                if !self.guest.was_done(&wanted).await {
                    wire.say(&Message::Error { message: why }).await?;
                }
            }
            Heard::McpStatus => {
                // Without an answer of Codex's it is told what it said while they started.
                let listed = self.guest.session.mcp_servers().await.unwrap_or_default();
                wire.say(&self.speaker.mcp_servers(&listed)).await?;
            }
        }
        Ok(())
    }
}

/// What was said of a session so far, and a reader of what comes.
async fn caught_up(session: &SessionHandle) -> Result<(Speaker, Past, Events), Error> {
    let (mut speaker, mut past) = (Speaker::default(), Past::default());
    let mut events = session.events(0).await?;
    loop {
        let page = events.there(PAGE).await?;
        if page.is_empty() {
            return Ok((speaker, past, events));
        }
        for written in page {
            past.keep(speaker.hear(&written.read()?));
        }
        // A long past is heard in one go: whoever else is served here has a turn between its pages.
        tokio::task::yield_now().await;
    }
}

/// What the journal does not hold: git, and which Codex answers.
async fn beside(session: SessionHandle) -> Update {
    let git = session.git().await.ok().flatten();
    let version = session.summary().await.ok().and_then(|summary| summary.backend.version);
    let git = git.map(|git| Update {
        git_branch: Some(git.branch.unwrap_or_default()),
        git_ahead: Some(git.ahead),
        git_behind: Some(git.behind),
        total_lines_added: Some(git.lines_added),
        total_lines_removed: Some(git.lines_removed),
        ..Update::default()
    });
    Update { claude_code_version: version, ..git.unwrap_or_default() }
}

async fn asked(beside: &mut Option<BoxFuture<'static, Update>>) -> Update {
    match beside {
        Some(asked) => asked.await,
        None => std::future::pending().await,
    }
}

fn said(error: &Error) -> Message {
    let hint = error.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    Message::Error { message: format!("{}{hint}", error.message) }
}
