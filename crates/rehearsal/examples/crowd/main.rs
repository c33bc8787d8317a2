//! Measures one thing about a gateway from outside: `crowd MODE SESSIONS AMOUNT SELVEDGE [memory|full]`, one JSON object on stdout.
//!
//! It knows nothing of the gateway but its addresses. `cargo xtask bench gateway` runs it once per row, each with a gateway in a folder of its own. With the word `bare` instead of a
//! program the same is asked of the least server that could answer it: one that makes its deltas itself and keeps nothing.

mod a2a;
mod absent;
mod bare;
mod chunks;
mod flood;
mod latency;
mod memory;
mod reader;
mod requests;
mod server;
mod sessions;
#[path = "../../../runtime/examples/strain/shown.rs"]
mod shown;
mod talk;

use std::{env, error::Error, path::PathBuf, process::ExitCode};

use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::Value;

/// What to measure.
#[derive(Debug, Clone)]
struct Load {
    /// Sessions, or connections where requests are counted.
    sessions: usize,
    /// Of deltas, of seconds, of requests, or of readers.
    amount: usize,
    /// The program whose gateway is measured; without one, the bare server.
    selvedge: Option<PathBuf>,
    /// Its data lie in memory instead of on the disk.
    in_memory: bool,
    /// Each commit waits for the disk.
    full: bool,
}

type Failure = Box<dyn Error + Send + Sync>;
type Measured = Result<Value, Failure>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve-bare") {
        return ended(bare::serve());
    }
    let number = |place: usize| words.get(place).and_then(|word| word.parse().ok());
    let (Some(mode), Some(sessions), Some(amount), Some(program)) =
        (words.first(), number(1), number(2), words.get(3))
    else {
        eprintln!(
            "usage: crowd latency|flood|get|post|turns|away|stalled|rest|sessions|idle-readers|crowd|a2a-sends|a2a-streams SESSIONS AMOUNT SELVEDGE|bare [memory|full]"
        );
        return ExitCode::from(2);
    };
    let selvedge = (program != "bare").then(|| program.into());
    let told = |word: &str| words.get(4).is_some_and(|said| said == word);
    let load = Load { sessions, amount, selvedge, in_memory: told("memory"), full: told("full") };
    let measured = measure(mode, &load);
    ended(measured.map(|report| println!("{report}")))
}

fn ended(how: Result<(), Failure>) -> ExitCode {
    match how {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One thread reads for everybody: a reader's own work is little, and the other cores are the gateway's.
fn measure(mode: &str, load: &Load) -> Measured {
    raise_descriptors()?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        match mode {
            "latency" => latency::measure(load).await,
            "flood" => flood::measure(load).await,
            "get" => requests::get(load),
            "post" => requests::post(load),
            "turns" => requests::turns(load),
            "away" => absent::away(load).await,
            "stalled" => absent::stalled(load).await,
            "rest" => memory::rest(load),
            "sessions" => memory::sessions(load).await,
            "idle-readers" => memory::idle_readers(load).await,
            "crowd" => memory::crowd(load).await,
            "a2a-sends" => a2a::sends(load),
            "a2a-streams" => a2a::streams(load).await,
            _ => Err(format!("there is no mode {mode}").into()),
        }
    })
}

/// A reader is a descriptor, here and in the gateway that we start.
fn raise_descriptors() -> Result<(), Failure> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}
