//! `cargo xtask`: the only entry to set-up, tests, code generation and benchmarks.

mod codegen;

use std::{env, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let check = args.iter().any(|arg| arg == "--check");
    let codex =
        PathBuf::from(args.last().filter(|arg| !arg.starts_with("--")).map_or("codex", String::as_str));
    match args.first().map(String::as_str) {
        Some("codegen") => match codegen::run(check, &codex) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        _ => ExitCode::FAILURE,
    }
}
