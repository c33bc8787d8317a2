//! How a fleet behaves: every limit in one place.

use std::{path::PathBuf, time::Duration};

use selvedge_client::{
    InboxLimits, Introduction, Options, Redactions, TimeLimits, TokenSource, process::Ladder,
};
use selvedge_recording::Recordings;
use tokio::sync::mpsc;

use crate::login::Login;

use super::{mailbox::Unclaimed, relays::RelayOptions, within::Within};

/// How a fleet behaves.
#[derive(Debug, Clone)]
pub(crate) struct FleetOptions {
    /// How often a process that ended is replaced.
    pub(crate) restart: RestartLimits,
    /// A process that has had so many threads takes no more: each one loaded makes the next slower.
    pub(crate) threads_per_process: usize,
    /// Whether one process waits, ready, beside those in use.
    pub(crate) keep_warm: bool,
    /// How long an environment that nobody uses keeps its processes.
    pub(crate) idle: Duration,
    /// How long Codex may take to answer.
    pub(crate) time_limits: TimeLimits,
    /// How long it may take to say that it is there at all.
    pub(crate) probe: Duration,
    /// How a process is ended.
    pub(crate) ladder: Ladder,
    /// How we introduce ourselves.
    pub(crate) introduction: Introduction,
    /// What is never passed on.
    pub(crate) redactions: Redactions,
    /// Where each conversation is recorded; nowhere, unless it was asked for.
    pub(crate) recordings: Option<Recordings>,
    /// Where lines wait that nobody had time for; the system's place for temporary files, if none.
    pub(crate) spill: Option<PathBuf>,
    /// Answers Codex when its external tokens have expired; without one it is refused.
    pub(crate) token_source: Option<TokenSource>,
    /// How long news of an unknown thread are kept.
    pub(crate) hold: HoldLimits,
    /// Who hears what belongs to nobody.
    pub(crate) unclaimed: Option<mpsc::Sender<Unclaimed>>,
    /// How app-servers outlive this program, if they do.
    pub(crate) relays: Option<RelayOptions>,
    /// Where sessions' tools are served, if anybody does.
    pub(crate) tools_at: Option<String>,
    /// How each is logged in, if not as Codex itself is.
    pub(crate) login: Option<Login>,
    /// The stand-in, where it is no process.
    pub(crate) within: Option<Within>,
}

impl Default for FleetOptions {
    fn default() -> Self {
        Self {
            restart: RestartLimits::default(),
            threads_per_process: 32,
            keep_warm: true,
            idle: Duration::from_secs(600),
            time_limits: TimeLimits::default(),
            probe: Duration::from_secs(10),
            ladder: Ladder::default(),
            introduction: Introduction::new("selvedge", env!("CARGO_PKG_VERSION")),
            redactions: Redactions::default(),
            recordings: None,
            spill: None,
            token_source: None,
            hold: HoldLimits::default(),
            unclaimed: None,
            relays: None,
            tools_at: None,
            login: None,
            within: None,
        }
    }
}

impl FleetOptions {
    /// How each conversation is held.
    pub(super) fn conversation(&self) -> Options {
        let mut inbox = InboxLimits::default();
        if let Some(directory) = &self.spill {
            inbox.directory.clone_from(directory);
        }
        Options {
            time_limits: self.time_limits.clone(),
            inbox,
            token_source: self.token_source.clone(),
            redactions: self.redactions.clone(),
            ..Options::default()
        }
    }
}

/// How often a process that ended is replaced.
#[derive(Debug, Clone)]
pub(crate) struct RestartLimits {
    /// Before the first restart; doubled for each further one.
    pub(crate) first_delay: Duration,
    /// No delay is longer.
    pub(crate) longest_delay: Duration,
    /// So many restarts …
    pub(crate) restarts: usize,
    /// … within this time; then none until somebody forgives.
    pub(crate) within: Duration,
    /// A process that lived so long was healthy: the delays begin anew.
    pub(crate) healthy_after: Duration,
}

impl Default for RestartLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            first_delay: seconds(1),
            longest_delay: seconds(30),
            restarts: 5,
            within: seconds(600),
            healthy_after: seconds(60),
        }
    }
}

/// How long news of an unknown thread are kept.
#[derive(Debug, Clone)]
pub(crate) struct HoldLimits {
    /// So many of one thread,
    pub(crate) news: usize,
    /// of so many threads at once,
    pub(crate) threads: usize,
    /// for so long.
    pub(crate) time: Duration,
    /// When Codex itself is asked whose it is: a thread just started is claimed long before.
    pub(crate) ask_after: Duration,
}

impl Default for HoldLimits {
    fn default() -> Self {
        let time = Duration::from_secs(5);
        Self { news: 1_000, threads: 256, time, ask_after: Duration::from_millis(500) }
    }
}
