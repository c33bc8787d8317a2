//! Keeps what is needed to understand a violation: the events around it, the plan, the logs.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ledger::{Ledger, Violation};
use super::plan::Plan;
use super::world::World;
use crate::failure::Failure;

/// So many events before and after.
const AROUND: usize = 25;

/// Keeps the run's directory, with a folder `violations` in it, and says where that is.
pub(super) fn keep(
    plan: &Plan,
    ledger: &Ledger,
    violations: &[Violation],
    world: World,
) -> Result<PathBuf, Failure> {
    let folder = world.keep().join("violations");
    write(&folder, plan, ledger, violations)
        .map_err(|error| Failure::new(format!("the evidence could not be written: {error}")))?;
    Ok(folder)
}

fn write(folder: &Path, plan: &Plan, ledger: &Ledger, violations: &[Violation]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("plan.txt"), format!("{plan:#?}"))?;
    for (number, session) in ledger.sessions.iter().enumerate() {
        let seen =
            session.events.iter().map(|event| format!("{:.3} {}\n", event.at.as_secs_f64(), event.text));
        fs::write(folder.join(format!("s{number:03}-seen.jsonl")), seen.collect::<String>())?;
        fs::write(folder.join(format!("s{number:03}.jsonl")), session.reread.join("\n"))?;
    }
    for (number, violation) in violations.iter().enumerate().take(200) {
        fs::write(folder.join(format!("{number:03}.txt")), around(ledger, violation))?;
    }
    Ok(())
}

fn around(ledger: &Ledger, violation: &Violation) -> String {
    let mut text = format!("{}\n{}\n\n", violation.promise, violation.what);
    let (Some(session), Some(seq)) = (violation.session, violation.seq) else { return text };
    let from = seq.saturating_sub(AROUND);
    for event in ledger.sessions[session].reread.iter().skip(from).take(2 * AROUND) {
        let _ = writeln!(text, "{event}");
    }
    text
}
