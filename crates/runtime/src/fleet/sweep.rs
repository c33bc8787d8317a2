//! The sweep at boot: ends what a fleet left behind whose program has ended.

use std::collections::HashSet;

use selvedge_client::process::sweep::{self, Marked};
use tokio::task::{JoinSet, spawn_blocking};

use super::owner::is_orphan;

/// Ends every process that carries a marker and whose owner has ended, unless `alive` knows better; how many there were.
pub(crate) async fn sweep_orphans(alive: impl Fn(&Marked) -> bool) -> usize {
    let (orphans, _) = leftovers().await;
    let markers: HashSet<_> =
        orphans.into_iter().filter(|process| !alive(process)).map(|process| process.marker).collect();
    // All at once: each may take its time to end politely.
    let ending: JoinSet<_> = markers.into_iter().map(sweep::end_marked).collect();
    ending.join_all().await.into_iter().sum()
}

/// The processes that carry a marker: those whose owner has ended, and how many there are in all.
pub async fn leftovers() -> (Vec<Marked>, usize) {
    let marked = sweep::all_marked().await;
    let all = marked.len();
    // A relay is asked whether it lives, and may take a moment to say so.
    let orphans = spawn_blocking(move || marked.into_iter().filter(|it| is_orphan(it.pid)).collect());
    (orphans.await.unwrap_or_default(), all)
}
