//! What was typed and means nothing: in clap's own words, which end as every error here does.

use std::{
    io::{IsTerminal as _, stderr},
    process::ExitCode,
};

use crate::exit;

/// Where clap begins to say what to do.
const LAST: &str = "For more information";
const HINT: &str = "hint: `--help` behind a command says what it takes";

/// Tells the person. Help and the version come the same way, and are no errors.
pub(crate) fn tell(said: &clap::Error) -> ExitCode {
    if !said.use_stderr() {
        // Whoever closed the other end has read enough.
        let _closed = said.print();
        return ExitCode::from(exit::DONE);
    }
    let words = said.render();
    let words = if stderr().is_terminal() { words.ansi().to_string() } else { words.to_string() };
    eprintln!("{}", hinted(&words));
    ExitCode::from(exit::BAD_INPUT)
}

fn hinted(words: &str) -> String {
    let words = words.split(LAST).next().unwrap_or(words).trim_end();
    format!("{words}\n{HINT}")
}
