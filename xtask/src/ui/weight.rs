//! What a first visit loads before it shows anything, compressed, beside its limit.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::failure::Failure;

/// In bytes.
const LIMIT: u64 = 500_000;

/// Prints it, and fails above the limit.
pub(super) fn check(built: &Path) -> Result<(), Failure> {
    let weight = of_first_visit(built)?;
    println!("   a first visit loads {} KB, compressed; the limit is {} KB", weight / 1000, LIMIT / 1000);
    if weight > LIMIT {
        return Err(Failure::new("the page is too heavy")
            .hint("load what a first visit does not show with `import()`, or leave a library out"));
    }
    Ok(())
}

/// The page itself and every file that it names: its script, what that imports at once, its styles.
fn of_first_visit(built: &Path) -> Result<u64, Failure> {
    let index = built.join("index.html");
    let html = fs::read_to_string(&index).map_err(Failure::file("read", &index))?;
    let named: BTreeSet<&str> = html.split('"').filter_map(|value| value.strip_prefix("/assets/")).collect();
    let assets = named.iter().map(|name| built.join("assets").join(name));
    assets.chain([index]).map(|file| as_sent(&file)).sum()
}

/// The size of a file as a browser gets it.
fn as_sent(file: &Path) -> Result<u64, Failure> {
    let mut compressed = file.as_os_str().to_owned();
    compressed.push(".gz");
    let about = fs::metadata(compressed).or_else(|_| fs::metadata(file));
    about.map(|about| about.len()).map_err(Failure::file("find", file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_names_is_counted_once_and_as_it_is_sent() {
        let built = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| fs::write(built.path().join(path), text).unwrap();
        fs::create_dir(built.path().join("assets")).unwrap();
        let page =
            r#"<script src="/assets/a.js"></script><link href="/assets/a.js"><link href="/assets/b.css">"#;
        write("index.html", page);
        write("index.html.gz", "12345");
        write("assets/a.js", "a long script");
        write("assets/a.js.gz", "1234567");
        write("assets/b.css", "123");
        write("assets/later.js", "nobody needs it at once");
        assert_eq!(of_first_visit(built.path()).unwrap(), 5 + 7 + 3);
        fs::remove_file(built.path().join("assets/b.css")).unwrap();
        assert!(of_first_visit(built.path()).unwrap_err().to_string().contains("b.css"));
    }
}
