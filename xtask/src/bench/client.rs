//! The suite `client`: what a flood of deltas costs, bare and through our client, in one run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::table::{Limit, Row, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;

/// What the scenario floods.
const DELTAS: f64 = 300_000.0;
/// Runs of each mode; the median counts, and of memory the worst.
const RUNS: usize = 5;

/// The programs of a measurement, built in release.
struct Programs {
    flood: PathBuf,
    selvedge: PathBuf,
    scenario: PathBuf,
}

/// What the runs of one mode showed.
struct Figures {
    per_second: f64,
    cpu_micros: f64,
    peak_mib: f64,
    lost: f64,
    request_ms: f64,
}

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let programs = Programs {
        flood: tool::build_executable(
            &["--release", "--package", "selvedge-client", "--example", "flood"],
            "flood",
        )?,
        selvedge: tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?,
        scenario: workspace::root().join("scenarios/bench.toml"),
    };
    for (mode, [speed, cpu, memory]) in [
        ("pipe", ["bare pipe", "bare pipe, CPU a delta", "bare pipe, peak memory"]),
        (
            "lines",
            ["bare line splitter", "bare line splitter, CPU a delta", "bare line splitter, peak memory"],
        ),
        ("decode", ["bare typed decode", "bare typed decode, CPU a delta", "bare typed decode, peak memory"]),
    ] {
        let bare = programs.run(mode)?;
        let mut row = |name, value, unit| table.add(Row { name, value, unit, limit: Limit::None });
        row(speed, bare.per_second, "deltas/s");
        row(cpu, bare.cpu_micros, "µs");
        row(memory, bare.peak_mib, "MiB");
    }
    our_client(table, &programs)
}

fn our_client(table: &mut Table, programs: &Programs) -> Result<(), Failure> {
    let client = programs.run("client")?;
    let paused = programs.run("paused")?;
    let slow = programs.run("slow-answer")?;
    let mut row = |name, value, unit, limit| table.add(Row { name, value, unit, limit });
    row("our client", client.per_second, "deltas/s", Limit::AtLeast(800_000.0));
    row("our client, CPU a delta", client.cpu_micros, "µs", Limit::AtMost(1.8));
    row("our client, peak memory", client.peak_mib, "MiB", Limit::AtMost(10.0));
    row("our client, deltas lost", client.lost, "", Limit::AtMost(0.0));
    row("consumer pauses 3 s, peak memory", paused.peak_mib, "MiB", Limit::AtMost(10.0));
    row("consumer pauses 3 s, deltas lost", paused.lost, "", Limit::AtMost(0.0));
    row("consumer pauses, a request behind it", paused.request_ms, "ms", Limit::AtMost(1000.0));
    row("an answer takes 5 s, others wait", slow.request_ms, "ms", Limit::AtMost(50.0));
    Ok(())
}

impl Programs {
    /// Runs one mode; the ones that pause run once.
    fn run(&self, mode: &str) -> Result<Figures, Failure> {
        let pauses = matches!(mode, "paused" | "slow-answer");
        let runs = if pauses { 1 } else { RUNS };
        let reports = (0..runs).map(|_| self.run_once(mode)).collect::<Result<Vec<_>, _>>()?;
        let each = |figure: fn(&Value) -> f64| -> Vec<f64> { reports.iter().map(figure).collect() };
        Ok(Figures {
            per_second: median(each(|report| DELTAS / number(report, "seconds"))),
            cpu_micros: median(each(|report| number(report, "cpu_seconds") / DELTAS * 1e6)),
            peak_mib: worst(&each(|report| number(report, "peak_kib") / 1024.0)),
            lost: worst(&each(|report| DELTAS - number(report, "deltas"))),
            request_ms: worst(&each(|report| number(report, "request_ms"))),
        })
    }

    fn run_once(&self, mode: &str) -> Result<Value, Failure> {
        let flood =
            Tool::new(&self.flood).args([mode, &format!("{DELTAS}"), "--"]).args([&self.selvedge as &Path]);
        let output =
            flood.args(["rehearse", "app-server", "--scenario"]).args([&self.scenario as &Path]).output()?;
        serde_json::from_slice(&output)
            .map_err(|error| Failure::new(format!("flood {mode} printed no report: {error}")))
    }
}

/// A figure that a mode does not measure is no number, and keeps no limit.
fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or(f64::NAN)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn worst(values: &[f64]) -> f64 {
    values.iter().copied().max_by(f64::total_cmp).unwrap_or(f64::NAN)
}
