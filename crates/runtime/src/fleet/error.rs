//! Why nobody can have a seat, in words for the person who waits for it.

use std::{io, path::PathBuf};

use selvedge_client::{CallError, Hint, LaunchError};

/// Why there is no app-server to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FleetError {
    /// Too many have ended in too short a time.
    #[error("the app-server keeps ending: {reason}")]
    GaveUp {
        /// How the last one ended.
        reason: String,
        /// The last it wrote to stderr.
        stderr_tail: String,
    },
    /// It cannot be started at all.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No relay can hold it.
    #[error("{}", .0.what)]
    Relay(selvedge_relay::Error),
    /// There is no private home for sessions without the user's own instructions.
    #[error("the home of bare sessions cannot be made at {place:?}: {error}")]
    BareHome {
        /// Where.
        place: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It was started, and refuses to talk to us.
    #[error("the app-server does not accept us: {0}")]
    Handshake(CallError),
    /// It does not take the login that this program brought.
    #[error("Codex does not take the login: {0}")]
    Login(String),
    /// We are about to end.
    #[error("no app-server is started any more: the program is ending")]
    ShuttingDown,
}

impl Hint for FleetError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::GaveUp { stderr_tail, .. } if !stderr_tail.is_empty() => Some(format!(
                "mend what it complains of, then start the session again; the end of its stderr:\n{stderr_tail}"
            )),
            Self::GaveUp { .. } => {
                Some("run `selvedge doctor` to see what is wrong, then start the session again".into())
            }
            Self::Launch(error) => error.hint(),
            Self::Relay(error) => Some(error.hint.clone()),
            Self::BareHome { .. } => Some("look whether its directory and Codex's own can be written".into()),
            Self::Handshake(error) => {
                error.hint().or_else(|| Some("run `selvedge doctor` to see which version it is".into()))
            }
            Self::Login(_) => Some("look at the key, or at the tokens and the account they are of".into()),
            Self::ShuttingDown => Some("try again when it is back".into()),
        }
    }
}
