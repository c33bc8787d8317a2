//! The table of a benchmark: name, value, limit, ratio, ok.

use std::fmt;

/// One measured number and what it has to be.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) unit: &'static str,
    pub(super) limit: Limit,
}

/// What a number has to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// More is better.
    AtLeast(f64),
    /// Less is better.
    AtMost(f64),
    /// Shown to compare with.
    None,
}

/// The rows in the order in which they were measured.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The names of the rows that missed their limit.
    pub(super) fn missed(&self) -> Vec<&'static str> {
        self.rows.iter().filter(|row| row.ok() == Some(false)).map(|row| row.name).collect()
    }
}

impl Row {
    /// Whether the limit is kept; nothing where there is none. A value that is no number keeps no limit.
    fn ok(&self) -> Option<bool> {
        match self.limit {
            Limit::AtLeast(limit) => Some(self.value >= limit),
            Limit::AtMost(limit) => Some(self.value <= limit),
            Limit::None => None,
        }
    }

    fn cells(&self) -> [String; 5] {
        let value = format!("{} {}", readable(self.value), self.unit);
        let (sign, limit) = match self.limit {
            Limit::AtLeast(limit) => ("≥", limit),
            Limit::AtMost(limit) => ("≤", limit),
            Limit::None => return [self.name.to_owned(), value, String::new(), String::new(), String::new()],
        };
        let ok = if self.ok() == Some(true) { "ok" } else { "MISSED" };
        // Of nothing there is no ratio.
        let ratio = if limit == 0.0 { String::new() } else { format!("{:.2}", self.value / limit) };
        [
            self.name.to_owned(),
            value,
            format!("{sign} {} {}", readable(limit), self.unit),
            ratio,
            ok.to_owned(),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = ["name", "value", "limit", "ratio", "ok"].map(str::to_owned);
        let lines: Vec<[String; 5]> =
            std::iter::once(heading).chain(self.rows.iter().map(Row::cells)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let (name, value, limit, ratio) = (width(0), width(1), width(2), width(3));
        for [a, b, c, d, e] in &lines {
            let line = format!("{a:<name$}  {b:>value$}  {c:>limit$}  {d:>ratio$}  {e}");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Thousands apart, and decimals only where they tell something.
fn readable(value: f64) -> String {
    if value.abs() < 100.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("-", rest));
    let mut grouped = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{Limit, Row, Table};

    #[test]
    fn a_table_shows_each_number_beside_its_limit() {
        let mut table = Table::default();
        table.add(Row { name: "bare pipe", value: 4_900_000.0, unit: "/s", limit: Limit::None });
        table.add(Row { name: "our client", value: 985_000.0, unit: "/s", limit: Limit::AtLeast(800_000.0) });
        table.add(Row { name: "peak memory", value: 12.0, unit: "MiB", limit: Limit::AtMost(10.0) });
        let expected = "\
name                value         limit  ratio  ok
bare pipe    4,900,000 /s
our client     985,000 /s  ≥ 800,000 /s   1.23  ok
peak memory     12.00 MiB   ≤ 10.00 MiB   1.20  MISSED
";
        assert_eq!(table.to_string(), expected);
        assert_eq!(table.missed(), ["peak memory"]);
    }
}
