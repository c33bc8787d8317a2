//! What stands behind the relay: one that answers each line with it, one that pours out lines.

use std::{
    io::{self, BufRead, BufWriter, Write},
    process::ExitCode,
};

use crate::BYTES;

pub(crate) fn echo() -> ExitCode {
    let mut stdout = io::stdout().lock();
    let mut line = Vec::new();
    let mut stdin = io::stdin().lock();
    while let Ok(1..) = stdin.read_until(b'\n', &mut line) {
        if stdout.write_all(&line).and_then(|()| stdout.flush()).is_err() {
            return ExitCode::FAILURE;
        }
        line.clear();
    }
    ExitCode::SUCCESS
}

/// Then it waits for the end, as a server does.
pub(crate) fn pour(lines: usize) -> ExitCode {
    let line = format!("{}\n", "x".repeat(BYTES - 1));
    let mut stdout = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    for _ in 0..lines {
        if stdout.write_all(line.as_bytes()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    let poured = stdout.flush().and_then(|()| io::copy(&mut io::stdin().lock(), &mut io::sink()));
    if poured.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
