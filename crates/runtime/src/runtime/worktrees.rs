//! Worktrees of sessions' own: who works in one, and when it goes.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
};

use selvedge_journal::Store as _;
use selvedge_session::SessionId;
use serde::Deserialize;

use super::Runtime;
use crate::{error::Error, git, ledger::table};

/// Sessions read at once.
const PAGE: usize = 500;

/// The one thing of a summary that matters here.
#[derive(Deserialize)]
struct Working {
    cwd: PathBuf,
}

impl Runtime {
    /// The sessions that work in worktrees, with these: a session for which one was made, and forks of it.
    pub(super) async fn in_worktrees(&self) -> Result<HashMap<SessionId, PathBuf>, Error> {
        let (mut found, mut cursor) = (HashMap::new(), None::<String>);
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(found) };
            cursor = Some(last.key.clone());
            for session in &page {
                let Ok(Working { cwd }) = serde_json::from_slice(&session.value) else { continue };
                let Ok(id) = session.key.parse().map(SessionId) else { continue };
                if self.house.is_worktree(&cwd) {
                    found.insert(id, cwd);
                }
            }
        }
    }

    /// Removes worktrees whose sessions have gone: with the last one that worked there. With changes in it, it stays: nobody's work is
    /// thrown away.
    pub(super) async fn leave_worktrees(&self, left: HashSet<PathBuf>) -> Result<(), Error> {
        let left: Vec<PathBuf> = left.into_iter().filter(|place| self.house.is_worktree(place)).collect();
        if left.is_empty() {
            return Ok(());
        }
        let used: HashSet<PathBuf> = self.in_worktrees().await?.into_values().collect();
        for place in left.iter().filter(|place| !used.contains(*place) && place.is_dir()) {
            let _stays = git::remove_worktree(&self.house.looks, place, false).await;
        }
        Ok(())
    }
}
