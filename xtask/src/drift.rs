//! `cargo xtask drift`: what the newest Codex says otherwise than the one our types are made from, and what of it concerns us.

mod compare;
mod definitions;
mod difference;
mod judge;
mod report;
mod sources;
mod surface;
mod usage;
mod weigh;
mod words;

use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::failure::Failure;
use crate::{npm, setup};
use judge::Verdict;
use report::Report;
use sources::Source;
use surface::Surface;
use usage::Usage;
use weigh::Scales;

/// The exit code if nothing could be compared: neither "no drift" nor "drift".
const COULD_NOT_LOOK: u8 = 2;

/// What to compare.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Take this version for the one our types are made from.
    #[arg(long, value_name = "VERSION")]
    against: Option<String>,
    /// Look at this version instead of the newest published one.
    #[arg(long, value_name = "VERSION")]
    of: Option<String>,
    /// Do not run the judge on it.
    #[arg(long)]
    no_judge: bool,
    /// Print JSON, and nothing else, on stdout.
    #[arg(long)]
    json: bool,
}

/// Prints the report; fails if something concerns us or the judge does not pass.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let report = look(options).map_err(|failure| failure.exit(COULD_NOT_LOOK))?;
    let printed = if options.json {
        report.json().map_err(|error| Failure::new(error.to_string()))?
    } else {
        report.text()
    };
    // If stdout is gone there is nobody to tell; how it ended is said all the same.
    let _ = writeln!(io::stdout(), "{printed}");
    judge_report(&report)
}

fn look(options: &Options) -> Result<Report, Failure> {
    let newest = || npm::newest("@openai/codex");
    let is = options.of.clone().map_or_else(newest, Ok)?;
    let was = options.against.clone().unwrap_or_else(|| setup::version_of_types().to_owned());
    let (old, new) = (codex(&was)?, codex(&is)?);
    let (before, after) = (Surface::of(&old)?, Surface::of(&new)?);
    let sources = sources::of_the_program()?;
    let differences = differences(&before, &after, &sources);
    let judge = if options.no_judge { Verdict::NotAsked } else { judge::ask(&is, &new)? };
    Ok(Report { was, is, differences, unreadable: after.unreadable, judge })
}

fn codex(version: &str) -> Result<PathBuf, Failure> {
    eprintln!("   codex {version}");
    setup::codex_of(version)
}

fn differences(before: &Surface, after: &Surface, sources: &[Source]) -> Vec<weigh::Weighed> {
    let scales = Scales { before, was: Usage::of(before, sources), is: Usage::of(after, sources) };
    compare::compare(before, after).into_iter().map(|difference| scales.weigh(difference)).collect()
}

fn judge_report(report: &Report) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    match report.concerning() {
        0 => {}
        count => wrong.push(format!(
            "Codex {} differs from {} in what concerns us (differences: {count})",
            report.is, report.was
        )),
    }
    if matches!(report.judge, Verdict::Failed { .. }) {
        wrong.push(format!("the judge does not pass on Codex {}", report.is));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::new(wrong.join("; ")).hint("docs/drift.md says what to do about each kind"))
}

#[cfg(test)]
mod tests;
