//! Fifty prompts over one shared Codex: a few at a time, one budget for all of them, and a bar that shows how far it is.
//!
//!     cargo run -p selvedge-agent --example batch -- 200000

use std::fmt;
use std::io::Write as _;

use schemars::JsonSchema;
use selvedge_agent::{Budget, BudgetTracker, Codex, Phase, Prompt, PromptError, Sandbox, Section, Session};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

/// So many are asked at once.
const AT_ONCE: usize = 8;
const WIDTH: usize = 40;

#[derive(Clone, Serialize, JsonSchema)]
struct Number {
    number: u32,
}

/// What is known of a number.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Fact {
    pub(crate) number: u32,
    pub(crate) is_prime: bool,
}

fn prompt() -> Result<Prompt<Fact>, PromptError> {
    let section = Section::markdown("Task", "task", "Is ${number} a prime?").takes::<Number>();
    Prompt::<Fact>::builder("demo", "primes").section(section).build()
}

/// How far it is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) all: usize,
    pub(crate) done: usize,
    pub(crate) failed: usize,
    pub(crate) tokens: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full = (self.done + self.failed) * WIDTH / self.all.max(1);
        let bar = "█".repeat(full) + &"░".repeat(WIDTH - full);
        write!(out, "{bar} {}/{}", self.done + self.failed, self.all)?;
        if self.failed > 0 {
            write!(out, ", {} failed", self.failed)?;
        }
        write!(out, ", {} tokens", self.tokens)
    }
}

/// Asks about each number. What is answered is given back; once the budget is used up, nothing more is asked.
pub(crate) async fn facts(
    codex: &Codex,
    numbers: impl ExactSizeIterator<Item = u32>,
    tracker: &BudgetTracker,
    mut show: impl FnMut(Progress),
) -> Result<Vec<Fact>, PromptError> {
    let prompt = prompt()?;
    let mut progress = Progress { all: numbers.len(), ..Progress::default() };
    let (mut numbers, mut running, mut facts) = (numbers.fuse(), JoinSet::new(), Vec::new());
    loop {
        while running.len() < AT_ONCE
            && let Some(number) = numbers.next()
        {
            let (codex, tracker) = (codex.clone(), tracker.clone());
            let asked = prompt.clone().bind(Number { number })?;
            running.spawn(async move { codex.evaluate(&asked, &Session::new()).tracker(&tracker).await });
        }
        let Some(ended) = running.join_next().await else { return Ok(facts) };
        match ended {
            Ok(Ok(reply)) => {
                progress.done += 1;
                facts.push(reply.output);
            }
            Ok(Err(error)) => {
                progress.failed += 1;
                if error.phase == Phase::Budget {
                    // What runs is heard to its end; what was not begun counts as failed.
                    progress.failed += numbers.by_ref().count();
                }
            }
            Err(_panicked) => progress.failed += 1,
        }
        progress.tokens = tracker.consumed().total_tokens();
        show(progress);
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tokens = std::env::args().nth(1).map_or(Ok(500_000), |tokens| tokens.parse())?;
    let tracker = BudgetTracker::new(Budget::tokens(tokens))?;
    let codex = Codex::builder().sandbox(Sandbox::ReadOnly).build().await?;
    let show = |progress: Progress| {
        eprint!("\r{progress}");
        // If nobody sees it, nothing is lost.
        let _unseen = std::io::stderr().flush();
    };
    let mut facts = facts(&codex, 1..51, &tracker, show).await?;
    eprintln!();
    facts.sort_by_key(|fact| fact.number);
    for fact in facts.iter().filter(|fact| fact.is_prime) {
        println!("{}", fact.number);
    }
    codex.close().await;
    Ok(())
}
