//! The suite `runtime`: from an app-server's write to a reader's hands, durable in between, beside bare ways in the same run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::figures::{best, best_of, least, most, number, per_second, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::setup;
use crate::tool::{self, Tool};
use crate::workspace;

/// What the client's scenario floods.
const DECODED: f64 = 300_000.0;

/// The programs of a measurement, built in release.
struct Programs {
    strain: PathBuf,
    selvedge: PathBuf,
    pace: PathBuf,
    flood: PathBuf,
}

/// Measures everything of this suite.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let example =
        |package, name| tool::build_executable(&["--release", "--package", package, "--example", name], name);
    let programs = Programs {
        selvedge: tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?,
        strain: example("selvedge-runtime", "strain")?,
        pace: example("selvedge-journal", "pace")?,
        flood: example("selvedge-client", "flood")?,
    };
    programs.deltas(table)?;
    programs.latency(table)?;
    programs.replay(table)?;
    programs.memory(table)?;
    programs.start(table)?;
    programs.first_words(table)?;
    programs.recovery(table)
}

impl Programs {
    /// A flood from one session and from fifty, joined as the runtime joins.
    fn deltas(&self, table: &mut Table) -> Result<(), Failure> {
        let decode = best(most, || Ok(DECODED / number(&self.bare_decode()?, "seconds")))?;
        table.add(row("bare decode, deltas", decode, "/s", Limit::None));
        for (names, load, bare_load) in [
            (["bare SQLite, 1 session", "1 session, durable deltas"], [1, 600_000], [1, 100, 500_000]),
            (
                ["bare SQLite, 50 sessions", "50 sessions, durable deltas"],
                [50, 1_000_000],
                [50, 100, 1_000_000],
            ),
        ] {
            let [bare_name, name] = names;
            let bare = best(most, || {
                self.pace("bare-append", bare_load).map(|report| per_second(&report, "events"))
            })?;
            let ours = best(most, || {
                let report = self.strain("deltas", load)?;
                if report["in_order"] != true {
                    return Err(Failure::new("a delta was lost, repeated or moved"));
                }
                Ok(per_second(&report, "deltas"))
            })?;
            table.add(row(bare_name, bare, "/s", Limit::None));
            table.add(row(name, ours, "/s", Limit::AtLeast(300_000.0)));
        }
        Ok(())
    }

    /// From the app-server's write to a reader, at 50 deltas a second from each session.
    fn latency(&self, table: &mut Table) -> Result<(), Failure> {
        for (name, figure) in [("bare commit, p50", "commit_p50"), ("bare commit, p99", "commit_p99")] {
            let bare = || self.pace("bare-latency", [10, 1, 1_500]).map(|report| number(&report, figure));
            table.add(row(name, best(least, bare)?, "ms", Limit::None));
        }
        for (sessions, names, limits) in [
            (1, ["to a reader, 1 session: p50", "… p99"], [Limit::None, Limit::None]),
            (10, ["10 sessions: p50", "10 sessions: p99"], [Limit::AtMost(0.2), Limit::AtMost(1.0)]),
            (100, ["100 sessions: p50", "100 sessions: p99"], [Limit::None, Limit::AtMost(5.0)]),
            (1_000, ["1,000 sessions: p50", "1,000 sessions: p99"], [Limit::None, Limit::None]),
        ] {
            let reports = several(|| self.strain("latency", [sessions, 5]))?;
            for ((name, figure), limit) in names.into_iter().zip(["p50", "p99"]).zip(limits) {
                table.add(row(name, best_of(&reports, figure, least), "ms", limit));
            }
        }
        Ok(())
    }

    fn replay(&self, table: &mut Table) -> Result<(), Failure> {
        let bare = best(most, || {
            self.pace("bare-replay", [1, 10, 500_000]).map(|report| per_second(&report, "events"))
        })?;
        let ours =
            best(most, || self.strain("replay", [1, 500_000]).map(|report| per_second(&report, "events")))?;
        table.add(row("bare replay, events", bare, "/s", Limit::None));
        table.add(row("replay, events", ours, "/s", Limit::AtLeast(1_500_000.0)));
        Ok(())
    }

    /// What one more session costs, of a thousand after the first five hundred.
    fn memory(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.strain("memory", [1_000, 0])?;
        table.add(row("an idle session", number(&report, "idle_kib"), "KiB", Limit::AtMost(64.0)));
        let live = "a live session with a reader";
        table.add(row(live, number(&report, "live_kib"), "KiB", Limit::AtMost(64.0)));
        Ok(())
    }

    fn start(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.strain("ready", [10_000, 0])?;
        table.add(row("10,000 sessions: ready", number(&report, "open_ms"), "ms", Limit::AtMost(200.0)));
        table.add(row("… each cold one", number(&report, "cold_kib"), "KiB", Limit::AtMost(0.1)));
        Ok(())
    }

    /// A new session's first message, until its turn begins: with a real Codex, if there is one.
    fn first_words(&self, table: &mut Table) -> Result<(), Failure> {
        let Some(codex) = setup::provide().codex().map(Path::to_owned) else {
            println!("no Codex was found: the rows about its start are left out");
            return Ok(());
        };
        let reports = several(|| {
            let strain = Tool::new(&self.strain).args(["first-words", "1", "5", "--"]);
            report(strain.args([&self.selvedge as &Path, &codex]), "first-words")
        })?;
        for (name, figure) in [
            ("a turn begins: no Codex runs", "cold_ms"),
            ("… one waits that was started ahead", "warm_ms"),
            ("… one is in use", "in_use_ms"),
        ] {
            table.add(row(name, best_of(&reports, figure, least), "ms", Limit::None));
        }
        Ok(())
    }

    /// After `kill -9`; what the rules let an app-server's successor wait (1 s) is not in it.
    fn recovery(&self, table: &mut Table) -> Result<(), Failure> {
        let report = self.strain("dead-app-server", [1, 5])?;
        let mut took = |name, value| table.add(row(name, value, "ms", Limit::None));
        took("app-server killed: another one", number(&report, "restarted_ms"));
        took("… and the turn speaks again", number(&report, "speaking_ms"));
        let report = self.strain("dead-app-server", [10, 3])?;
        took("… with 10 turns: all speak", number(&report, "speaking_ms"));
        let report = self.strain("long-thread", [1, 1_000])?;
        took("… after 1,000 turns: it speaks", number(&report, "long_ms"));
        took("… that thread, loaded without us", number(&report, "alone_ms"));
        let report = self.strain("dead-runtime", [1, 5])?;
        took("runtime killed: next event", number(&report, "event_ms"));
        took("… and the turn speaks again", number(&report, "speaking_ms"));
        Ok(())
    }

    fn strain(&self, mode: &str, load: [u64; 2]) -> Result<Value, Failure> {
        let strain = Tool::new(&self.strain).args([mode]).args(load.map(|number| number.to_string()));
        report(strain.args(["--"]).args([&self.selvedge as &Path]), mode)
    }

    fn pace(&self, mode: &str, load: [u64; 3]) -> Result<Value, Failure> {
        report(Tool::new(&self.pace).args([mode]).args(load.map(|number| number.to_string())), mode)
    }

    fn bare_decode(&self) -> Result<Value, Failure> {
        let flood = Tool::new(&self.flood).args(["decode", &format!("{DECODED}"), "--"]);
        let flood = flood.args([&self.selvedge as &Path]).args(["rehearse", "app-server", "--scenario"]);
        report(flood.args([workspace::root().join("scenarios/bench.toml")]), "decode")
    }
}
