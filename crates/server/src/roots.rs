//! Where one may look: the allowed roots, or else the user's home and the places where sessions work.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{gateway::Gateway, problem::Problem};

/// Directories under which one may look, links resolved.
#[derive(Debug)]
pub(crate) struct Roots(Vec<PathBuf>);

impl Roots {
    /// These, as far as they are there: one that is not allows nothing.
    pub(crate) fn resolved(named: Vec<PathBuf>) -> Self {
        Self(named.into_iter().filter_map(|root| fs::canonicalize(root).ok()).collect())
    }

    /// Each root.
    pub(crate) fn all(&self) -> &[PathBuf] {
        &self.0
    }

    /// Whether a path, links resolved, lies under one.
    pub(crate) fn allow(&self, path: &Path) -> bool {
        let plain = !path.components().any(|part| matches!(part, std::path::Component::ParentDir));
        plain && self.0.iter().any(|root| path.starts_with(root))
    }
}

/// The roots of a gateway, as they were named: those that were given, or else the user's home and where sessions work
/// that is not in it.
pub(crate) async fn named(gateway: &Gateway) -> Result<Vec<PathBuf>, Problem> {
    let given = &gateway.options().allow_roots;
    if !given.is_empty() {
        return Ok(given.clone());
    }
    let home = std::env::home_dir();
    let places = gateway.runtime().cwds().await?.into_iter().map(PathBuf::from);
    let outside = places.filter(|place| home.as_ref().is_none_or(|home| !place.starts_with(home)));
    let outside: Vec<_> = outside.collect();
    Ok(home.into_iter().chain(outside).collect())
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
