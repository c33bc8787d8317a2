//! What Prometheus reads of the gateway and of the runtime behind it.

mod counts;
mod memory;
mod page;
mod standing;

pub(crate) use counts::{Metrics, Present};

use selvedge_runtime::{Error, Ignored, Recorded, Tally};

use crate::gateway::Gateway;
use page::Page;

/// Everything, in the text format of OpenMetrics.
pub(crate) async fn text(gateway: &Gateway) -> Result<String, Error> {
    let mut page = Page::new();
    standing::write(gateway.runtime(), &mut page).await?;
    let tally = gateway.runtime().tally();
    messages(&mut page, &tally);
    journal(&mut page, &tally);
    page.counter("app_server_exits", "App-servers that ended under a session", tally.exits);
    page.counter("app_server_restarts", "App-servers that took the place of such a one", tally.restarts);
    ignored(&mut page, gateway.runtime().ignored());
    if let Some(recorded) = gateway.runtime().recorded() {
        recordings(&mut page, recorded);
    }
    gateway.metrics().write(&mut page);
    if let Some(bytes) = memory::resident() {
        page.gauge("resident_memory_bytes", "Memory of the gateway's own process", bytes);
    }
    page.text()
}

fn messages(page: &mut Page, tally: &Tally) {
    let ends = tally.messages;
    let ends = [
        ("completed", ends.completed),
        ("failed", ends.failed),
        ("interrupted", ends.interrupted),
        ("lost", ends.lost),
    ];
    page.counters("messages_finished", "Messages by their end", ("status", ends));
    page.counter("turns", "Turns that ended", tally.turns);
    let usage = tally.usage;
    let tokens = [
        ("input", usage.input),
        ("cached_input", usage.cached_input),
        ("cache_write_input", usage.cache_write_input),
        ("output", usage.output),
        ("reasoning_output", usage.reasoning_output),
    ];
    page.counters("tokens", "Tokens of finished messages", ("kind", tokens));
    page.sum("cost_usd", "US dollars of finished messages, where the price is known", tally.cost_usd);
}

fn ignored(page: &mut Page, ignored: Ignored) {
    let what = [
        ("unclaimed", ignored.unclaimed),
        ("muted", ignored.muted),
        ("notice", ignored.notices),
        ("told_twice", ignored.twins),
        ("late_answer", ignored.late_answers),
        ("refused", ignored.refused),
        ("dropped", ignored.dropped),
    ];
    page.counters("codex_ignored", "What Codex said that no session was told", ("what", what));
}

fn recordings(page: &mut Page, recorded: Recorded) {
    page.counter("recorded_lines", "Lines of conversations that were recorded", recorded.lines);
    page.counter(
        "recording_missing_lines",
        "Lines that came faster than they could be recorded",
        recorded.missing,
    );
    page.counter("recordings_failed", "Recordings that could not be written to their end", recorded.failed);
}

fn journal(page: &mut Page, tally: &Tally) {
    page.counter("events", "Events that became durable", tally.events);
    page.counter("commits", "Appends to the journal", tally.commits.count());
    page.histogram("commit_duration_seconds", "How long an append took until it was durable", tally.commits);
}
