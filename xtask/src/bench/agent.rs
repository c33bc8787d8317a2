//! The suite `agent`: an evaluation beside a thread and a turn on the client alone, and many evaluations on one Codex beside a Codex each.

use std::path::PathBuf;

use serde_json::Value;

use super::figures::{best_of, least, number, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::setup;
use crate::tool::{self, Tool};

/// Evaluations one after the other.
const TURNS: usize = 200;
/// Evaluations at once.
const CROWD: usize = 100;

/// The programs of a measurement, built in release.
struct Programs {
    toll: PathBuf,
    /// Who plays the app-server: how that is said, and the program.
    backend: [String; 2],
}

/// What a suite of rows is called on one backend.
struct Names {
    bare: &'static str,
    ours: &'static str,
    /// How much of the client's own time an evaluation may take.
    most: Limit,
    crowd: [&'static str; 2],
}

/// On the simulated app-server, and on the real Codex if there is one.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let toll = ["--release", "--package", "selvedge-agent", "--example", "toll"];
    let toll = tool::build_executable(&toll, "toll")?;
    let selvedge = tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?;
    let backend = ["--rehearsal".to_owned(), selvedge.display().to_string()];
    let simulated = Programs { toll: toll.clone(), backend };
    simulated.turns(
        table,
        &Names {
            bare: "stand-in: a turn on the client alone, p50",
            ours: "stand-in: an evaluation, p50",
            // It answers at once: what is left is the journal's and ours, and no part of what people wait for.
            most: Limit::None,
            crowd: ["stand-in: 100 on one Codex", "stand-in: 100 on a Codex each"],
        },
    )?;
    let Some(codex) = setup::provide().codex().map(|codex| codex.display().to_string()) else {
        println!("no Codex was found: the rows about it are left out");
        return Ok(());
    };
    let real = Programs { toll, backend: ["--codex".to_owned(), codex] };
    real.turns(
        table,
        &Names {
            bare: "Codex: a turn on the client alone, p50",
            ours: "Codex: an evaluation, p50",
            most: Limit::AtMost(3.0),
            crowd: ["Codex: 100 on one Codex", "Codex: 100 on a Codex each"],
        },
    )
}

impl Programs {
    fn turns(&self, table: &mut Table, names: &Names) -> Result<(), Failure> {
        let (mut bare, mut ours) = (Vec::new(), Vec::new());
        // In turn, so that what else the machine does is met by both.
        several(|| {
            bare.push(self.toll("bare", TURNS)?);
            ours.push(self.toll("evaluate", TURNS)?);
            Ok(Value::Null)
        })?;
        let [bare, ours] = [bare, ours].map(|reports| best_of(&reports, "p50", least));
        table.add(row(names.bare, bare, "ms", Limit::None));
        table.add(row(names.ours, ours, "ms", Limit::None));
        table.add(row("… of the client alone", ours / bare, "", names.most));
        self.crowd(table, names)
    }

    /// Once each: a hundred processes are a load that a machine does not forget at once.
    fn crowd(&self, table: &mut Table, names: &Names) -> Result<(), Failure> {
        let [shared, each] = [self.toll("shared", CROWD)?, self.toll("each", CROWD)?];
        for (name, report) in names.crowd.into_iter().zip([&shared, &each]) {
            table.add(row(name, number(report, "seconds"), "s", Limit::None));
            table.add(row("… processes", number(report, "processes"), "", Limit::None));
            table.add(row("… their memory", number(report, "app_servers_mib"), "MiB", Limit::None));
            table.add(row("… and ours", number(report, "own_mib"), "MiB", Limit::None));
        }
        let share = held(&shared) / held(&each);
        table.add(row("… memory of one, of that of each", share, "", Limit::AtMost(0.5)));
        let time = number(&shared, "seconds") / number(&each, "seconds");
        table.add(row("… time of one, of that of each", time, "", Limit::AtMost(1.0)));
        Ok(())
    }

    fn toll(&self, mode: &str, amount: usize) -> Result<Value, Failure> {
        report(Tool::new(&self.toll).args([mode, &amount.to_string()]).args(&self.backend), mode)
    }
}

fn held(report: &Value) -> f64 {
    number(report, "app_servers_mib") + number(report, "own_mib")
}
