//! How sessions, queues, approvals and app-servers stand now.

use selvedge_runtime::{Error, Filter, Runtime};
use selvedge_session::Lifecycle;

use super::Page;

/// What is counted when somebody looks.
pub(super) struct Standing {
    sessions: [i64; STATES.len()],
    queued: u64,
    approvals: u64,
    oldest_seconds: u64,
    tool_calls: u64,
    processes: u64,
    threads: u64,
}

const STATES: [(&str, Lifecycle); 7] = [
    ("starting", Lifecycle::Starting),
    ("idle", Lifecycle::Idle),
    ("running", Lifecycle::Running),
    ("waiting", Lifecycle::Waiting),
    ("recovering", Lifecycle::Recovering),
    ("stopped", Lifecycle::Stopped),
    ("failed", Lifecycle::Failed),
];

impl Standing {
    pub(super) async fn look(runtime: &Runtime) -> Result<Self, Error> {
        let filter = Filter { limit: Some(usize::MAX), ..Filter::default() };
        let listing = runtime.sessions(&filter).await?;
        let mut sessions = [0; STATES.len()];
        for summary in &listing.items {
            let place = STATES.iter().position(|(_, state)| *state == summary.state);
            place.into_iter().for_each(|place| sessions[place] += 1);
        }
        let approvals = runtime.approvals().await?;
        let processes = runtime.processes();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let oldest = approvals.iter().map(|approval| now.saturating_sub(approval.at.0)).max().unwrap_or(0);
        Ok(Self {
            sessions,
            queued: listing.items.iter().map(|summary| summary.queued as u64).sum(),
            approvals: approvals.len() as u64,
            oldest_seconds: u64::try_from(oldest / 1000).unwrap_or(0),
            tool_calls: runtime.tool_calls().await?.len() as u64,
            processes: processes.len() as u64,
            threads: processes.iter().map(|process| process.open_threads as u64).sum(),
        })
    }

    pub(super) fn write(&self, page: &mut Page) {
        let states = STATES.iter().zip(self.sessions).map(|((word, _), count)| (*word, count));
        page.gauges("sessions", "Sessions by state, those put away aside", states);
        page.gauge("queued_messages", "Messages that wait in queues", self.queued);
        page.gauge("approvals_pending", "Questions that wait for a person", self.approvals);
        page.gauge("approvals_oldest_seconds", "How long the oldest of them has waited", self.oldest_seconds);
        page.gauge(
            "tool_calls_pending",
            "Calls of sessions' own tools that wait for an answer",
            self.tool_calls,
        );
        page.gauge("app_servers", "App-servers that run", self.processes);
        page.gauge("app_server_threads", "Threads that are open on them", self.threads);
    }
}
