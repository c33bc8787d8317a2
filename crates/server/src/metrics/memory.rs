//! How much memory this process has.

/// In bytes; where the system does not say, nothing.
pub(super) fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}
