//! `cargo xtask judge`: the judge on every version of Codex, and the matrix of what each of them does.

mod matrix;
mod page;
mod report;

use std::ffi::OsString;

use crate::failure::Failure;
use crate::setup;
use crate::tool::{self, Tool};
pub(crate) use report::Report;

/// Which versions.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Only this version of Codex; may be given several times [default: each of them]
    #[arg(long = "version", value_name = "VERSION")]
    versions: Vec<String>,
}

/// Tests that report what they found on a version, by the directory that `JUDGE_REPORT` names; how is said in
/// `crates/client/tests/judge/report.rs`.
struct Suite {
    /// The directory in the report, and the marker in docs/versions.md.
    name: &'static str,
    /// What cargo is told. The whole workspace is named, so that it is built as for all other tests.
    arguments: &'static [&'static str],
    /// Whether its matrix stands in docs/versions.md; else it is only to pass.
    told: bool,
    /// Versions that it is not for.
    without: &'static [&'static str],
}

/// Another suite is a row here and a pair of markers in docs/versions.md.
const SUITES: &[Suite] = &[
    Suite { name: "client", arguments: &["--workspace", "--test", "judge"], told: true, without: &[] },
    Suite {
        name: "runtime",
        arguments: &["--workspace", "--test", "whole", "on_the_real_codex"],
        told: true,
        without: &[],
    },
    // A prompt has tools, and the oldest passes them over.
    Suite {
        name: "agent",
        arguments: &["--workspace", "--test", "codex", "on_the_real_codex"],
        told: false,
        without: &["0.72.0"],
    },
];

/// The suites whose matrix stands on the page.
fn told() -> impl Iterator<Item = &'static Suite> {
    SUITES.iter().filter(|suite| suite.told)
}

/// Judges, prints the matrix, and writes it where it belongs if nothing was left out.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let known: Vec<String> = setup::codex_versions().map(str::to_owned).collect();
    let versions = if options.versions.is_empty() { &known } else { &options.versions };
    let setup = setup::codexes(versions)?;
    tool::build_everything()?;
    let report = Report::new()?;
    let failed = judge(versions, &setup.environment, &report);
    let matrices: Vec<_> = told().map(|suite| (suite.name, report.matrix(suite.name, versions))).collect();
    for (_, matrix) in &matrices {
        println!("\n{matrix}");
    }
    failed?;
    if options.versions.is_empty() {
        return page::write(&matrices);
    }
    println!("docs/versions.md holds the matrix of all versions, and stays as it is");
    Ok(())
}

/// Judges what the report says nothing of yet, and holds the page to what was found; for the tests, whose own run has
/// judged one version already.
pub(crate) fn complete(environment: &[(String, OsString)], report: &Report) -> Result<(), Failure> {
    let versions: Vec<String> = setup::codex_versions().map(str::to_owned).collect();
    judge(&versions, environment, report)?;
    let matrix = |suite: &Suite| (suite.name, report.matrix(suite.name, &versions));
    page::compare(&told().map(matrix).collect::<Vec<_>>())
}

/// Runs every suite that has not reported yet on each version, to the last, and fails if one of them has.
fn judge(versions: &[String], environment: &[(String, OsString)], report: &Report) -> Result<(), Failure> {
    let mut failed = Vec::new();
    for version in versions {
        let wanted =
            |suite: &&Suite| !suite.without.contains(&version.as_str()) && !report.has(suite.name, version);
        for suite in SUITES.iter().filter(wanted) {
            println!("\n   {} of Codex {version}", suite.name);
            let ours = report.variables(version);
            let tool = Tool::cargo().args(["test", "--quiet"]).args(suite.arguments);
            if let Err(failure) = tool.envs(environment).envs(&ours).run() {
                eprintln!("   {failure}");
                failed.push(version.as_str());
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("the judge found something else on {}", failed.join(", ")))
        .hint("see above, and docs/judge.md; a change of Codex is read and kept with JUDGE_REFRESH=1"))
}
