//! A socket in any dialect: a session's messages in one direction, wishes in the other.

use selvedge_dialects::{Speaker, Wish, companion, plain, yaar};
use selvedge_runtime::{Error, Events};
use selvedge_session::Code;
use serde::Serialize;

use super::{
    Guest,
    wire::{Gone, Wire},
    wishes::{Granted, Wanted},
};
use crate::spoken::Reading;

/// Events read at once.
const PAGE: usize = 512;
const PAGE_BYTES: usize = 64 << 10;

/// What a socket reads: a dialect, or our own events.
pub(crate) enum Source {
    Dialect(Box<Reading>),
    Events(Events),
}

impl Source {
    /// What comes next, written. Dropping the future loses nothing.
    async fn next(&mut self) -> Result<Vec<String>, Error> {
        match self {
            Self::Dialect(reading) => {
                Ok(reading.next().await?.iter().map(|spoken| spoken.numbered()).collect())
            }
            Self::Events(events) => {
                let page = events.next_within(PAGE, PAGE_BYTES).await?;
                Ok(page.iter().map(|event| String::from_utf8_lossy(&event.text).into_owned()).collect())
            }
        }
    }

    fn understand(&self, frame: &str) -> Result<Said, String> {
        match self {
            Self::Dialect(reading) => understand(reading.speaker(), frame),
            Self::Events(_) => plainly(frame),
        }
    }
}

/// What was said: a wish or several, and by which name they are done once and answered.
struct Said {
    id: Option<String>,
    wishes: Vec<Wish>,
}

/// What became of what was said. Without a number: it is for this socket alone.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Reply {
    Done {
        id: Option<String>,
    },
    Forked {
        id: Option<String>,
        session_id: String,
    },
    Refused {
        id: Option<String>,
        code: &'static str,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
}

/// Serves whoever is connected until they go.
pub(crate) async fn serve(guest: Guest, mut wire: Wire, mut source: Source) {
    let served = async {
        loop {
            tokio::select! {
                page = source.next() => match page {
                    Ok(page) => {
                        for text in page {
                            wire.say_text(text).await?;
                        }
                    }
                    Err(error) => {
                        wire.say(&refused(None, error)).await?;
                        return Err(Gone);
                    }
                },
                frame = wire.next() => {
                    let frame = frame?;
                    let reply = answer(&guest, &source, &frame).await;
                    wire.say(&reply).await?;
                }
            }
        }
    };
    let _: Result<(), Gone> = Box::pin(served).await;
}

async fn answer(guest: &Guest, source: &Source, frame: &str) -> Reply {
    let Said { id, wishes } = match source.understand(frame) {
        Ok(said) => said,
        Err(why) => return refused(None, Error::coded(Code::BodyInvalid, why)),
    };
    let wanted = Wanted { key: id.as_deref(), words: frame };
    match guest.grant(&wanted, wishes).await {
        Ok(Granted::Done) => Reply::Done { id },
        Ok(Granted::Made(session)) => Reply::Forked { id, session_id: session.to_string() },
        Err(error) => refused(id, error),
    }
}

fn refused(id: Option<String>, error: Error) -> Reply {
    let Error { code, message, hint, .. } = error;
    Reply::Refused { id, code: code.as_str(), message, hint }
}

/// In the dialect's own words, or in plain ones.
fn understand(speaker: &Speaker, frame: &str) -> Result<Said, String> {
    match speaker {
        Speaker::Companion(speaker) => match speaker.understand(frame) {
            companion::Heard::Wishes { key, wishes } => Ok(Said { id: key, wishes }),
            companion::Heard::Refused { why, .. } => Err(why),
            companion::Heard::Nothing => plainly(frame),
            // How MCP servers are is told as it changes.
            companion::Heard::Subscribe { .. } | companion::Heard::Ack | companion::Heard::McpStatus => {
                Ok(Said { id: None, wishes: Vec::new() })
            }
        },
        Speaker::Yaar(_) => match yaar::understand(frame) {
            yaar::Heard::Wishes { key, wishes } => Ok(Said { id: key, wishes }),
            yaar::Heard::Refused(why) => Err(why),
            yaar::Heard::Nothing => plainly(frame),
        },
        Speaker::Caic(_) => plainly(frame),
    }
}

fn plainly(frame: &str) -> Result<Said, String> {
    plain::understand(frame).map(|said| Said { id: said.id, wishes: vec![said.wish] })
}
