//! The peak memory of a process, as Linux counts it.

use crate::failure::Failure;

/// The largest resident size a living process has had, in KiB (`VmHWM`). Linux only.
#[cfg_attr(not(test), expect(dead_code, reason = "the measurements of the client's memory will use it"))]
pub(super) fn peak_kib(process: u32) -> Result<u64, Failure> {
    let path = std::path::PathBuf::from(format!("/proc/{process}/status"));
    let status = std::fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
    high_water_mark(&status).ok_or_else(|| Failure::new(format!("{} has no VmHWM", path.display())))
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::high_water_mark;

    #[test]
    fn the_mark_is_read_from_the_status_file() {
        assert_eq!(high_water_mark("Name:\tcodex\nVmPeak:\t 9 kB\nVmHWM:\t   89432 kB\n"), Some(89_432));
        assert_eq!(high_water_mark("Name:\tcodex\nState:\tZ (zombie)\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_used_memory() {
        assert!(super::peak_kib(std::process::id()).unwrap() > 100);
    }
}
