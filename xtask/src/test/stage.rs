//! The stages: what each runs, what it needs from the ones before it, and what to do when it fails.

use std::ffi::OsString;
use std::fmt;

use clap::ValueEnum;

#[cfg(target_os = "linux")]
use crate::chaos;
use crate::failure::Failure;
use crate::generate;
use crate::judge::{self, Report};
use crate::setup::{self, Setup};
use crate::tool::{self, Tool};
use crate::ui;

/// One step of the test command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// Install what is missing.
    Setup,
    /// Compare the formatting.
    Format,
    /// Test and build the page.
    Page,
    /// Lint everything.
    Lint,
    /// Compare the generated files with what the installed Codex says.
    Codegen,
    /// Build everything the tests run.
    Build,
    /// Run the tests.
    Tests,
    /// Judge the other versions of Codex.
    Judge,
    /// Visit the built program with a browser.
    Browser,
    /// Kill at random, and check that nothing was lost.
    Chaos,
}

/// What earlier stages made for later ones.
#[derive(Debug, Default)]
pub(super) struct Bench {
    /// What was installed.
    pub(super) setup: Setup,
    /// The `selvedge` command, for tests that run it.
    selvedge: Option<OsString>,
    /// What the judge found.
    report: Option<Report>,
}

/// What a stage would have needed, if it could not do all of its work. The run goes on and says so at its end; it fails
/// then if the set-up should have brought it.
type Missing = Option<String>;

impl Stage {
    /// In the order in which they run: what is quick to fail first.
    pub(super) const ALL: &[Self] = &[
        Self::Setup,
        Self::Format,
        Self::Page,
        Self::Lint,
        Self::Codegen,
        Self::Build,
        Self::Tests,
        Self::Judge,
        Self::Browser,
        Self::Chaos,
    ];

    /// The stages this one cannot do without.
    pub(super) fn needs(self) -> &'static [Self] {
        match self {
            Self::Tests | Self::Judge | Self::Chaos => &[Self::Setup, Self::Build],
            Self::Browser => &[Self::Setup, Self::Page, Self::Build],
            Self::Codegen => &[Self::Setup],
            Self::Setup | Self::Format | Self::Page | Self::Lint | Self::Build => &[],
        }
    }

    /// One line for the heading.
    pub(super) fn purpose(self) -> &'static str {
        match self {
            Self::Setup => "what the tests need and cargo does not bring",
            Self::Format => "every file as rustfmt writes it",
            Self::Page => "the page's types, tests and weight, and the page itself",
            Self::Lint => "no warning in any target",
            Self::Codegen => "the views are what the pinned Codex says they are",
            Self::Build => "everything the tests run",
            Self::Tests => "all tests of the workspace",
            Self::Judge => "what older versions of Codex do, and what docs/versions.md says of them",
            Self::Browser => "the page in a browser, on the built program",
            Self::Chaos => "app-servers and the runtime killed at random, and nothing lost",
        }
    }

    /// What a person does about a failure.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Setup => "see above for what could not be installed",
            Self::Format => "`cargo fmt --all` formats",
            Self::Page => "see above; in `ui/`, `npm test` and `npm run build` repeat it",
            Self::Lint => "fix it, or `#[expect(…, reason = \"…\")]` with a reason",
            Self::Codegen => "the generated files come from the pinned Codex only",
            Self::Build => "see the compiler's messages above",
            Self::Tests => "see the failed tests above",
            Self::Judge => "see what was found otherwise above, and docs/judge.md",
            Self::Browser => "see the failed visits above, and docs/testing.md",
            Self::Chaos => "see what was violated above, and docs/reliability.md",
        }
    }

    /// Runs it.
    pub(super) fn run(self, bench: &mut Bench) -> Result<Missing, Failure> {
        match self {
            Self::Setup => return Ok(set_up(bench)),
            Self::Format => Tool::cargo().args(["fmt", "--all", "--check"]).run()?,
            Self::Page => ui::test()?,
            Self::Lint => lint()?,
            Self::Codegen => return compare_generated(bench),
            Self::Build => bench.selvedge = Some(tool::build_everything()?.into()),
            Self::Tests => tests(bench)?,
            Self::Judge => return judge_others(bench),
            Self::Browser => return browse(bench),
            Self::Chaos => return chaos(bench),
        }
        Ok(None)
    }
}

fn set_up(bench: &mut Bench) -> Missing {
    bench.setup = setup::provide();
    let missing: Vec<String> = bench.setup.missing.iter().map(|missing| missing.package.title()).collect();
    (!missing.is_empty()).then(|| missing.join(", "))
}

fn lint() -> Result<(), Failure> {
    Tool::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()
}

fn compare_generated(bench: &Bench) -> Result<Missing, Failure> {
    let Some(codex) = bench.setup.codex() else {
        return Ok(Some("codex".to_owned()));
    };
    generate::generate(true, codex)?;
    Ok(None)
}

fn tests(bench: &mut Bench) -> Result<(), Failure> {
    bench.report = Some(Report::new()?);
    // A program the caller named that does not run is as good as none; the tests must not try it again.
    let unusable = bench.setup.missing.iter().map(|missing| missing.package.variable());
    Tool::cargo().args(["test", "--workspace"]).without(unusable).envs(&environment(bench)).run()
}

/// The tests have judged the version our types are made from; here the others are, each from the oldest on.
fn judge_others(bench: &mut Bench) -> Result<Missing, Failure> {
    let missing = bench.setup.missing.iter().filter(|missing| missing.package.name == "codex");
    let missing: Vec<String> = missing.map(|missing| missing.package.title()).collect();
    if !missing.is_empty() {
        return Ok(Some(missing.join(", ")));
    }
    let report = match bench.report.take() {
        Some(report) => report,
        None => Report::new()?,
    };
    judge::complete(&environment(bench), &report)?;
    Ok(None)
}

/// On the stand-in, and on the real Codex if there is one. A machine for which there is no browser can test everything else.
fn browse(bench: &Bench) -> Result<Missing, Failure> {
    let Some(browser) = ui::find_browser().or_else(|| bench.setup.browser().map(Into::into)) else {
        eprintln!(
            "   no chromium was found: nobody has looked at the page; docs/testing.md says how to get one"
        );
        return Ok(Some("chromium".to_owned()));
    };
    ui::drive(browser, &environment(bench))?;
    Ok(bench.setup.codex().is_none().then(|| "codex".to_owned()))
}

/// Where the programs are that tests run.
fn environment(bench: &Bench) -> Vec<(String, OsString)> {
    let selvedge = bench.selvedge.iter().map(|path| ("SELVEDGE_BIN".to_owned(), path.clone()));
    let report = bench.report.iter().map(Report::variable);
    selvedge.chain(bench.setup.environment.iter().cloned()).chain(report).collect()
}

/// On the stand-in, then on the real Codex, if there is one.
#[cfg(target_os = "linux")]
fn chaos(bench: &Bench) -> Result<Missing, Failure> {
    for relay in [false, true] {
        chaos::run(&chaos::Options::of_tests(chaos::Codex::Rehearsal, relay))?;
    }
    if bench.setup.codex().is_none() {
        return Ok(Some("codex".to_owned()));
    }
    for relay in [false, true] {
        chaos::run(&chaos::Options::of_tests(chaos::Codex::Real, relay))?;
    }
    Ok(None)
}

/// Elsewhere the environment of other processes cannot be read, and so nobody can be found to be killed.
#[cfg(not(target_os = "linux"))]
fn chaos(_bench: &Bench) -> Result<Missing, Failure> {
    Ok(None)
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        out.write_str(value.as_ref().map_or("stage", |value| value.get_name()))
    }
}
