//! The suite `journal`: appends, commits and replay beside bare SQLite with the same batches, in one run.

use std::path::PathBuf;

use serde_json::Value;

use super::table::{Limit, Row, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};

/// Runs of each row, ours and bare in turn; the median counts.
const RUNS: usize = 3;

/// One way to append: names of its rows, and what they have to be.
struct Appends {
    sessions: u64,
    batch: u64,
    events: u64,
    names: [&'static str; 3],
    limit: Limit,
    /// Of what bare SQLite does.
    share: Limit,
}

/// Bare SQLite has a row an event, no thread between, and all sessions in each transaction; a record is a row, and
/// its owner waits for its commit. So with small records of many sessions we pay for changes of thread and for smaller
/// transactions, with large ones we win; the shares say how much of bare SQLite has to be left.
const APPENDS: [Appends; 6] = [
    Appends {
        sessions: 1,
        batch: 1,
        events: 20_000,
        names: ["1 session × 1, bare", "1 session × 1", "1 session × 1, of bare"],
        limit: Limit::None,
        share: Limit::AtLeast(0.5),
    },
    Appends {
        sessions: 1,
        batch: 10,
        events: 200_000,
        names: ["1 session × 10, bare", "1 session × 10", "1 session × 10, of bare"],
        limit: Limit::None,
        share: Limit::AtLeast(0.5),
    },
    Appends {
        sessions: 1,
        batch: 100,
        events: 500_000,
        names: ["1 session × 100, bare", "1 session × 100", "1 session × 100, of bare"],
        limit: Limit::AtLeast(300_000.0),
        share: Limit::AtLeast(0.8),
    },
    Appends {
        sessions: 50,
        batch: 1,
        events: 100_000,
        names: ["50 sessions × 1, bare", "50 sessions × 1", "50 sessions × 1, of bare"],
        limit: Limit::None,
        share: Limit::AtLeast(0.4),
    },
    Appends {
        sessions: 50,
        batch: 10,
        events: 500_000,
        names: ["50 sessions × 10, bare", "50 sessions × 10", "50 sessions × 10, of bare"],
        limit: Limit::AtLeast(180_000.0),
        share: Limit::AtLeast(0.7),
    },
    Appends {
        sessions: 50,
        batch: 100,
        events: 1_000_000,
        names: ["50 sessions × 100, bare", "50 sessions × 100", "50 sessions × 100, of bare"],
        limit: Limit::AtLeast(300_000.0),
        share: Limit::AtLeast(1.0),
    },
];

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let pace = Pace(tool::build_executable(
        &["--release", "--package", "selvedge-journal", "--example", "pace"],
        "pace",
    )?);
    for appends in APPENDS {
        pace.appends(table, &appends)?;
    }
    pace.latency(table)?;
    pace.replay(table)?;
    pace.start(table)
}

/// The program that measures, built in release.
struct Pace(PathBuf);

impl Pace {
    fn appends(&self, table: &mut Table, appends: &Appends) -> Result<(), Failure> {
        let Appends { sessions, batch, events, names: [bare_name, name, share_name], limit, share } =
            *appends;
        let [bare, ours] = self.in_turn(["bare-append", "append"], [sessions, batch, events], per_second)?;
        let mut row = |name, value, unit, limit| table.add(Row { name, value, unit, limit });
        row(bare_name, bare, "events/s", Limit::None);
        row(name, ours, "events/s", limit);
        row(share_name, ours / bare, "×", share);
        Ok(())
    }

    /// Ten and a hundred sessions of 50 events a second, for some seconds.
    fn latency(&self, table: &mut Table) -> Result<(), Failure> {
        let (ten, hundred) = ([10, 1, 1500], [100, 1, 15_000]);
        for (name, mode, load, limit) in [
            ("bare commit, p50", "bare-latency commit_p50", ten, Limit::None),
            ("bare commit, p99", "bare-latency commit_p99", ten, Limit::None),
            ("append to committed, p50", "latency commit_p50", ten, Limit::None),
            ("append to committed, p99", "latency commit_p99", ten, Limit::None),
            ("append to a reader at the tip, p50", "latency receipt_p50", ten, Limit::AtMost(0.1)),
            ("append to a reader at the tip, p99", "latency receipt_p99", ten, Limit::AtMost(0.5)),
            ("… with 100 sessions, p50", "latency receipt_p50", hundred, Limit::AtMost(0.3)),
            ("… with 100 sessions, p99", "latency receipt_p99", hundred, Limit::AtMost(3.0)),
        ] {
            let (mode, figure) = mode.split_once(' ').unwrap_or((mode, ""));
            let [value] = self.in_turn([mode], load, |report| number(report, figure))?;
            table.add(Row { name, value, unit: "ms", limit });
        }
        Ok(())
    }

    /// 10,000 sessions with 20 records each; a hundred of them have work to do.
    fn start(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.run("open", [10_000, 1, 200_000])?;
        let mut row = |name, figure, limit| {
            table.add(Row { name, value: number(&report, figure), unit: "ms", limit });
        };
        row("10,000 sessions: opened", "opened_ms", Limit::AtMost(50.0));
        row("… the 100 with work found", "listed_ms", Limit::AtMost(60.0));
        row("… and read since their snapshots", "ready_ms", Limit::AtMost(150.0));
        row("all 10,000 listed", "all_sessions_ms", Limit::AtMost(200.0));
        row("a page of a feed of marks", "marks_ms", Limit::AtMost(10.0));
        Ok(())
    }

    fn replay(&self, table: &mut Table) -> Result<(), Failure> {
        let [bare, ours] = self.in_turn(["bare-replay", "replay"], [1, 10, 500_000], per_second)?;
        let mut row = |name, value, limit| table.add(Row { name, value, unit: "events/s", limit });
        row("replay, bare", bare, Limit::None);
        row("replay of records of 10", ours, Limit::AtLeast(1_500_000.0));
        let [single] = self.in_turn(["replay"], [1, 1, 100_000], per_second)?;
        row("replay of records of 1", single, Limit::None);
        Ok(())
    }

    /// The median figure of each mode; they run in turn, so that both meet the same machine.
    fn in_turn<const N: usize>(
        &self,
        modes: [&str; N],
        load: [u64; 3],
        figure: impl Fn(&Value) -> f64,
    ) -> Result<[f64; N], Failure> {
        let mut found: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(RUNS));
        for _ in 0..RUNS {
            for (mode, found) in modes.iter().zip(&mut found) {
                found.push(figure(&self.run(mode, load)?));
            }
        }
        Ok(found.map(median))
    }

    fn run(&self, mode: &str, load: [u64; 3]) -> Result<Value, Failure> {
        let output = Tool::new(&self.0).args([mode]).args(load.map(|number| number.to_string())).output()?;
        serde_json::from_slice(&output)
            .map_err(|error| Failure::new(format!("pace {mode} printed no report: {error}")))
    }
}

fn per_second(report: &Value) -> f64 {
    number(report, "events") / number(report, "seconds")
}

/// A figure that a mode does not measure is no number, and keeps no limit.
fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or(f64::NAN)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
