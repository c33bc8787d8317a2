//! The suite `client`: what one conversation costs.

use std::time::Instant;

use super::table::{Limit, Row, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};

/// How often the command is started; the median counts.
const STARTS: usize = 21;

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let selvedge = tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?;
    let mut times = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let started = Instant::now();
        Tool::new(&selvedge).args(["--help"]).output()?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    table.add(Row {
        name: "start of the `selvedge` command",
        value: times[STARTS / 2],
        unit: "ms",
        limit: Limit::AtMost(20.0),
    });
    Ok(())
}
