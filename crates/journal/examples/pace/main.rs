//! Measures one way of writing or reading events: `pace MODE SESSIONS BATCH EVENTS`, one JSON object on stdout.
//!
//! `cargo xtask bench journal` runs it once per row, each in a process and a folder of its own.

mod bare;
mod latency;
mod ours;
mod start;

use std::{env, error::Error, process::ExitCode};

use serde_json::Value;

/// What to measure.
#[derive(Debug, Clone, Copy)]
struct Load {
    sessions: u64,
    /// Events in one record, or in one session's part of a transaction.
    batch: u64,
    events: u64,
}

type Measured = Result<Value, Box<dyn Error>>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse().ok());
    let (Some(mode), Some(sessions), Some(batch), Some(events)) =
        (words.first(), number(1), number(2), number(3))
    else {
        eprintln!(
            "usage: pace bare-append|append|bare-replay|replay|bare-latency|latency|open SESSIONS BATCH EVENTS"
        );
        return ExitCode::from(2);
    };
    match measure(mode, Load { sessions, batch, events }) {
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

fn measure(mode: &str, load: Load) -> Measured {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("journal.db");
    match mode {
        "bare-append" => bare::append(&file, load),
        "bare-replay" => bare::replay(&file, load),
        "bare-latency" => latency::bare(&file, load),
        "append" => in_runtime(ours::append(&file, load)),
        "replay" => in_runtime(ours::replay(&file, load)),
        "open" => in_runtime(start::open(&file, load)),
        "latency" => in_runtime(latency::ours(&file, load)),
        _ => Err(format!("there is no mode {mode}").into()),
    }
}

fn in_runtime(measured: impl Future<Output = Measured>) -> Measured {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(measured)
}

/// An event like a delta of a message: about 250 bytes.
fn body(seq: u64) -> String {
    format!(
        r#"{{"seq":{seq},"session_id":"019a8b3c-5d6e-7f80-9123-456789abcdef","at":"2026-01-01T00:00:00.000Z","turn_id":"019a8b3c-5d6e-7f80-9123-4567","item_id":"msg_0123456789abcdef","type":"item.delta","data":{{"kind":"text","delta":"some words of it"}}}}"#
    )
}
