//! What each case found, for the matrix in docs/versions.md.
//!
//! Where `JUDGE_REPORT` names a directory, a case writes the file `SUITE/VERSION/CASE` there, with two lines: `failed`
//! when it begins, and so for good if it does not get to its end; then `passed`, or `no: WHAT THE VERSION LACKS`. The
//! second line is what the case shows. No file: not judged. `cargo xtask judge` makes the matrix of them; another suite
//! writes into a directory of its own name.

use std::{env, fs, path::PathBuf};

use crate::{cases::purpose, version::version};

const DIRECTORY: &str = "JUDGE_REPORT";
const SUITE: &str = "client";

/// A case has begun.
pub(crate) fn begun(case: &str) {
    write(case, "failed");
}

/// A case has come to its end; what it found lacking.
pub(crate) fn ended(case: &str, lacking: &[&str]) {
    match lacking {
        [] => write(case, "passed"),
        _ => write(case, &format!("no: {}", lacking.join("; "))),
    }
}

fn write(case: &str, found: &str) {
    let Some(directory) = env::var_os(DIRECTORY) else { return };
    let directory = PathBuf::from(directory).join(SUITE).join(version());
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(case), format!("{found}\n{}\n", purpose(case))).unwrap();
}
