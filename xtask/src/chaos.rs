//! `cargo xtask chaos`: many sessions through a host that is killed, on app-servers that are killed, and a checker that knows
//! only the outside.

mod check;
mod dice;
mod driver;
mod evidence;
mod host;
mod ledger;
mod plan;
mod processes;
mod programs;
mod report;
mod world;

use std::time::Duration;

use clap::ValueEnum;

use crate::failure::Failure;
use programs::Programs;
use world::World;

/// What to do to whom.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// The same seed makes the same plan.
    #[arg(long, value_name = "N")]
    pub(crate) seed: u64,
    /// How long things happen; then everything may come to its end.
    #[arg(long, value_name = "M", default_value_t = 2.0)]
    pub(crate) minutes: f64,
    /// Who plays Codex.
    #[arg(long, value_enum, default_value_t = Codex::Rehearsal)]
    pub(crate) codex: Codex,
    /// How many sessions are made; some are forked later.
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub(crate) sessions: usize,
    /// App-servers stand behind relays: the host is also let go, relays are killed too, and things stand still for a while.
    #[arg(long)]
    pub(crate) relay: bool,
    /// Also with frames that are lost, doubled or damaged, which no pipe does.
    #[arg(long)]
    pub(crate) wild: bool,
    /// Only say what would happen.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take the programs from a build of everything, which the tests have made.
    #[arg(skip)]
    pub(crate) from_whole_build: bool,
}

impl Options {
    /// What is part of every test: two minutes on the stand-in, half a minute on the real Codex; behind relays a quarter on
    /// each.
    pub(crate) fn of_tests(codex: Codex, relay: bool) -> Self {
        let (minutes, sessions) = match codex {
            _ if relay => (0.25, 6),
            Codex::Rehearsal => (2.0, 12),
            Codex::Real => (0.5, 6),
        };
        let (seed, wild, dry_run, from_whole_build) = (1, false, false, true);
        Self { seed, minutes, codex, sessions, relay, wild, dry_run, from_whole_build }
    }
}

/// Who plays Codex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Codex {
    /// The installed one, on a scripted model.
    Real,
    /// `selvedge rehearse app-server`.
    Rehearsal,
}

/// Runs the plan of a seed, checks what was seen, and fails if anything was violated.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let plan = plan::Plan::of(&plan::Wishes {
        seed: options.seed,
        length: Duration::from_secs_f64(options.minutes * 60.0),
        sessions: options.sessions,
        relay: options.relay,
        wild: options.wild,
    });
    println!("{}", plan.summary());
    if options.dry_run {
        return Ok(());
    }
    let programs = Programs::build(options)?;
    let world = World::make(&plan, programs)?;
    let ledger = driver::drive(&plan, &world)?;
    let found = check::all(&plan, &ledger, &world.traces(&plan));
    report::print(&plan, &ledger, &found);
    let violations = &found.violations;
    if violations.is_empty() {
        return world.remove();
    }
    let folder = evidence::keep(&plan, &ledger, violations, world)?;
    Err(Failure::new(format!("{} violations", violations.len()))
        .hint(format!("the events around them are in {}", folder.display())))
}
