//! The programs the generator runs, each to its end.

use std::{
    ffi::OsStr,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

/// Runs a program with a folder as its only home, and gives what it printed.
pub(crate) fn run(program: &Path, args: &[&OsStr], home: &Path) -> Result<String, String> {
    let output = command(program.as_os_str())
        .args(args)
        .env("CODEX_HOME", home)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} {args:?}: {}: {stderr}", program.display(), output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Runs a program that reads all of its input before it writes, as rustfmt does.
pub(crate) fn pipe(program: &str, args: &[&str], input: &str) -> Result<String, String> {
    let mut child = command(OsStr::new(program))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(|error| format!("{program}: {error}"))?;
    }
    let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

#[expect(clippy::disallowed_methods, reason = "short-lived tools that are waited for right here")]
fn command(program: &OsStr) -> Command {
    Command::new(program)
}
