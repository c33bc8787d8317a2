//! Reads `git status --porcelain=v2 --branch`.

use super::GitFacts;

/// What it says, and the newest commit.
pub(super) fn read(status: &str) -> (GitFacts, Option<String>) {
    let (mut facts, mut head) = (GitFacts::default(), None);
    for line in status.lines() {
        match line.strip_prefix("# ") {
            Some(header) => match header.strip_prefix("branch.oid ") {
                Some(commit) => head = Some(commit.to_owned()),
                None => header_line(header, &mut facts),
            },
            None => facts.dirty = true,
        }
    }
    (facts, head)
}

fn header_line(header: &str, facts: &mut GitFacts) {
    match header.split_once(' ') {
        Some(("branch.head", "(detached)")) => {}
        Some(("branch.head", name)) => facts.branch = Some(name.to_owned()),
        Some(("branch.ab", counts)) => {
            let mut counts = counts.split(' ').map(|count| count.trim_start_matches(['+', '-']).parse());
            let mut next = || counts.next().and_then(Result::ok).unwrap_or(0);
            (facts.ahead, facts.behind) = (next(), next());
        }
        _ => {}
    }
}
