//! The table at the end of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::check::{Coverage, Found};
use super::ledger::{Killed, Ledger, Violation};
use super::plan::Plan;

/// Prints what was done, what came of it, how long it took to recover, and what was violated.
pub(super) fn print(plan: &Plan, ledger: &Ledger, found: &Found) {
    println!("\n{}", plan.summary());
    row("kills of app-servers", ledger.server_kills);
    row("kills of the host", ledger.host_kills);
    row("kills of the host not done: just started", ledger.host_kills_spared);
    if plan.relay {
        row("times the host went, and relays stayed", ledger.host_left);
        row("kills of relays", ledger.relay_kills);
        row("relays and app-servers that stood still", ledger.freezes);
    }
    for (fault, number) in &ledger.faults {
        row(&format!("  proxies: {fault}"), number);
    }
    row("ends of app-servers, as sessions saw them", count(ledger, "codex.exited"));
    row("sessions", ledger.sessions.iter().filter(|session| session.id.is_some()).count());
    row("events", ledger.sessions.iter().map(|session| session.reread.len()).sum::<usize>());
    row("messages not sent: queue full", ledger.queue_full);
    row("messages sent", ledger.messages.iter().filter(|message| !message.replies.is_empty()).count());
    let accepted = ledger.messages.iter().filter(|message| message.replies.iter().any(Result::is_ok)).count();
    row("messages accepted", accepted);
    for (status, number) in ends(ledger) {
        row(&format!("  {status}"), number);
    }
    row("completed: was it heard?", coverage(found.heard, "of whose turn nothing was told"));
    row("completed: has its command run?", coverage(found.ran, "steered, joined or declined"));
    row("longest queue", format!("{} messages of one session without an end", ledger.longest_queue));
    row("waited at the end", format!("{:.1} s", ledger.waited.as_secs_f64()));
    row("a host's first answer after its start", times(ledger.ready.clone()));
    recoveries(ledger);
    for (refusal, number) in &ledger.refusals {
        row(&format!("refused {refusal}"), number);
    }
    violations(&found.violations);
}

fn recoveries(ledger: &Ledger) {
    for (who, killed) in [("app-server", Killed::Server), ("host", Killed::Host)] {
        let of_these = ledger.recoveries.iter().filter(|recovery| recovery.of == killed);
        let took: Vec<Duration> = of_these.map(|recovery| recovery.took).collect();
        // Whoever has more history must not take longer to come back.
        let third = took.len() / 3;
        let last = took[took.len() - third..].to_vec();
        row(&format!("recovery after a killed {who}"), times(took.clone()));
        row("  in the first third", times(took[..third].to_vec()));
        row("  in the last third", times(last));
    }
}

/// To how many messages a rule was applied, and to which not.
fn coverage(of: Coverage, not_comparable: &str) -> String {
    format!(
        "checked of {}; not of {} found completed after a crash, and {} {not_comparable}",
        of.applied, of.after_a_crash, of.not_comparable
    )
}

fn violations(violations: &[Violation]) {
    row("violations", violations.len());
    let mut promises: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
    for violation in violations {
        promises.entry(violation.promise).or_default().push(violation);
    }
    for (promise, all) in promises {
        println!("  VIOLATED {} times: {promise}", all.len());
        for violation in all.iter().take(3) {
            let what: String = violation.what.chars().take(300).collect();
            let place = violation.session.zip(violation.seq);
            println!(
                "    {}{what}",
                place.map_or(String::new(), |(session, seq)| format!("s{session:03} #{seq}: "))
            );
        }
    }
}

fn row(name: &str, value: impl std::fmt::Display) {
    println!("  {name:<42} {value}");
}

fn count(ledger: &Ledger, name: &str) -> usize {
    let mark = format!("\"type\":\"{name}\"");
    let of = |session: &super::ledger::SessionLedger| {
        session.reread.iter().filter(|event| event.contains(&mark)).count()
    };
    ledger.sessions.iter().map(of).sum()
}

/// How messages ended, by status and code of the error.
fn ends(ledger: &Ledger) -> BTreeMap<String, usize> {
    let mut ends = BTreeMap::new();
    let events = ledger.sessions.iter().flat_map(|session| &session.reread);
    for event in events.filter(|event| event.contains("\"message.finished\"")) {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        let data = &event["data"];
        let status = data["status"].as_str().unwrap_or("?").to_owned();
        let why = if status == "failed" { "message" } else { "code" };
        let why: String = data["error"][why].as_str().unwrap_or_default().chars().take(100).collect();
        let code = if why.is_empty() { String::new() } else { format!(" ({why})") };
        *ends.entry(format!("{status}{code}")).or_default() += 1;
    }
    ends
}

fn times(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
    match (at(50), at(99), times.last()) {
        (Some(middle), Some(late), Some(last)) => format!(
            "{} times: p50 {} ms, p99 {} ms, max {} ms",
            times.len(),
            middle.as_millis(),
            late.as_millis(),
            last.as_millis()
        ),
        _ => "never".to_owned(),
    }
}
