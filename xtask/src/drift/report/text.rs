//! The report as a person reads it: what concerns us first, each with where it is used; the rest one line a type.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::difference::{Difference, Subject};
use super::super::judge::Verdict;
use super::super::surface::Kind;
use super::super::weigh::{Nearness, Weighed};
use super::{Report, forms};

/// More files than this say no more.
const MOST_PLACES: usize = 3;

/// Differences of one owner or kind.
type Groups<'r> = BTreeMap<(u8, &'r str), Vec<&'r Weighed>>;

pub(super) fn write(report: &Report) -> String {
    let mut out = format!("Codex {} → {}\n", report.was, report.is);
    let sections = [
        (Nearness::Ours, "What concerns us: what the program reads or says"),
        (Nearness::Covered, "Covered by our types, and not used by the program"),
        (Nearness::Far, "The rest"),
    ];
    for (nearness, title) in sections {
        let mut count = report.count(nearness);
        if nearness == Nearness::Ours {
            count = report.concerning();
        }
        let _ =
            write!(out, "\n{title}: {}\n", if count == 0 { "nothing".to_owned() } else { count.to_string() });
        if nearness == Nearness::Ours {
            for why in &report.unreadable {
                let _ = writeln!(out, "  the generator cannot read a definition: {why}");
            }
        }
        for ((_, title), group) in groups(report, nearness) {
            out.push_str(&if nearness == Nearness::Ours {
                at_length(title, &group)
            } else {
                briefly(title, &group)
            });
        }
    }
    let _ = write!(out, "\nThe judge: {}\n", verdict(&report.judge));
    out
}

fn groups(report: &Report, nearness: Nearness) -> Groups<'_> {
    let mut groups = Groups::new();
    for weighed in report.differences.iter().filter(|it| it.nearness == nearness) {
        let key = match &weighed.difference.subject {
            Subject::Method(Kind::Ask, _) => (0, "requests of Codex"),
            Subject::Method(Kind::Request, _) => (1, "requests to Codex"),
            Subject::Method(Kind::Notification, _) => (2, "notifications"),
            Subject::Form(owner) | Subject::Field(owner, _) | Subject::Value(owner, _) => (3, owner.as_str()),
        };
        groups.entry(key).or_default().push(weighed);
    }
    groups
}

fn at_length(title: &str, group: &[&Weighed]) -> String {
    let mut out = format!("  {title}\n");
    for Weighed { difference, why, places, .. } in group {
        let _ = writeln!(out, "    {} {}{}", difference.sign(), name(difference), detail(difference));
        let _ = writeln!(out, "        {why}{}", list(places));
    }
    out
}

/// Signs and names, in lines of a readable length.
fn briefly(title: &str, group: &[&Weighed]) -> String {
    let mut out = String::new();
    let mut line = format!("  {title}:");
    for Weighed { difference, .. } in group {
        let next = format!(" {}{}", difference.sign(), name(difference));
        if line.chars().count() + next.chars().count() > 118 {
            let _ = writeln!(out, "{line}");
            line = "     ".to_owned();
        }
        line.push_str(&next);
    }
    let _ = writeln!(out, "{line}");
    out
}

fn name(difference: &Difference) -> &str {
    match &difference.subject {
        Subject::Form(_) => "(its form)",
        Subject::Method(_, name) | Subject::Field(_, name) | Subject::Value(_, name) => name,
    }
}

fn detail(difference: &Difference) -> String {
    match forms(difference) {
        [Some(was), Some(is)] => format!(": {was} → {is}"),
        [Some(was), None] if difference.is.is_some() => format!(": {was} → nothing with it"),
        [None, Some(is)] if difference.was.is_some() => format!(": nothing with it → {is}"),
        [Some(one), None] | [None, Some(one)] => format!(": {one}"),
        [None, None] => String::new(),
    }
}

fn list(places: &[String]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let more = places.len().saturating_sub(MOST_PLACES);
    let shown = places.iter().take(MOST_PLACES).cloned().collect::<Vec<_>>().join(", ");
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!(": {shown}{more}")
}

fn verdict(judge: &Verdict) -> String {
    match judge {
        Verdict::NotAsked => "not asked".to_owned(),
        Verdict::Passed => "passed".to_owned(),
        Verdict::Failed { cases } if cases.is_empty() => "FAILED, see above".to_owned(),
        Verdict::Failed { cases } => format!("FAILED\n  {}", cases.join("\n  ")),
    }
}
