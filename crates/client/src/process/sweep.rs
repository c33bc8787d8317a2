//! The sweep: ends what an app-server left behind, found by the marker in its environment.
//!
//! Commands run in process groups of their own, so no group kill reaches them, and after a SIGKILL of the app-server
//! they live on. The environment is inherited by every descendant, and that is how they are found.

use std::time::Duration;

use tokio::{task::spawn_blocking, time::sleep};
use uuid::Uuid;

/// How long a marked process may take to leave after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How often to look while a process shows no environment; some have none at all.
const LOOKS: u32 = 5;

/// A process that carries a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// Its process id.
    pub pid: i32,
    /// The marker it carries.
    pub marker: Uuid,
}

/// Ends every process with this marker, first politely, and returns how many there were. Never ends its caller.
pub async fn end_marked(marker: Uuid) -> usize {
    let found = signal_marked(marker, Push::Term).await;
    if found == 0 {
        return 0;
    }
    let polite = async {
        while !marked(marker).await.is_empty() {
            sleep(LOOK_AGAIN).await;
        }
    };
    if tokio::time::timeout(PATIENCE, polite).await.is_err() {
        // What is killed may have forked in that moment: again until none is left.
        while signal_marked(marker, Push::Kill).await > 0 {
            sleep(LOOK_AGAIN).await;
        }
    }
    found
}

/// Every process of this machine with this marker.
pub async fn marked(marker: Uuid) -> Vec<Marked> {
    let mut found = all_marked().await;
    found.retain(|process| process.marker == marker);
    found
}

/// Every process of this machine that carries a marker of ours, whoever started it; not the caller itself.
pub async fn all_marked() -> Vec<Marked> {
    let mut scan = Scan::default();
    for _ in 0..LOOKS {
        scan = spawn_blocking(platform::scan).await.unwrap_or_default();
        if !scan.unsure {
            break;
        }
        sleep(LOOK_AGAIN).await;
    }
    scan.found
}

/// One look at all processes.
#[derive(Debug, Default)]
struct Scan {
    found: Vec<Marked>,
    /// Some process showed no environment, as one does in the moment in which it becomes another program.
    unsure: bool,
}

async fn signal_marked(marker: Uuid, push: Push) -> usize {
    let found = marked(marker).await;
    for process in &found {
        platform::signal(*process, push);
    }
    found.len()
}

#[derive(Debug, Clone, Copy)]
enum Push {
    Term,
    Kill,
}

#[cfg(target_os = "linux")]
mod platform {
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use uuid::Uuid;

    use super::{Marked, Push, Scan};
    use crate::process::MARKER;

    /// The kernel's flag for its own threads, which have no environment.
    const KERNEL_THREAD: u64 = 0x0020_0000;

    pub(super) fn scan() -> Scan {
        let own = std::process::id().cast_signed();
        let mut scan = Scan::default();
        let Ok(processes) = fs::read_dir("/proc") else { return scan };
        let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        for pid in pids.filter(|pid| *pid != own) {
            let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else { continue };
            match marker_in(&environment) {
                Some(marker) => scan.found.push(Marked { pid, marker }),
                None => scan.unsure |= environment.is_empty() && is_running_program(pid),
            }
        }
        scan
    }

    /// The pidfd is opened before the marker is read again: a recycled pid is never hit.
    pub(super) fn signal(process: Marked, push: Push) {
        let Some(pid) = Pid::from_raw(process.pid) else { return };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
        if marker_of(process.pid) == Some(process.marker) {
            let signal = match push {
                Push::Term => Signal::TERM,
                Push::Kill => Signal::KILL,
            };
            // It can only fail because the process is gone, which is what is wanted.
            let _gone = pidfd_send_signal(&handle, signal);
        }
    }

    /// The marker of a process. One that has ended, a zombie too, has none.
    fn marker_of(pid: i32) -> Option<Uuid> {
        marker_in(&fs::read(format!("/proc/{pid}/environ")).ok()?)
    }

    fn marker_in(environment: &[u8]) -> Option<Uuid> {
        let prefix = format!("{MARKER}=");
        let entry =
            environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()))?;
        Uuid::try_parse_ascii(entry).ok()
    }

    /// Neither a zombie nor a thread of the kernel: state and flags, after the name in parentheses.
    fn is_running_program(pid: i32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let Some((_, after_name)) = stat.rsplit_once(") ") else { return false };
        let mut fields = after_name.split(' ');
        let state = fields.next().unwrap_or_default();
        let flags = fields.nth(5).and_then(|flags| flags.parse::<u64>().ok()).unwrap_or(KERNEL_THREAD);
        !matches!(state, "Z" | "X") && flags & KERNEL_THREAD == 0
    }
}

/// Elsewhere the environment of other processes cannot be read; the ladder's group kill has to do.
#[cfg(not(target_os = "linux"))]
mod platform {
    use super::{Marked, Push, Scan};

    pub(super) fn scan() -> Scan {
        Scan::default()
    }

    pub(super) fn signal(_process: Marked, _push: Push) {}
}
