//! Everything that the crate exports has an example in its documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What begins an item that can be exported.
const KINDS: [&str; 6] = ["struct", "enum", "trait", "fn", "const", "type"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn texts(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(texts(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// Whether a documentation has an example in it.
fn is_shown(docs: &[&str]) -> bool {
    docs.iter().any(|line| line.trim_start().starts_with("/// ```"))
}

/// The public items of a file by their names, each with whether it has an example.
fn items(text: &str) -> BTreeMap<String, bool> {
    let (mut found, mut docs) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let item = line.strip_prefix("pub ").and(words.nth(1)).filter(|word| KINDS.contains(word));
        let name =
            item.and(words.next()).map(|word| word.split(|it: char| !it.is_alphanumeric() && it != '_'));
        if let Some(name) = name.and_then(|mut parts| parts.next()) {
            found.insert(name.to_owned(), is_shown(&docs));
        }
        match line {
            // Attributes stand between the two, some of them over several lines.
            line if line.starts_with("///") || line.starts_with('#') => docs.push(line),
            line if line.starts_with(' ') || line.starts_with(')') => {}
            _ => docs.clear(),
        }
    }
    found
}

/// What a file exports of ours, and what it exports of other crates without an example.
fn exports(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut ours, mut bare) = (BTreeSet::new(), BTreeSet::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\npub use ") {
        let (exported, behind) = after.split_once(';').unwrap();
        let docs: Vec<&str> = before.lines().rev().take_while(|line| line.starts_with("///")).collect();
        let names = exported.split_once('{').map_or(exported, |(_, group)| group);
        let names = names.split([',', '{', '}']).map(str::trim).filter(|name| !name.is_empty());
        let names = names.map(|name| name.rsplit([' ', ':']).next().unwrap().to_owned());
        if !exported.starts_with("selvedge_") {
            ours.extend(names);
        } else if !is_shown(&docs) {
            bare.extend(names);
        }
        rest = behind;
    }
    (ours, bare)
}

#[test]
fn everything_that_is_exported_has_an_example() {
    let mut shown = BTreeMap::new();
    for (name, has_one) in texts(&source()).iter().flat_map(|text| items(text)) {
        *shown.entry(name).or_insert(true) &= has_one;
    }
    let mut without = BTreeSet::new();
    let mut count = 0;
    for file in ["lib.rs", "testing.rs"] {
        let (ours, bare) = exports(&fs::read_to_string(source().join(file)).unwrap());
        count += ours.len();
        without.extend(bare);
        // A module has its example at its top.
        without.extend(ours.into_iter().filter(|name| name != "reducers" && shown.get(name) != Some(&true)));
    }
    assert!(count > 100, "the exports were not found: {count}");
    assert_eq!(without, BTreeSet::new(), "no example in the documentation of these");
}

#[test]
fn what_has_no_example_is_found() {
    let text = "/// Words.\n#[derive(\n    Clone\n)]\npub struct One {\n    pub field: u8,\n}\n\n/// ```\n/// ```\npub enum Two<T> {}\n\npub fn three() {}\n";
    let expected = [("One", false), ("Two", true), ("three", false)];
    assert_eq!(items(text), expected.map(|(name, shown)| (name.to_owned(), shown)).into());
    let (ours, bare) = exports(
        "\npub use a::{One, b::Two};\n\n/// ```\npub use selvedge_x::Three;\npub use selvedge_x::Four as Five;\n",
    );
    assert_eq!((ours.len(), bare), (2, ["Five".to_owned()].into()));
}
