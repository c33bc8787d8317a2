//! What a session changed, as a unified diff: as git sees it, or as its turns said.

mod told;

use std::path::Path;

use memchr::memmem;
use selvedge_session::{Code, Event, SessionId, Settings, What};

use crate::{
    error::Error,
    events::Written,
    git::{self, GitError},
    runtime::Runtime,
};

/// Events read at once.
const PAGE: usize = 1_000;

impl Runtime {
    /// What a session changed since it was made, as a unified diff; of one turn, if it is named. Outside a repository, and
    /// of a turn, it is what the turns said that they changed.
    pub async fn changes(&self, id: SessionId, turn: Option<&str>) -> Result<String, Error> {
        let settings = self.session(id).await?.settings().await?;
        let hidden = self.house.hidden_of(id, &settings).await?;
        Ok(hidden.apply_to_diff(&self.all_changes(id, &settings, turn).await?).into_owned())
    }

    async fn all_changes(
        &self,
        id: SessionId,
        settings: &Settings,
        turn: Option<&str>,
    ) -> Result<String, Error> {
        let cwd = Path::new(&settings.cwd);
        if turn.is_none() && self.house.may_ask_git(id, settings).await {
            match git::diff_since(&self.house.looks, cwd, settings.base_commit.as_deref()).await {
                Ok(diff) => return Ok(diff),
                Err(error @ GitError::TooSlow(_)) => {
                    return Err(Error::coded(Code::Internal, error.to_string()));
                }
                // No repository, or not the one it began in.
                Err(GitError::Refused(_) | GitError::NotRun(_)) => {}
            }
        }
        self.told_changes(id, cwd, turn).await
    }

    async fn told_changes(&self, id: SessionId, cwd: &Path, turn: Option<&str>) -> Result<String, Error> {
        let mut events = self.events(id, 0).await?;
        let (mut diff, mut turn_seen) = (String::new(), turn.is_none());
        loop {
            let page = events.there(PAGE).await?;
            if page.is_empty() {
                break;
            }
            for event in page.iter().filter(|written| may_tell(written)).map(Written::read) {
                let Event { turn_id, what, .. } = event?;
                if turn.is_some() && turn_id.as_deref() != turn {
                    continue;
                }
                turn_seen = true;
                if let What::ItemCompleted(it) = what {
                    diff.push_str(&told::diff_of(it.item.text(), cwd));
                }
            }
        }
        let nowhere = || {
            Error::coded(Code::NotFound, format!("the session has no turn {:?}", turn.unwrap_or_default()))
        };
        if turn_seen { Ok(diff) } else { Err(nowhere()) }
    }
}

/// Whether an event may say that a turn began or that files changed; most do not, and are not read.
fn may_tell(written: &Written) -> bool {
    match &*written.name() {
        "turn.started" => true,
        "item.completed" => memmem::find(&written.text, b"\"fileChange\"").is_some(),
        _ => false,
    }
}
