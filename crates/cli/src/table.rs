//! Tables for people: columns as wide as they need to be.

use std::io::{self, Write};

use crate::show::clean::clean;

/// Prints rows under their headings; nothing but a line of words where there are none.
pub(crate) fn print(headings: &[&str], rows: &[Vec<String>], when_empty: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if rows.is_empty() {
        return writeln!(out, "{when_empty}");
    }
    out.write_all(laid_out(headings, rows).as_bytes())?;
    out.flush()
}

fn laid_out(headings: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.get(column).map_or(0, |cell| cell.chars().count()));
        cells.max().unwrap_or_default().max(headings[column].chars().count())
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let mut text = String::new();
    for row in std::iter::once(&headings).chain(rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{:<width$}  ", clean(cell)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["1".to_owned(), "idle".to_owned()], vec!["22222".to_owned(), "ü".to_owned()]];
        assert_eq!(laid_out(&["ID", "STATE"], &rows), "ID     STATE\n1      idle\n22222  ü\n");
    }
}
