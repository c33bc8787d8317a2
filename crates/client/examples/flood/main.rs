//! Measures one way of reading a flood of deltas: `flood MODE DELTAS -- APP-SERVER…`, one JSON object on stdout.
//!
//! `cargo xtask bench client` runs it once per mode, each in a process of its own, so that peak memory is the mode's.

mod bare;
mod ours;

use std::{env, ffi::OsString, fs, path::PathBuf, process::ExitCode, time::Instant};

/// What one mode saw.
struct Seen {
    deltas: usize,
    /// What else the mode measured, by name, in milliseconds.
    extra: Option<(&'static str, f64)>,
}

/// The app-server to start, and how many deltas it will send.
struct Source {
    program: PathBuf,
    arguments: Vec<OsString>,
    deltas: usize,
}

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let mode = arguments.next().and_then(|mode| mode.into_string().ok());
    let deltas = arguments.next().and_then(|deltas| deltas.to_str()?.parse().ok());
    let program = arguments.find(|argument| argument == "--").and_then(|_| arguments.next());
    let (Some(mode), Some(deltas), Some(program)) = (mode, deltas, program) else {
        eprintln!("usage: flood pipe|lines|decode|client|paused|slow-answer DELTAS -- APP-SERVER…");
        return ExitCode::from(2);
    };
    let source = Source { program: program.into(), arguments: arguments.collect(), deltas };
    let started = Instant::now();
    let seen = match mode.as_str() {
        "pipe" => bare::pipe(&source),
        "lines" => bare::lines(&source),
        "decode" => bare::decode(&source),
        "client" => ours::client(&source),
        "paused" => ours::paused(&source),
        "slow-answer" => ours::slow_answer(&source),
        _ => Err(format!("there is no mode {mode}").into()),
    };
    match seen {
        Ok(seen) => report(&seen, started),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn report(seen: &Seen, started: Instant) {
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let cpu_seconds = cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9;
    let mut report = serde_json::json!({
        "deltas": seen.deltas,
        "seconds": started.elapsed().as_secs_f64(),
        "cpu_seconds": cpu_seconds,
        "peak_kib": peak_kib(),
    });
    if let Some((name, milliseconds)) = seen.extra {
        report[name] = milliseconds.into();
    }
    println!("{report}");
}

/// The largest resident size this process has had; 0 where that cannot be read.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}
