//! What processes hold in memory: their share of it, so that pages of one program are counted once.

use std::collections::HashMap;
use std::fs;

/// What was found.
pub(crate) struct Held {
    pub(crate) processes: usize,
    pub(crate) kib: u64,
}

/// Of everything this process has started, and what that has.
pub(crate) fn of_children() -> Held {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some((pid, parent)) = pid.and_then(|pid| Some((pid, parent_of(pid)?))) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut held = Held { processes: 0, kib: 0 };
    let mut waiting = vec![std::process::id()];
    while let Some(parent) = waiting.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            held.processes += 1;
            held.kib += share_of(&child.to_string());
            waiting.push(child);
        }
    }
    held
}

/// Of this process.
pub(crate) fn of_this() -> u64 {
    share_of("self")
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

fn share_of(pid: &str) -> u64 {
    let figures = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = figures.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}
