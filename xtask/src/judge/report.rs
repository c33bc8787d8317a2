//! What the cases of a run found: a file for each, `SUITE/VERSION/CASE`. Its form is said in the judge's own `report.rs`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::matrix::{Cell, Matrix, Row};
use crate::failure::Failure;

/// The directory that cases write into; gone when this is.
#[derive(Debug)]
pub(crate) struct Report {
    directory: TempDir,
}

impl Report {
    pub(crate) fn new() -> Result<Self, Failure> {
        let directory =
            tempfile::tempdir().map_err(Failure::file("create a directory in", &std::env::temp_dir()))?;
        Ok(Self { directory })
    }

    /// By which cases know which version they judge, and where to write what they found.
    pub(super) fn variables(&self, version: &str) -> Vec<(String, OsString)> {
        vec![("JUDGE_VERSION".to_owned(), version.into()), self.variable()]
    }

    /// Where cases write what they found.
    pub(crate) fn variable(&self) -> (String, OsString) {
        ("JUDGE_REPORT".to_owned(), self.directory.path().into())
    }

    /// Whether any case of this suite has judged this version.
    pub(super) fn has(&self, suite: &str, version: &str) -> bool {
        self.directory.path().join(suite).join(version).is_dir()
    }

    /// What one suite found.
    pub(super) fn matrix(&self, suite: &str, versions: &[String]) -> Matrix {
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        for (column, version) in versions.iter().enumerate() {
            for (case, text) in files(&self.directory.path().join(suite).join(version)) {
                let mut lines = text.lines();
                let found = Cell::read(lines.next().unwrap_or_default());
                let row = rows.entry(case).or_insert_with(|| Row::new(versions.len()));
                row.purpose = lines.next().unwrap_or_default().to_owned();
                row.cells[column] = found;
            }
        }
        Matrix { versions: versions.to_vec(), rows }
    }
}

/// Names and contents.
fn files(directory: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let read = |entry: fs::DirEntry| {
        Some((entry.file_name().into_string().ok()?, fs::read_to_string(entry.path()).ok()?))
    };
    entries.filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_cases_wrote_is_the_matrix_and_what_they_did_not_was_not_judged() {
        let report = Report::new().unwrap();
        let directory = report.directory.path().join("client/0.1.0");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("steer"), "no: it is unknown\na steer\n").unwrap();
        let matrix = report.matrix("client", &["0.1.0".to_owned(), "0.2.0".to_owned()]);
        let row = &matrix.rows["steer"];
        assert_eq!(row.purpose, "a steer");
        assert_eq!(row.cells, [Cell::Lacks("it is unknown".to_owned()), Cell::NotJudged]);
        assert!(report.has("client", "0.1.0") && !report.has("client", "0.2.0"));
    }
}
