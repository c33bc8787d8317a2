//! How each stage ended and how long it took.

use std::time::Duration;

use super::stage::Stage;

/// What a whole run may take on two cores.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// How a stage ended.
#[derive(Debug)]
pub(super) enum Ended {
    Passed,
    Failed,
    /// Something it needs is not there; what.
    Missing(String),
}

/// The stages of a run, as they end.
#[derive(Debug, Default)]
pub(super) struct Summary {
    lines: Vec<String>,
    total: Duration,
}

impl Summary {
    /// Keeps how a stage ended, and returns the line that says so.
    pub(super) fn add(&mut self, stage: Stage, ended: Ended, took: Duration) -> String {
        let name = stage.to_string();
        let seconds = took.as_secs_f64();
        let line = match ended {
            Ended::Passed => format!("== {name:<8} ok      {seconds:>7.1} s"),
            Ended::Failed => format!("== {name:<8} FAILED  {seconds:>7.1} s"),
            Ended::Missing(what) => format!("== {name:<8} MISSING {seconds:>7.1} s  ({what})"),
        };
        self.total += took;
        self.lines.push(line.clone());
        line
    }

    /// Prints all of them, with the total.
    pub(super) fn print(&self) {
        println!("\n== summary");
        for line in &self.lines {
            println!("{line}");
        }
        let total = self.total.as_secs_f64();
        println!("== total            {total:>7.1} s");
        if self.total > LIMIT {
            println!("== slow: the limit for a whole run is {} s", LIMIT.as_secs());
        }
    }
}
