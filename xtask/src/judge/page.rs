//! The matrices of docs/versions.md: each between two markers, made by the run.

use std::fs;
use std::path::PathBuf;

use super::matrix::Matrix;
use crate::failure::Failure;
use crate::workspace;

/// Writes what was found into the page.
pub(super) fn write(matrices: &[(&str, Matrix)]) -> Result<(), Failure> {
    let page = path();
    let (old, new) = updated(matrices)?;
    if old == new {
        println!("docs/versions.md says so already");
        return Ok(());
    }
    fs::write(&page, new).map_err(Failure::file("write", &page))?;
    println!("docs/versions.md says so now");
    Ok(())
}

/// Fails if the page says anything else than what was found.
pub(super) fn compare(matrices: &[(&str, Matrix)]) -> Result<(), Failure> {
    let (old, new) = updated(matrices)?;
    let Some(first) = first_difference(&old, &new) else {
        return Ok(());
    };
    Err(Failure::new(format!("docs/versions.md does not say what the judge found:\n{first}"))
        .hint("`cargo xtask judge` writes it; read the change before it is kept"))
}

/// What a person looks at first.
fn first_difference(old: &str, new: &str) -> Option<String> {
    let differs = |(old, new): (&str, &str)| (old != new).then(|| format!("- {old}\n+ {new}"));
    let first = old.lines().zip(new.lines()).find_map(differs);
    first.or_else(|| (old != new).then(|| "it has other rows".to_owned()))
}

fn path() -> PathBuf {
    workspace::root().join("docs/versions.md")
}

/// The page as it is, and as it should be.
fn updated(matrices: &[(&str, Matrix)]) -> Result<(String, String), Failure> {
    let page = path();
    let old = fs::read_to_string(&page).map_err(Failure::file("read", &page))?;
    let mut new = old.clone();
    for (suite, matrix) in matrices {
        new = replaced(&new, suite, &matrix.markdown()).ok_or_else(|| {
            let [start, end] = markers(suite);
            Failure::new(format!("docs/versions.md has no place for the matrix of `{suite}`"))
                .hint(format!("it stands between the lines {start} and {end}"))
        })?;
    }
    Ok((old, new))
}

fn markers(suite: &str) -> [String; 2] {
    [format!("<!-- judge: {suite} -->"), format!("<!-- end: {suite} -->")]
}

/// The page with another table between the markers of a suite.
fn replaced(page: &str, suite: &str, table: &str) -> Option<String> {
    let [start, end] = markers(suite);
    let (before, rest) = page.split_once(&start)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{start}\n{table}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{first_difference, replaced};

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let page = "before\n<!-- judge: client -->\nold\n<!-- end: client -->\nafter\n";
        let expected = "before\n<!-- judge: client -->\n| new |\n<!-- end: client -->\nafter\n";
        assert_eq!(replaced(page, "client", "| new |\n").as_deref(), Some(expected));
        assert_eq!(replaced(page, "runtime", "| new |\n"), None);
    }

    #[test]
    fn a_page_that_says_something_else_is_shown_where_it_does() {
        let (page, found) = ("| fork | passed |\n", "| fork | no: it is unknown |\n");
        assert_eq!(first_difference(page, page), None);
        let expected = "- | fork | passed |\n+ | fork | no: it is unknown |";
        assert_eq!(first_difference(page, found).as_deref(), Some(expected));
        assert_eq!(first_difference(page, "").as_deref(), Some("it has other rows"));
    }
}
