//! The suite `a2a`: an agent as other agents meet it, durable, beside the same handler whose journal lies in memory.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::figures::{best_of, least, most, per_second, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};

/// Conversations that ask at once, and how often they ask together.
const SENDS: [u64; 2] = [16, 2_000];
/// Tasks that are followed, and for how many seconds.
const STREAMS: [u64; 2] = [10, 5];

/// The programs of a measurement, built in release.
struct Programs {
    crowd: PathBuf,
    selvedge: PathBuf,
}

/// Where the journal lies, and what a commit waits for.
#[derive(Clone, Copy)]
enum Kept {
    /// In memory: nothing is kept.
    Memory,
    /// As a gateway keeps it: it survives the end of any process.
    Process,
    /// It survives the loss of power too.
    Power,
}

/// Measures everything of this suite. The three take turns, so that all meet the same machine.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let crowd = ["--release", "--package", "selvedge-rehearsal", "--example", "crowd"];
    let programs = Programs {
        selvedge: tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?,
        crowd: tool::build_executable(&crowd, "crowd")?,
    };
    programs.sends(table)?;
    programs.streams(table)
}

impl Programs {
    fn sends(&self, table: &mut Table) -> Result<(), Failure> {
        let [memory, process, power] = self.in_turn("a2a-sends", SENDS)?;
        let fastest = |reports: &[Value]| {
            reports.iter().map(|report| per_second(report, "requests")).fold(f64::NAN, most)
        };
        let [memory, process, power] = [memory, process, power].map(|reports| fastest(&reports));
        table.add(row("blocking sends, in memory", memory, "/s", Limit::None));
        table.add(row("blocking sends, durable", process, "/s", Limit::None));
        table.add(row("… of those in memory", process / memory, "×", Limit::AtLeast(0.5)));
        table.add(row("blocking sends, power may fail", power, "/s", Limit::None));
        table.add(row("… of those in memory too", power / memory, "×", Limit::None));
        Ok(())
    }

    fn streams(&self, table: &mut Table) -> Result<(), Failure> {
        let [memory, process, power] = self.in_turn("a2a-streams", STREAMS)?;
        for (figure, [bare, durable, times, full]) in [
            ("p50", ["a word, in memory: p50", "durable: p50", "… times that", "power may fail: p50"]),
            ("p99", ["a word, in memory: p99", "durable: p99", "… times this", "power may fail: p99"]),
        ] {
            let [memory, process, power] =
                [&memory, &process, &power].map(|reports| best_of(reports, figure, least));
            let limit = if figure == "p50" { Limit::AtMost(2.0) } else { Limit::None };
            table.add(row(bare, memory, "ms", Limit::None));
            table.add(row(durable, process, "ms", Limit::None));
            table.add(row(times, process / memory, "×", limit));
            table.add(row(full, power, "ms", Limit::None));
        }
        Ok(())
    }

    fn in_turn(&self, mode: &str, load: [u64; 2]) -> Result<[Vec<Value>; 3], Failure> {
        let mut reports = [Vec::new(), Vec::new(), Vec::new()];
        several(|| {
            for (kept, reports) in [Kept::Memory, Kept::Process, Kept::Power].into_iter().zip(&mut reports) {
                reports.push(self.run(mode, load, kept)?);
            }
            Ok(Value::Null)
        })?;
        Ok(reports)
    }

    fn run(&self, mode: &str, load: [u64; 2], kept: Kept) -> Result<Value, Failure> {
        let word = match kept {
            Kept::Memory => "memory",
            Kept::Process => "process",
            Kept::Power => "full",
        };
        let crowd = Tool::new(&self.crowd).args([mode]).args(load.map(|number| number.to_string()));
        report(crowd.args([&self.selvedge as &Path]).args([word]), mode)
    }
}
