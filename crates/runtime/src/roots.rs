//! Where sessions may work: under an allowed root, links resolved. It is asked whenever a session works or is looked into,
//! not only when it is made: a directory can become a link, and a session can be older than the roots.

mod repository;

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use selvedge_session::{Code, SessionId, Settings};

use crate::{error::Error, house::House};

/// Directories under which something may be, links resolved.
#[derive(Debug, Clone)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// These, as far as they are there: one that is not allows nothing.
    #[must_use]
    pub fn resolved(named: &[PathBuf]) -> Self {
        Self(named.iter().filter_map(|root| fs::canonicalize(root).ok()).collect())
    }

    /// Each root.
    #[must_use]
    pub fn all(&self) -> &[PathBuf] {
        &self.0
    }

    /// Whether a path whose links are resolved lies under one.
    #[must_use]
    pub fn allow(&self, resolved: &Path) -> bool {
        let plain = !resolved.components().any(|part| matches!(part, Component::ParentDir));
        plain && self.0.iter().any(|root| resolved.starts_with(root))
    }

    /// Whether what a path leads to is there, and lies under one.
    #[must_use]
    pub fn lead_to(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|found| self.allow(&found))
    }
}

impl House {
    /// Refuses a session that works where none may.
    pub(crate) async fn may_work(&self, id: SessionId, settings: &Settings) -> Result<(), Error> {
        let Some((place, roots)) = self.to_be_asked(id, settings) else { return Ok(()) };
        let asked = place.clone();
        if looked(move || Roots::resolved(&roots).lead_to(&asked)).await {
            return Ok(());
        }
        let message = format!("the session works in {}, which is not under an allowed root", place.display());
        Err(Error::coded(Code::OutsideRoots, message)
            .hint("make a session under a root, or allow this one with `--allow-root`"))
    }

    /// Whether git may be asked about where a session works: not where its repository, or what that leads to, lies outside
    /// the roots.
    pub(crate) async fn may_ask_git(&self, id: SessionId, settings: &Settings) -> bool {
        let Some((place, roots)) = self.to_be_asked(id, settings) else { return true };
        let cwd = PathBuf::from(&settings.cwd);
        looked(move || {
            let mut roots = Roots::resolved(&roots);
            if !repository::lies_under(&place, &roots) {
                return false;
            }
            // A worktree of ours lies elsewhere, and whoever works in it can make its `.git` name another place.
            roots.0.extend(fs::canonicalize(&cwd));
            repository::lies_under(&cwd, &roots)
        })
        .await
    }

    /// The place that decides, and the roots; nothing where everything is allowed. A directory that was made for sessions
    /// is ours: of a worktree, its repository decides.
    fn to_be_asked(&self, id: SessionId, settings: &Settings) -> Option<(PathBuf, Vec<PathBuf>)> {
        let roots = &self.config.allow_roots;
        if roots.is_empty() || self.has_workplace(id, &settings.cwd) {
            return None;
        }
        let place = settings.repository.as_deref().filter(|_| self.is_worktree(Path::new(&settings.cwd)));
        Some((place.unwrap_or(&settings.cwd).into(), roots.clone()))
    }
}

/// Off the async threads: a directory may lie somewhere slow. What cannot be looked at is not allowed.
async fn looked(look: impl FnOnce() -> bool + Send + 'static) -> bool {
    tokio::task::spawn_blocking(look).await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_like_a_root_is_not_under_it() {
        let roots = Roots(vec!["/srv/project".into()]);
        assert!(roots.allow(Path::new("/srv/project")) && roots.allow(Path::new("/srv/project/a/b")));
        for outside in ["/srv/projects", "/srv", "/", "/srv/project/../other", "srv/project"] {
            assert!(!roots.allow(Path::new(outside)), "{outside}");
        }
    }
}
