//! Reads `git status --porcelain=v2 --branch`.

use super::GitFacts;

pub(super) fn read(status: &str) -> GitFacts {
    let mut facts = GitFacts::default();
    for line in status.lines() {
        match line.strip_prefix("# ") {
            Some(header) => header_line(header, &mut facts),
            None => facts.dirty = true,
        }
    }
    facts
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
