//! The data directory: whether it can be written, how large it is, and whether the journal is whole.

use std::{
    fs,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access};
use selvedge_journal::{Progress, Report, SqliteStore};
use selvedge_runtime::Config;
use tokio::task::spawn_blocking;

use super::finding::Finding;
use crate::show::amounts;

const DATA: &str = "data";
const JOURNAL: &str = "journal";

pub(super) async fn look(config: &Config) -> Vec<Finding> {
    let directory = &config.data_dir;
    if !directory.exists() {
        return vec![Finding::note(DATA, format!("{} will be made at the first run", directory.display()))];
    }
    let mut findings = vec![writable(directory)];
    let file = directory.join("journal.db");
    if file.exists() {
        findings.push(whole(file).await);
    }
    findings
}

fn writable(directory: &Path) -> Finding {
    let detail = format!("{} ({})", directory.display(), amounts::bytes(size(directory)));
    match access(directory, Access::WRITE_OK | Access::READ_OK | Access::EXEC_OK) {
        Ok(()) => Finding::good(DATA, detail),
        Err(error) => Finding::problem(DATA, format!("{detail} cannot be written: {error}"))
            .hint("make it yours, or choose another with --data-dir"),
    }
}

fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

async fn whole(file: PathBuf) -> Finding {
    let checked = spawn_blocking(move || SqliteStore::check(&file, &mut tell)).await;
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[2K");
    }
    match checked {
        Ok(Ok(report)) => told(&report),
        Ok(Err(error)) => Finding::problem(JOURNAL, error.to_string()).hint_if(error.hint()),
        Err(error) => Finding::problem(JOURNAL, format!("it could not be checked: {error}")),
    }
}

/// A large journal takes seconds: on a terminal it is said how far it is.
fn tell(progress: Progress) {
    if io::stderr().is_terminal() && progress.of > 0 {
        eprint!("\rlooking through the journal: {}%", progress.done * 100 / progress.of);
    }
}

fn told(report: &Report) -> Finding {
    let (sessions, records) = (report.sessions, report.records);
    let Some(first) = report.damage.first() else {
        return Finding::good(JOURNAL, format!("whole (sessions: {sessions}, records: {records})"));
    };
    let more = report.damage.len() as u64 - 1 + report.more;
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    Finding::problem(JOURNAL, format!("damaged: {first}{more}"))
        .hint("restore a backup; everything that is not named can still be read and exported")
}
