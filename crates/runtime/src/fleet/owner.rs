//! Who owns a process or a session: a pid that is told apart from a later one of the same number.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    os::unix::ffi::OsStrExt,
    path::Path,
    str::FromStr,
};

use selvedge_relay::{Place, Standing};

/// The environment variable by which everything an app-server starts says whose it is.
pub(crate) const OWNER: &str = "SELVEDGE_OWNER";

/// What stands there instead where a relay holds the app-server: it has no owner but that.
const RELAY: &str = "relay:";

/// What an app-server behind the relay with these files says.
pub(super) fn of_relay(directory: &Path) -> OsString {
    let mut said = OsString::from(RELAY);
    said.push(directory);
    said
}

/// Whether whoever a running process belongs to is certainly gone. One that names nobody is left alone: it belongs to a
/// program that does not work through a fleet. Elsewhere than on Linux nobody can ask.
pub(super) fn is_orphan(pid: i32) -> bool {
    let Some(said) = said_by(pid) else { return false };
    match said.strip_prefix(RELAY.as_bytes()) {
        Some(directory) => {
            let place = Place::at(Path::new(OsStr::from_bytes(directory)));
            place.is_ok_and(|place| place.standing() != Standing::Running)
        }
        None => {
            let owner: Option<Owner> = str::from_utf8(&said).ok().and_then(|said| said.parse().ok());
            owner.is_some_and(|owner| owner.has_ended())
        }
    }
}

fn said_by(pid: i32) -> Option<Vec<u8>> {
    let prefix = format!("{OWNER}=");
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut entries = environment.split(|byte| *byte == 0);
    entries.find_map(|entry| entry.strip_prefix(prefix.as_bytes())).map(<[u8]>::to_vec)
}

/// A program that runs, or ran: its pid, when that pid began, and where such a pid means anything.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    pid: u32,
    started: u64,
    /// A boot of the machine, and within it a namespace: a container counts its own pids.
    boot: String,
}

impl Owner {
    /// This program.
    pub(crate) fn this() -> Self {
        let pid = std::process::id();
        Self { pid, started: platform::start_time(pid).unwrap_or_default(), boot: platform::boot_id() }
    }

    /// Whether it still runs; a later program with the same pid is not it.
    pub(crate) fn is_alive(&self) -> bool {
        self.boot == platform::boot_id() && platform::start_time(self.pid) == Some(self.started)
    }

    /// Whether it certainly runs no more. Of one in another container nobody here can say: its pids are not ours.
    pub(crate) fn has_ended(&self) -> bool {
        self.boot == platform::boot_id() && !self.is_alive()
    }

    /// Its pid, for messages to people.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.pid, self.started, self.boot)
    }
}

/// The text names nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an owner: expected pid:starttime:boot")]
pub(crate) struct NotAnOwner;

impl FromStr for Owner {
    type Err = NotAnOwner;

    fn from_str(text: &str) -> Result<Self, NotAnOwner> {
        let mut parts = text.splitn(3, ':');
        let mut part = || parts.next().ok_or(NotAnOwner);
        let (pid, started, boot) = (part()?, part()?, part()?);
        Ok(Self {
            pid: pid.parse().map_err(|_| NotAnOwner)?,
            started: started.parse().map_err(|_| NotAnOwner)?,
            boot: boot.to_owned(),
        })
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::{fs, path::Path};

    /// The namespace of pids that every kernel begins with; another one is a container's.
    const OF_THE_MACHINE: &str = "pid:[4026531836]";
    /// State, then eighteen fields, then the start time in ticks since the boot: fields 3 and 22 of `stat`.
    const FROM_STATE_TO_START: usize = 18;

    pub(super) fn start_time(pid: u32) -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may hold anything, parentheses and spaces too.
        let (_, after_name) = stat.rsplit_once(") ")?;
        let mut fields = after_name.split(' ');
        let state = fields.next()?;
        let started = fields.nth(FROM_STATE_TO_START)?.parse().ok()?;
        // A zombie has ended; only its parent does not know yet.
        (!matches!(state, "Z" | "X")).then_some(started)
    }

    pub(super) fn boot_id() -> String {
        let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        match fs::read_link("/proc/self/ns/pid") {
            Ok(pids) if pids != Path::new(OF_THE_MACHINE) => format!("{}/{}", id.trim(), pids.display()),
            _ => id.trim().to_owned(),
        }
    }
}

/// Elsewhere a pid has to do: it is alive, or it is not.
#[cfg(not(target_os = "linux"))]
mod platform {
    use rustix::process::{Pid, test_kill_process};

    pub(super) fn start_time(pid: u32) -> Option<u64> {
        let pid = Pid::from_raw(pid.cast_signed())?;
        test_kill_process(pid).is_ok().then_some(0)
    }

    pub(super) fn boot_id() -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_alive_and_survive_being_written_down() {
        let this = Owner::this();
        assert!(this.is_alive());
        assert_eq!(this.to_string().parse(), Ok(this.clone()));
        assert_eq!(this.pid(), std::process::id());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_same_pid_in_another_life_or_boot_is_somebody_else() {
        let this = Owner::this();
        let later = Owner { started: this.started + 1, ..this.clone() };
        let other_boot = Owner { boot: "another".to_owned(), ..this };
        assert!(!later.is_alive() && !other_boot.is_alive());
        assert!(later.has_ended());
        assert!(!other_boot.has_ended(), "it may run in another container");
    }

    #[test]
    fn what_names_nobody_is_refused() {
        for text in ["", "1", "1:2", "x:2:b", "1:-2:b"] {
            assert_eq!(text.parse::<Owner>(), Err(NotAnOwner), "{text}");
        }
    }
}
