//! The suite `relay`: what a relay adds to a line, how much goes through it, and what it holds in memory.

use std::path::PathBuf;

use serde_json::Value;

use super::figures::{best_of, least, most, number, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};

/// Lines there and back again.
const TALK: u64 = 20_000;
/// Lines of 250 bytes in a flood.
const FLOOD: u64 = 2_000_000;

/// The programs of a measurement, built in release.
struct Programs {
    weigh: PathBuf,
    selvedge: PathBuf,
}

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let weigh = ["--release", "--package", "selvedge-relay", "--example", "weigh"];
    let programs = Programs {
        selvedge: tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?,
        weigh: tool::build_executable(&weigh, "weigh")?,
    };
    programs.latency(table)?;
    programs.flood(table)?;
    programs.memory(table)
}

impl Programs {
    /// A line goes through the relay twice on its way to the child and back.
    fn latency(&self, table: &mut Table) -> Result<(), Failure> {
        let bare = several(|| self.bare("latency", TALK))?;
        let ours = several(|| self.ours("latency", TALK))?;
        let each = |reports: &[Value], figure| best_of(reports, figure, least);
        table.add(row("there and back, bare pipes: p50", each(&bare, "p50"), "µs", Limit::None));
        table.add(row("through the relay: p50", each(&ours, "p50"), "µs", Limit::None));
        table.add(row("… p99", each(&ours, "p99"), "µs", Limit::None));
        let added = (each(&ours, "p50") - each(&bare, "p50")) / 2.0;
        table.add(row("added to a line", added, "µs", Limit::AtMost(50.0)));
        Ok(())
    }

    fn flood(&self, table: &mut Table) -> Result<(), Failure> {
        let mib = |report: &Value| number(report, "bytes") / number(report, "seconds") / 1_048_576.0;
        let fastest = |reports: &[Value]| reports.iter().map(mib).fold(f64::NAN, most);
        let bare = several(|| self.bare("flood", FLOOD))?;
        table.add(row("a flood, bare pipe", fastest(&bare), "MiB/s", Limit::None));
        let ours = several(|| self.ours("flood", FLOOD))?;
        table.add(row("… through the relay, in its log", fastest(&ours), "MiB/s", Limit::AtLeast(100.0)));
        Ok(())
    }

    fn memory(&self, table: &mut Table) -> Result<(), Failure> {
        let ours = several(|| self.ours("memory", FLOOD))?;
        let worst = |figure| best_of(&ours, figure, most) / 1024.0;
        // Most of what is resident are pages of the program and of libc, which other processes share.
        table.add(row("memory after 1,000 lines, its share", worst("share_kib"), "MiB", Limit::AtMost(4.0)));
        table.add(row("… its own", worst("own_kib"), "MiB", Limit::AtMost(1.0)));
        table.add(row("… resident", worst("used_kib"), "MiB", Limit::None));
        let grown = worst("peak_kib") - worst("used_kib");
        table.add(row("… grown in a flood nobody reads", grown, "MiB", Limit::AtMost(1.0)));
        Ok(())
    }

    fn bare(&self, mode: &str, count: u64) -> Result<Value, Failure> {
        report(Tool::new(&self.weigh).args([mode, &count.to_string()]), mode)
    }

    fn ours(&self, mode: &str, count: u64) -> Result<Value, Failure> {
        report(Tool::new(&self.weigh).args([mode, &count.to_string()]).args([&self.selvedge]), mode)
    }
}
