//! The suite `gateway`: from an app-server's write to a reader of the gateway's stream, durable in between, beside a bare server.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::figures::{best_of, least, most, number, per_second, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::tool::{self, Tool};

/// Connections that ask at once, and how often they ask together.
const ASKING: [u64; 2] = [16, 20_000];
/// As many readers as connections may be open for one process here.
const IDLE_READERS: [u64; 2] = [100, 10_000];

/// The programs of a measurement: the gateway as it is shipped.
struct Programs {
    crowd: PathBuf,
    selvedge: PathBuf,
}

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let crowd = ["--release", "--package", "selvedge-rehearsal", "--example", "crowd"];
    let programs = Programs {
        selvedge: tool::build_executable(&["--profile", "dist", "--package", "selvedge-cli"], "selvedge")?,
        crowd: tool::build_executable(&crowd, "crowd")?,
    };
    programs.latency(table)?;
    programs.floods(table)?;
    programs.requests(table)?;
    programs.absent(table)?;
    programs.memory(table)?;
    programs.crowd(table)
}

impl Programs {
    /// From the app-server's write to a reader, at 50 deltas a second from each session.
    fn latency(&self, table: &mut Table) -> Result<(), Failure> {
        // What waking and the network alone take in this hour.
        let mut alone = f64::NAN;
        for (sessions, names) in [
            (1, ["bare, 1 session: p50", "bare, 1 session: p99"]),
            (10, ["bare, 10 sessions: p50", "bare, 10 sessions: p99"]),
        ] {
            let bare = several(|| self.bare("latency", [sessions, 5]))?;
            for (name, figure) in names.into_iter().zip(["p50", "p99"]) {
                table.add(row(name, best_of(&bare, figure, least), "ms", Limit::None));
            }
            if sessions == 1 {
                alone = best_of(&bare, "p50", least);
            }
        }
        let (typical, nearly_all) = (Limit::AtMost(0.3), Limit::AtMost(1.0));
        for (sessions, names, limits) in [
            (1, ["to a reader, 1 session: p50", "1 session: p99"], [typical, nearly_all]),
            (10, ["10 sessions: p50", "10 sessions: p99"], [typical, nearly_all]),
            (100, ["100 sessions: p50", "100 sessions: p99"], [Limit::None, Limit::AtMost(5.0)]),
        ] {
            let reports = several(|| self.ours("latency", [sessions, 5]))?;
            for ((name, figure), limit) in names.into_iter().zip(["p50", "p99"]).zip(limits) {
                table.add(row(name, best_of(&reports, figure, least), "ms", limit));
            }
            if sessions == 1 {
                // In an hour in which the limit is missed: whether it was the machine.
                let times = best_of(&reports, "p50", least) / alone;
                table.add(row("… times the bare server's", times, "", Limit::None));
            }
        }
        Ok(())
    }

    /// A flood from one session and from fifty, joined as the runtime joins; the bare server sends each delta as an event.
    fn floods(&self, table: &mut Table) -> Result<(), Failure> {
        for (load, [bare, ours, cpu]) in [
            ([1, 600_000], ["bare, 1 session, deltas", "1 session, deltas", "… CPU a delta"]),
            ([50, 1_000_000], ["bare, 50 sessions, deltas", "50 sessions, deltas", "… CPU of each"]),
        ] {
            let reports = several(|| whole(self.bare("flood", load)?))?;
            table.add(row(bare, fastest(&reports, "deltas"), "/s", Limit::None));
            let reports = several(|| whole(self.ours("flood", load)?))?;
            table.add(row(ours, fastest(&reports, "deltas"), "/s", Limit::AtLeast(250_000.0)));
            table.add(row(cpu, best_of(&reports, "cpu_micros", least), "µs", Limit::AtMost(5.0)));
        }
        Ok(())
    }

    fn requests(&self, table: &mut Table) -> Result<(), Failure> {
        for (mode, load, [bare, ours, cpu]) in [
            ("get", ASKING, ["bare GET", "GET a session", "… CPU a request"]),
            ("post", ASKING, ["bare POST", "POST a message, durable", "… CPU of one"]),
        ] {
            let reports = several(|| self.bare(mode, load))?;
            table.add(row(bare, fastest(&reports, "requests"), "/s", Limit::None));
            let reports = several(|| self.ours(mode, load))?;
            table.add(row(ours, fastest(&reports, "requests"), "/s", Limit::None));
            table.add(row(cpu, best_of(&reports, "cpu_micros", least), "µs", Limit::None));
        }
        let reports = several(|| self.ours("turns", [16, 2_000]))?;
        table.add(row("whole turns, 16 at once", fastest(&reports, "requests"), "/s", Limit::None));
        Ok(())
    }

    /// Nothing is lost by who is away or stands still, and nobody else notices.
    fn absent(&self, table: &mut Table) -> Result<(), Failure> {
        let reports = several(|| self.ours("away", [1, 10]))?;
        table.add(row(
            "away for 10 s: lost of 4,000",
            best_of(&reports, "lost", most),
            "",
            Limit::AtMost(0.0),
        ));
        table.add(row("… p99 of one who stayed", best_of(&reports, "p99", least), "ms", Limit::AtMost(1.0)));
        let reports = several(|| whole(self.ours("stalled", [2, 600_000])?))?;
        let grown = best_of(&reports, "grown_mib", most);
        table.add(row("stalled in a flood: grown by", grown, "MiB", Limit::None));
        table.add(row("… p99 of another session", best_of(&reports, "p99", least), "ms", Limit::AtMost(1.0)));
        Ok(())
    }

    fn memory(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.ours("rest", [0, 0])?;
        table.add(row("at rest", number(&report, "resident_mib"), "MiB", Limit::AtMost(15.0)));
        let report = self.ours("sessions", [1_000, 0])?;
        table.add(row("an idle session", number(&report, "idle_kib"), "KiB", Limit::AtMost(64.0)));
        let live = "a live session with a reader";
        table.add(row(live, number(&report, "live_kib"), "KiB", Limit::AtMost(64.0)));
        let bare = self.bare("idle-readers", IDLE_READERS)?;
        table.add(row("bare, 10,000 idle readers", number(&bare, "resident_mib"), "MiB", Limit::None));
        let report = self.ours("idle-readers", IDLE_READERS)?;
        table.add(row("10,000 idle readers", number(&report, "resident_mib"), "MiB", Limit::AtMost(1024.0)));
        table.add(row("… each of them", number(&report, "each_kib"), "KiB", Limit::None));
        Ok(())
    }

    /// A thousand sessions with two readers each, a delta a second from each session.
    fn crowd(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.ours("crowd", [1_000, 10])?;
        table.add(row("1,000 sessions, 2,000 readers: p50", number(&report, "p50"), "ms", Limit::None));
        table.add(row("… p99", number(&report, "p99"), "ms", Limit::None));
        table.add(row("… memory", number(&report, "resident_mib"), "MiB", Limit::None));
        Ok(())
    }

    fn ours(&self, mode: &str, load: [u64; 2]) -> Result<Value, Failure> {
        self.run(mode, load, &self.selvedge)
    }

    /// The same of a server that makes its deltas itself and keeps nothing.
    fn bare(&self, mode: &str, load: [u64; 2]) -> Result<Value, Failure> {
        self.run(mode, load, Path::new("bare"))
    }

    fn run(&self, mode: &str, load: [u64; 2], whom: &Path) -> Result<Value, Failure> {
        let crowd = Tool::new(&self.crowd).args([mode]).args(load.map(|number| number.to_string()));
        report(crowd.args([whom]), mode)
    }
}

/// A report of a flood in which everything came, each in its place.
fn whole(report: Value) -> Result<Value, Failure> {
    if report["in_order"] == true {
        Ok(report)
    } else {
        Err(Failure::new("a delta was lost, repeated or moved"))
    }
}

fn fastest(reports: &[Value], what: &str) -> f64 {
    reports.iter().map(|report| per_second(report, what)).fold(f64::NAN, most)
}
