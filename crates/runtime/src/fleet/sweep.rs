//! The sweep at boot: ends what a fleet left behind whose program is gone.

use std::collections::HashSet;

use selvedge_client::process::sweep::{self, Marked};
use tokio::task::JoinSet;

use super::owner::Owner;

/// Ends every process that carries a marker and whose owner is gone, unless `alive` knows better; how many there were.
/// One that names no owner is left alone: it belongs to a program that does not work through a fleet.
pub(crate) async fn sweep_orphans(alive: impl Fn(&Marked) -> bool) -> usize {
    let marked = sweep::all_marked().await;
    let orphaned = |process: &&Marked| {
        let owner = Owner::of(process.pid);
        owner.is_some_and(|owner| !owner.is_alive()) && !alive(process)
    };
    let markers: HashSet<_> = marked.iter().filter(orphaned).map(|process| process.marker).collect();
    // All at once: each may take its time to end politely.
    let ending: JoinSet<_> = markers.into_iter().map(sweep::end_marked).collect();
    ending.join_all().await.into_iter().sum()
}
