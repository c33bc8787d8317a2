//! `cargo xtask test`: the one test command, in stages that can be repeated one by one.

mod stage;
mod summary;

use std::io::{self, Write as _};
use std::time::Instant;

use crate::failure::Failure;
use crate::setup;
use stage::{Bench, Stage};
use summary::{Ended, Summary};

/// How to test.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// Only this stage, and what it cannot do without.
    #[arg(long, value_name = "STAGE")]
    only: Option<Stage>,
}

/// Runs the stages in order, stops at the first that fails, and says at the end what was missing.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    let mut bench = Bench::default();
    let mut summary = Summary::default();
    let mut failed = None;
    for stage in stages(options.only) {
        if let Err(failure) = perform(stage, &mut bench, &mut summary) {
            failed = Some((stage, failure));
            break;
        }
    }
    summary.print();
    let missing = setup::report_missing(&bench.setup.missing);
    let Some((stage, failure)) = failed else {
        return missing;
    };
    if let Err(missing) = missing {
        eprintln!("\nerror: {missing}");
    }
    Err(Failure::new(format!("the stage `{stage}` failed: {failure}"))
        .hint(format!("{}; to repeat just this: cargo xtask test --only {stage}", stage.advice())))
}

fn stages(only: Option<Stage>) -> Vec<Stage> {
    match only {
        None => Stage::ALL.to_vec(),
        Some(stage) => stage.needs().iter().copied().chain([stage]).collect(),
    }
}

fn perform(stage: Stage, bench: &mut Bench, summary: &mut Summary) -> Result<(), Failure> {
    println!("\n== {stage}: {}", stage.purpose());
    let started = Instant::now();
    let result = stage.run(bench);
    let ended = match &result {
        Ok(None) => Ended::Passed,
        Ok(Some(missing)) => Ended::Missing(missing.clone()),
        Err(_) => Ended::Failed,
    };
    println!("{}", summary.add(stage, ended, started.elapsed()));
    // Cargo writes to the same pipe; if stdout is gone there is nobody to tell.
    let _ = io::stdout().flush();
    result.map(drop)
}

#[cfg(test)]
mod tests {
    use super::{Stage, stages};

    #[test]
    fn one_stage_brings_what_it_needs_and_no_more() {
        assert_eq!(stages(Some(Stage::Format)), [Stage::Format]);
        assert_eq!(stages(Some(Stage::Tests)), [Stage::Setup, Stage::Build, Stage::Tests]);
        assert_eq!(stages(Some(Stage::Codegen)), [Stage::Setup, Stage::Codegen]);
    }

    #[test]
    fn what_a_stage_needs_comes_before_it() {
        let place = |stage| Stage::ALL.iter().position(|other| *other == stage);
        for stage in Stage::ALL {
            assert!(stage.needs().iter().all(|need| place(*need) < place(*stage)), "{stage}");
        }
    }
}
