//! How sessions, queues, approvals and app-servers stand now.

use std::time::{Duration, SystemTime};

use selvedge_runtime::{Error, Runtime, Waiting};
use selvedge_session::Lifecycle;

use super::Page;

const STATES: [(&str, Lifecycle); 7] = [
    ("starting", Lifecycle::Starting),
    ("idle", Lifecycle::Idle),
    ("running", Lifecycle::Running),
    ("waiting", Lifecycle::Waiting),
    ("recovering", Lifecycle::Recovering),
    ("stopped", Lifecycle::Stopped),
    ("failed", Lifecycle::Failed),
];

/// Asks the runtime, and writes it down.
pub(super) async fn write(runtime: &Runtime, page: &mut Page) -> Result<(), Error> {
    let standing = runtime.standing().await?;
    let states = STATES.map(|(word, state)| (word, standing.sessions(state)));
    page.gauges("sessions", "Sessions by state, those put away aside", ("state", states));
    page.gauge("sessions_archived", "Sessions that were put away", standing.archived);
    page.gauge("queued_messages", "Messages that wait in queues", standing.queued);
    page.gauge("approvals_pending", "Questions that wait for a person", standing.approvals.count);
    page.amount(
        "approvals_oldest_seconds",
        "How long the oldest of them has waited",
        age(&standing.approvals),
    );
    page.gauge("tool_calls_pending", "Calls of sessions' own tools that wait", standing.tool_calls.count);
    page.amount(
        "tool_calls_oldest_seconds",
        "How long the oldest of them has waited",
        age(&standing.tool_calls),
    );
    processes(runtime, page);
    Ok(())
}

fn processes(runtime: &Runtime, page: &mut Page) {
    let processes = runtime.processes();
    page.gauge("app_servers", "App-servers that run", processes.len() as u64);
    let threads = processes.iter().map(|process| process.open_threads as u64).sum();
    page.gauge("app_server_threads", "Threads that are open on them", threads);
}

/// How long the oldest has waited, in seconds; nothing waits for no time.
fn age(waiting: &Waiting) -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let since = waiting.oldest.and_then(|oldest| u64::try_from(oldest.0).ok()).map(Duration::from_millis);
    since.map_or(0.0, |since| now.saturating_sub(since).as_secs_f64())
}
