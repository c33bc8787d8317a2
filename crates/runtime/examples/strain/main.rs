//! Measures one thing about a runtime: `strain MODE SESSIONS AMOUNT -- SELVEDGE`, one JSON object on stdout.
//!
//! `cargo xtask bench runtime` runs it once per row, each in a process and a folder of its own. SELVEDGE is the program that plays the
//! simulated app-server.

mod deltas;
mod first_words;
mod history;
mod latency;
mod long_thread;
mod memory;
mod recovery;
mod shown;
mod stage;

use std::{env, error::Error, path::PathBuf, process::ExitCode};

use serde_json::Value;

/// What to measure.
#[derive(Debug, Clone)]
struct Load {
    sessions: usize,
    /// Of deltas, of seconds, of events, of turns, or of runs.
    amount: usize,
    /// What plays the app-server.
    selvedge: PathBuf,
}

type Failure = Box<dyn Error + Send + Sync>;
type Measured = Result<Value, Failure>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse().ok());
    let (Some(mode), Some(sessions), Some(amount), Some(selvedge)) =
        (words.first(), number(1), number(2), words.get(4))
    else {
        eprintln!(
            "usage: strain deltas|latency|memory|ready|replay|dead-app-server|long-thread|dead-runtime|first-words SESSIONS AMOUNT -- SELVEDGE [CODEX]"
        );
        return ExitCode::from(2);
    };
    match measure(mode, &words[5..], Load { sessions, amount, selvedge: selvedge.into() }) {
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

fn measure(mode: &str, rest: &[String], load: Load) -> Measured {
    selvedge_runtime::executor()?.block_on(async {
        match mode {
            "deltas" => Box::pin(deltas::measure(load)).await,
            "latency" => Box::pin(latency::measure(load)).await,
            "memory" => Box::pin(memory::measure(load)).await,
            "ready" => Box::pin(history::ready(load)).await,
            "replay" => Box::pin(history::replay(load)).await,
            "dead-app-server" => Box::pin(recovery::app_server(load)).await,
            "long-thread" => Box::pin(long_thread::measure(load)).await,
            "first-words" => Box::pin(first_words::measure(rest, load)).await,
            "dead-runtime" => Box::pin(recovery::runtime(load)).await,
            // The programs that some of these start.
            "opened" => Box::pin(history::opened(rest, load)).await,
            "host" => Box::pin(recovery::host(rest, load)).await,
            _ => Err(format!("there is no mode {mode}").into()),
        }
    })
}
