//! Measures what a relay costs: `weigh MODE COUNT [PROGRAM]`, one JSON object on stdout.
//!
//! `cargo xtask bench relay` runs it once per row. PROGRAM is the one that is the daemon; without it the same is
//! measured over a bare pair of pipes.

mod child;
mod line;

use std::{
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use serde_json::{Value, json};

use line::Line;

/// About as long as a delta of Codex.
const BYTES: usize = 250;

type Measured = Result<Value, Box<dyn Error>>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let count = words.get(1).and_then(|count| count.parse().ok()).unwrap_or_default();
    let daemon = words.get(2).map(Path::new);
    let measured = match words.first() {
        Some(&"echo") => return child::echo(),
        Some(&"pour") => return child::pour(count),
        Some(&"latency") => latency(count, daemon),
        Some(&"flood") => flood(count, daemon),
        Some(&"memory") => memory(count, daemon),
        _ => Err("usage: weigh latency|flood|memory COUNT [PROGRAM]".into()),
    };
    match measured {
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

/// There and back again, one line after the other, in microseconds.
fn latency(count: usize, daemon: Option<&Path>) -> Measured {
    let mut line = Line::open(daemon, "echo", 0)?;
    let mut answers = BufReader::new(line.receiver()?);
    let said = format!("{}\n", "x".repeat(BYTES - 1));
    let mut heard = String::new();
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let begun = Instant::now();
        line.sender()?.write_all(said.as_bytes())?;
        heard.clear();
        answers.read_line(&mut heard)?;
        times.push(begun.elapsed().as_secs_f64() * 1e6);
        if heard != said {
            return Err("another line came back".into());
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(times.len() * share / 100).copied();
    Ok(json!({"p50": at(50), "p99": at(99)}))
}

/// As much as the child can say.
fn flood(count: usize, daemon: Option<&Path>) -> Measured {
    let begun = Instant::now();
    let line = Line::open(daemon, "pour", count)?;
    let mut from = line.receiver()?;
    let mut chunk = vec![0; 256 * 1024];
    let mut bytes = 0;
    while bytes < count * BYTES {
        match from.read(&mut chunk)? {
            0 => return Err("not everything came".into()),
            length => bytes += length,
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(json!({"bytes": bytes, "seconds": seconds, "peak_kib": line.memory("VmHWM:")}))
}

/// A daemon at rest, after some lines, and after a flood that nobody reads.
fn memory(count: usize, daemon: Option<&Path>) -> Measured {
    let mut line = Line::open(daemon, "echo", 0)?;
    let mut answers = BufReader::new(line.receiver()?);
    let mut heard = String::new();
    for _ in 0..1000 {
        line.sender()?.write_all(b"one line\n")?;
        answers.read_line(&mut heard)?;
    }
    let (used, share, own) = (line.memory("VmRSS:"), line.memory("Pss:"), line.memory("RssAnon:"));
    let flooded = Line::open(daemon, "pour", count)?;
    let _deaf = flooded.receiver()?;
    while fs::metadata(flooded.log()).is_ok_and(|log| (log.len() as usize) < count * BYTES) {
        std::thread::yield_now();
    }
    let peak = flooded.memory("VmHWM:");
    Ok(json!({"used_kib": used, "share_kib": share, "own_kib": own, "peak_kib": peak}))
}
