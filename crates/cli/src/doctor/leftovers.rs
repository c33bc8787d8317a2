//! Processes of ours whose owner is dead.

use selvedge_runtime::leftovers;

use super::finding::Finding;

const LEFTOVERS: &str = "leftovers";

pub(super) async fn look() -> Finding {
    let (orphaned, all) = leftovers().await;
    if orphaned.is_empty() {
        return Finding::good(LEFTOVERS, format!("none ({all} processes in use)"));
    }
    let pids: Vec<String> = orphaned.iter().map(|process| process.pid.to_string()).collect();
    let detail = format!("{} processes whose owner is dead: {}", pids.len(), pids.join(", "));
    Finding::careful(LEFTOVERS, detail)
        .hint("any command that opens the sessions ends them: selvedge sessions")
}
