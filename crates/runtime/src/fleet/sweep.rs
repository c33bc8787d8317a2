//! The sweep at boot: ends what a fleet left behind whose program has ended.

use std::collections::HashSet;

use selvedge_client::process::sweep::{self, Marked};
use tokio::task::JoinSet;

use super::owner::Owner;

/// Ends every process that carries a marker and whose owner has ended, unless `alive` knows better; how many there were.
pub(crate) async fn sweep_orphans(alive: impl Fn(&Marked) -> bool) -> usize {
    let marked = sweep::all_marked().await;
    let orphaned = |process: &&Marked| is_orphan(process) && !alive(process);
    let markers: HashSet<_> = marked.iter().filter(orphaned).map(|process| process.marker).collect();
    // All at once: each may take its time to end politely.
    let ending: JoinSet<_> = markers.into_iter().map(sweep::end_marked).collect();
    ending.join_all().await.into_iter().sum()
}

/// The processes that carry a marker: those whose owner has ended, and how many there are in all.
pub async fn leftovers() -> (Vec<Marked>, usize) {
    let marked = sweep::all_marked().await;
    let all = marked.len();
    (marked.into_iter().filter(is_orphan).collect(), all)
}

/// One that names no owner is left alone: it belongs to a program that does not work through a fleet.
fn is_orphan(process: &Marked) -> bool {
    Owner::of(process.pid).is_some_and(|owner| owner.has_ended())
}
