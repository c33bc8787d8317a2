//! Cases and versions: what was found in each, for a terminal and for a page.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// What one suite found on each version.
#[derive(Debug)]
pub(super) struct Matrix {
    pub(super) versions: Vec<String>,
    /// By the names of the cases.
    pub(super) rows: BTreeMap<String, Row>,
}

/// One case.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// What it shows.
    pub(super) purpose: String,
    /// One for each version.
    pub(super) cells: Vec<Cell>,
}

impl Row {
    pub(super) fn new(versions: usize) -> Self {
        Self { purpose: String::new(), cells: vec![Cell::NotJudged; versions] }
    }
}

/// What a case found on a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Passed,
    /// The version cannot do it, or not all of it; what it does instead.
    Lacks(String),
    Failed,
    NotJudged,
}

impl Cell {
    /// The first line that a case writes.
    pub(super) fn read(line: &str) -> Self {
        match line.strip_prefix("no: ") {
            Some(what) => Self::Lacks(what.to_owned()),
            None if line == "passed" => Self::Passed,
            None => Self::Failed,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Lacks(_) => "no",
            Self::Failed => "FAILED",
            Self::NotJudged => "not judged",
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Lacks(what) => format!("no: {what}"),
            other => other.word().to_owned(),
        }
    }
}

impl Matrix {
    /// A table of a page.
    pub(super) fn markdown(&self) -> String {
        let mut table =
            format!("| | {} |\n|---|{}\n", self.versions.join(" | "), "---|".repeat(self.versions.len()));
        for (case, row) in &self.rows {
            let cells: Vec<String> = row.cells.iter().map(Cell::text).collect();
            let _infallible = writeln!(table, "| `{case}`: {} | {} |", row.purpose, cells.join(" | "));
        }
        table
    }
}

/// One word for each cell, and below what is lacking.
impl fmt::Display for Matrix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.keys().map(String::len).max().unwrap_or(0);
        let heading: String = self.versions.iter().map(|version| format!("  {version:<10}")).collect();
        writeln!(out, "{:width$}{}", "", heading.trim_end())?;
        for (case, row) in &self.rows {
            let cells: String = row.cells.iter().map(|cell| format!("  {:<10}", cell.word())).collect();
            writeln!(out, "{case:<width$}{}", cells.trim_end())?;
        }
        for (case, row) in &self.rows {
            for (version, cell) in self.versions.iter().zip(&row.cells) {
                if let Cell::Lacks(what) = cell {
                    writeln!(out, "{version} {case}: {what}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Matrix {
        let row = |purpose: &str, cells: [&str; 2]| Row {
            purpose: purpose.to_owned(),
            cells: cells
                .map(|cell| if cell.is_empty() { Cell::NotJudged } else { Cell::read(cell) })
                .to_vec(),
        };
        let rows = [
            ("fork".to_owned(), row("a fork", ["no: it is unknown", "passed"])),
            ("steer".to_owned(), row("a steer", ["failed", ""])),
        ];
        Matrix { versions: vec!["0.1.0".to_owned(), "0.2.0".to_owned()], rows: rows.into() }
    }

    #[test]
    fn a_page_says_what_is_lacking_where_it_is() {
        let expected = "\
| | 0.1.0 | 0.2.0 |
|---|---|---|
| `fork`: a fork | no: it is unknown | passed |
| `steer`: a steer | FAILED | not judged |
";
        assert_eq!(matrix().markdown(), expected);
    }

    #[test]
    fn a_terminal_shows_one_word_a_cell_and_then_what_is_lacking() {
        let expected = "     \x20 0.1.0       0.2.0
fork   no          passed
steer  FAILED      not judged
0.1.0 fork: it is unknown
";
        assert_eq!(matrix().to_string(), expected);
    }
}
