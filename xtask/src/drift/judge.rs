//! Whether the judge still passes, on the Codex that was looked at.

use std::ffi::OsString;
use std::path::Path;

use serde::Serialize;

use crate::failure::Failure;
use crate::setup;
use crate::tool::Tool;
use crate::workspace;

/// What the judge said.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub(super) enum Verdict {
    /// Nobody wanted to know.
    NotAsked,
    /// Every case held.
    Passed,
    /// These did not; none is named if it did not even build.
    Failed {
        /// Names of tests.
        cases: Vec<String>,
    },
}

/// Runs the client's judge on a native Codex. A version without transcripts is held to the cases' own assertions only.
pub(super) fn ask(version: &str, codex: &Path) -> Result<Verdict, Failure> {
    let mut variables: Vec<(String, OsString)> = vec![
        ("JUDGE_VERSION".to_owned(), version.into()),
        (setup::variable_of_codex(version)?, codex.into()),
    ];
    if !workspace::root().join("transcripts/judge").join(version).is_dir() {
        eprintln!("   there are no transcripts of Codex {version}: the judge asks for what the cases assert");
        variables.push(("JUDGE_UNRECORDED".to_owned(), "1".into()));
    }
    let (passed, printed) = Tool::cargo()
        .args(["test", "-p", "selvedge-client", "--test", "judge"])
        .envs(&variables)
        .on_stderr()
        .ended()?;
    if passed {
        return Ok(Verdict::Passed);
    }
    let printed = String::from_utf8_lossy(&printed);
    eprint!("{printed}");
    Ok(Verdict::Failed { cases: failed(&printed) })
}

/// The names of the tests that failed.
fn failed(printed: &str) -> Vec<String> {
    let one = |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned());
    let mut cases: Vec<String> = printed.lines().filter_map(one).collect();
    cases.sort();
    cases
}

#[cfg(test)]
mod tests {
    use super::failed;

    #[test]
    fn failed_cases_are_named() {
        let printed =
            "test threads::fork ... ok\ntest threads::steer ... FAILED\n\nfailures:\n    threads::steer\n";
        assert_eq!(failed(printed), ["threads::steer"]);
    }
}
