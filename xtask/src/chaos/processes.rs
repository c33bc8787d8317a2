//! The processes of a run, found by what stands in their environment.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::plan::Whom;

/// Set for the host, and so for everything it starts: which run a process belongs to.
pub(super) const RUN: &str = "SELVEDGE_CHAOS";
/// Set by the host for each app-server and what that starts.
const MARKER: &str = "SELVEDGE_PROCESS";

/// A process that an app-server's marker was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) pid: i32,
    pub(super) marker: String,
    pub(super) command: Vec<String>,
}

impl Found {
    fn is_proxy(&self) -> bool {
        self.command.iter().any(|word| word == "proxy")
    }

    /// A relay's own command line names the app-server too.
    fn is_app_server(&self) -> bool {
        !self.is_relay() && self.command.iter().any(|word| word == "app-server")
    }

    fn is_relay(&self) -> bool {
        is_relay(&self.command)
    }
}

/// All processes of this run but the host.
pub(super) fn of(run: &str) -> Vec<Found> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| look(pid, run)).collect()
}

fn look(pid: i32, run: &str) -> Option<Found> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    (value(&environment, RUN)? == run).then_some(())?;
    let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words = command.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let command: Vec<String> = words.collect();
    // A relay belongs to no app-server; one belongs to it.
    let marker = value(&environment, MARKER).or_else(|| is_relay(&command).then(String::new))?;
    Some(Found { pid, marker, command })
}

fn is_relay(command: &[String]) -> bool {
    command.windows(2).any(|words| words == ["relay", "daemon"])
}

fn value(environment: &[u8], name: &str) -> Option<String> {
    let mut entries = environment.split(|byte| *byte == 0);
    let value = entries.find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// Kills one of the app-servers that live now with SIGKILL, and says how many there were to choose from.
pub(super) fn kill_server(run: &str, pick: u64, whom: Whom) -> usize {
    let mut servers: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for found in of(run).into_iter().filter(Found::is_app_server) {
        servers.entry(found.marker.clone()).or_default().push(found);
    }
    let chosen = usize::try_from(pick % servers.len().max(1) as u64).unwrap_or(0);
    let Some(server) = servers.values().nth(chosen) else { return 0 };
    for process in server {
        let wanted = match whom {
            Whom::Server => !process.is_proxy(),
            // Where there is no proxy, the app-server is what can be killed.
            Whom::Proxy => process.is_proxy() || !server.iter().any(Found::is_proxy),
            Whom::Both => true,
        };
        if wanted {
            kill(process, run);
        }
    }
    servers.len()
}

/// Kills one of the relays that live now, and says whether there was one.
pub(super) fn kill_relay(run: &str, pick: u64) -> bool {
    let relay = one_of(of(run).into_iter().filter(Found::is_relay).collect(), pick);
    relay.iter().for_each(|relay| kill(relay, run));
    relay.is_some()
}

/// Stops a relay or an app-server, and says which.
pub(super) fn freeze(run: &str, pick: u64) -> Option<Found> {
    let can_be = |found: &Found| found.is_relay() || found.is_app_server();
    let frozen = one_of(of(run).into_iter().filter(can_be).collect(), pick)?;
    signal(&frozen, run, Signal::STOP);
    Some(frozen)
}

/// It goes on, if it is still there.
pub(super) fn thaw(process: &Found, run: &str) {
    signal(process, run, Signal::CONT);
}

fn one_of(mut found: Vec<Found>, pick: u64) -> Option<Found> {
    let chosen = usize::try_from(pick % found.len().max(1) as u64).unwrap_or(0);
    (chosen < found.len()).then(|| found.swap_remove(chosen))
}

pub(super) fn kill(process: &Found, run: &str) {
    signal(process, run, Signal::KILL);
}

/// The process is looked at again after its handle is open: a recycled number is never hit.
fn signal(process: &Found, run: &str, signal: Signal) {
    let Some(pid) = Pid::from_raw(process.pid) else { return };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if look(process.pid, run).is_some_and(|now| now.marker == process.marker) {
        // It can only fail because the process is gone, which is as good.
        let _gone = pidfd_send_signal(&handle, signal);
    }
}
