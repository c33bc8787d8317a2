//! Processes of ours whose owner is dead.

use std::fs;

use selvedge_client::process::sweep::{Marked, all_marked};

use super::finding::Finding;

const LEFTOVERS: &str = "leftovers";
/// By this everything a session's app-server starts says whose it is: pid, start time, boot.
const OWNER: &str = "SELVEDGE_OWNER=";
/// From the state to the start time: fields 3 and 22 of `stat`.
const FROM_STATE_TO_START: usize = 19;

pub(super) async fn look() -> Finding {
    let marked = all_marked().await;
    let orphaned: Vec<String> =
        marked.iter().filter(|process| is_orphan(process)).map(|process| process.pid.to_string()).collect();
    if orphaned.is_empty() {
        return Finding::good(LEFTOVERS, format!("none ({} processes in use)", marked.len()));
    }
    let detail = format!("{} processes whose owner is dead: {}", orphaned.len(), orphaned.join(", "));
    Finding::careful(LEFTOVERS, detail)
        .hint("any command that opens the sessions ends them: selvedge sessions")
}

/// One that says nothing about its owner is not ours to judge.
fn is_orphan(process: &Marked) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{}/environ", process.pid)) else { return false };
    let mut entries = environment.split(|byte| *byte == 0);
    let Some(owner) = entries.find_map(|entry| entry.strip_prefix(OWNER.as_bytes())) else { return false };
    let owner = String::from_utf8_lossy(owner);
    let mut parts = owner.splitn(3, ':');
    let (Some(pid), Some(started)) = (parts.next(), parts.next()) else { return false };
    start_time(pid).as_deref() != Some(started)
}

fn start_time(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(") ")?;
    after_name.split(' ').nth(FROM_STATE_TO_START).map(str::to_owned)
}
