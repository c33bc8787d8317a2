//! Measures one thing about evaluations: `toll MODE AMOUNT (--rehearsal SELVEDGE | --codex CODEX)`, one JSON object on stdout.
//!
//! `cargo xtask bench agent` runs it once per row, each in a process and a directory of its own. SELVEDGE is the program that plays the
//! simulated app-server; CODEX is a real one, whose model is scripted.

mod bare;
mod crowd;
mod memory;
mod stage;
mod turns;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use stage::{Backend, Stage};

type Failure = Box<dyn Error + Send + Sync>;
type Measured = Result<Value, Failure>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [mode, amount, backend, program] = &words[..] else { return usage() };
    let backend = match backend.as_str() {
        "--rehearsal" => Backend::Rehearsal(program.into()),
        "--codex" => Backend::Codex(program.into()),
        _ => return usage(),
    };
    let Ok(amount) = amount.parse() else { return usage() };
    match measure(mode, amount, backend) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: toll bare|evaluate|shared|each AMOUNT (--rehearsal SELVEDGE | --codex CODEX)");
    ExitCode::from(2)
}

fn measure(mode: &str, amount: usize, backend: Backend) -> Measured {
    let threads = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    threads.block_on(async {
        let stage = Stage::set(backend).await?;
        let measured = match mode {
            "bare" => Box::pin(bare::measure(&stage, amount)).await,
            "evaluate" => Box::pin(turns::measure(&stage, amount)).await,
            "shared" => Box::pin(crowd::on_one_codex(&stage, amount)).await,
            "each" => Box::pin(crowd::on_a_codex_each(&stage, amount)).await,
            _ => Err(format!("there is no mode {mode}").into()),
        };
        stage.strike().await?;
        measured
    })
}

/// What a turn took: the one in the middle, and the one that only one of a hundred was slower than.
fn times(mut took: Vec<Duration>) -> Value {
    took.sort();
    let at = |share: usize| took.get((took.len() * share / 100).min(took.len().saturating_sub(1)));
    let ms = |time: Option<&Duration>| time.map(|time| time.as_secs_f64() * 1000.0);
    json!({ "p50": ms(at(50)), "p99": ms(at(99)) })
}
