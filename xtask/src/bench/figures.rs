//! Reading what a measuring program reported, several times over.

use serde_json::Value;

use super::table::{Limit, Row};
use crate::failure::Failure;
use crate::tool::Tool;

/// Runs of each row, ours and bare in turn. The best counts: what else the machine does can only add.
const RUNS: usize = 3;

/// What a program reported.
pub(super) fn report(tool: Tool, mode: &str) -> Result<Value, Failure> {
    serde_json::from_slice(&tool.output()?)
        .map_err(|error| Failure::new(format!("{mode} printed no report: {error}")))
}

pub(super) fn row(name: &'static str, value: f64, unit: &'static str, limit: Limit) -> Row {
    Row { name, value, unit, limit }
}

pub(super) fn per_second(report: &Value, what: &str) -> f64 {
    number(report, what) / number(report, "seconds")
}

/// A figure that a mode does not measure is no number, and keeps no limit.
pub(super) fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or(f64::NAN)
}

/// The reports of several runs.
pub(super) fn several(run: impl FnMut() -> Result<Value, Failure>) -> Result<Vec<Value>, Failure> {
    std::iter::repeat_with(run).take(RUNS).collect()
}

/// The best of a figure.
pub(super) fn best_of(reports: &[Value], figure: &str, better: fn(f64, f64) -> f64) -> f64 {
    reports.iter().map(|report| number(report, figure)).fold(f64::NAN, better)
}

pub(super) fn best(
    better: fn(f64, f64) -> f64,
    mut run: impl FnMut() -> Result<f64, Failure>,
) -> Result<f64, Failure> {
    (0..RUNS).try_fold(f64::NAN, |so_far, _| Ok(better(so_far, run()?)))
}

pub(super) fn most(a: f64, b: f64) -> f64 {
    a.max(b)
}

pub(super) fn least(a: f64, b: f64) -> f64 {
    a.min(b)
}
