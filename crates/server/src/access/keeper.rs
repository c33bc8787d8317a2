//! Who looks after `tokens.toml`: it is read again when it has changed, so that a token can be given and taken away
//! while the gateway runs.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use selvedge_runtime::{Error, Redactions};
use tokio::{sync::watch, time::sleep};

use super::{
    files,
    known::Known,
    tokens::{Secret, Token, Tokens},
};

/// How often the file is looked at. Reading a small one takes microseconds, and unlike its times it cannot mislead.
const EVERY: Duration = Duration::from_secs(1);

/// The owner's token, given or kept in the directory, and all tokens together.
pub fn open_tokens(directory: &Path, given: Option<Secret>) -> Result<(Secret, Tokens), Error> {
    let (own, keeper) = Keeper::open(directory, given, Redactions::default())?;
    let tokens = keeper.said.borrow().as_ref().clone();
    Ok((own, tokens))
}

/// The tokens of a gateway, and where they come from.
#[derive(Debug)]
pub(crate) struct Keeper {
    path: PathBuf,
    own: Token,
    /// What the file said when it was last looked at, or why it could not be read.
    seen: Result<Option<Secret>, String>,
    said: watch::Sender<Arc<Tokens>>,
    /// What agents and readers are not to see, should somebody show it.
    hidden: Redactions,
}

impl Keeper {
    /// The owner's token, given or kept in the directory, and all tokens as they are now.
    pub(crate) fn open(
        directory: &Path,
        given: Option<Secret>,
        hidden: Redactions,
    ) -> Result<(Secret, Self), Error> {
        let (own, path) = (files::own(directory, given)?, directory.join("tokens.toml"));
        let token = files::owner(&own);
        let file = files::read(&path)?;
        let tokens = files::all(&path, &token, file.as_ref(), &hidden)?;
        files::hide(&own, &hidden);
        let said = watch::Sender::new(Arc::new(tokens));
        Ok((own, Self { path, own: token, seen: Ok(file), said, hidden }))
    }

    /// What is known, from now on.
    pub(crate) fn known(&self) -> Known {
        Known::new(self.said.subscribe())
    }

    /// Looks again and again.
    pub(crate) async fn watch(mut self) -> Infallible {
        loop {
            sleep(EVERY).await;
            self.look();
        }
    }

    /// Takes what the file says now. One that is wrong changes nothing: whoever was in stays in until it is put right.
    fn look(&mut self) {
        let file = files::read(&self.path);
        let seen = file.clone().map_err(|error| error.message);
        if seen == self.seen {
            return;
        }
        self.seen = seen;
        let tokens = file.and_then(|file| files::all(&self.path, &self.own, file.as_ref(), &self.hidden));
        match tokens {
            Ok(tokens) => {
                tracing::info!(tokens = tokens.count(), "the tokens were read again");
                self.said.send_replace(Arc::new(tokens));
            }
            Err(error) => {
                let (why, hint) = (&error.message, error.hint.as_deref());
                tracing::warn!(why, hint, "the tokens stay as they were");
            }
        }
    }
}

#[cfg(test)]
mod tests;
