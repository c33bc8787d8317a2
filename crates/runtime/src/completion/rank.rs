//! How well a path fits a few letters.

use std::collections::BTreeSet;

use super::{MOST, PathFound, PathKind};

/// The paths that fit best, the best first; a few more than are shown, because some may be gone.
pub(super) fn best(paths: BTreeSet<String>, query: &str) -> Vec<PathFound> {
    let query = query.trim_start_matches("./").to_lowercase();
    let mut fitting: Vec<_> =
        paths.into_iter().filter_map(|path| rank(&path, &query).map(|rank| (rank, path))).collect();
    fitting.sort_unstable();
    fitting.truncate(2 * MOST);
    fitting.into_iter().map(|(_, path)| found(path)).collect()
}

fn found(path: String) -> PathFound {
    let kind = if path.ends_with('/') { PathKind::Directory } else { PathKind::File };
    PathFound { path, kind }
}

/// First how it fits, then how deep it lies, then how long it is.
type Rank = (u8, usize, usize);

/// Nothing, if the letters are not all in it, in their order.
fn rank(path: &str, query: &str) -> Option<Rank> {
    let path = path.to_lowercase();
    let bare = path.trim_end_matches('/');
    let name = bare.rsplit('/').next().unwrap_or_default();
    let how = if query.is_empty() || name == query || path == query {
        0
    } else if name.starts_with(query) {
        1
    } else if path.starts_with(query) {
        2
    } else if name.contains(query) {
        3
    } else if path.contains(query) {
        4
    } else if in_order(&path, query) {
        5
    } else {
        return None;
    };
    Some((how, bare.matches('/').count(), bare.len()))
}

fn in_order(path: &str, query: &str) -> bool {
    let mut letters = path.chars();
    query.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
