//! What every file of the tree keeps to: a purpose line, the workspace's lints, no address of one machine.

mod files;
mod named;

use std::path::Path;

use files::{File, text_files};

#[test]
fn every_rust_file_begins_with_its_purpose() {
    let files = text_files();
    let without: Vec<_> = files.iter().filter(|file| file.is("rs") && !has_purpose(&file.text)).collect();
    assert!(without.is_empty(), "these files do not begin with a `//!` line: {without:#?}");
}

/// An empty `//!` line says nothing.
fn has_purpose(text: &str) -> bool {
    text.lines().next().and_then(|line| line.strip_prefix("//!")).is_some_and(|said| !said.trim().is_empty())
}

#[test]
fn every_crate_inherits_the_lints() {
    let files = text_files();
    let manifests: Vec<_> = files.iter().filter(|file| file.is_manifest_of_a_crate()).collect();
    assert!(manifests.len() >= 5, "the crates were not found: {manifests:?}");
    let without: Vec<_> =
        manifests.iter().filter(|file| !file.text.contains("\n[lints]\nworkspace = true\n")).collect();
    assert!(without.is_empty(), "these crates do not have `[lints] workspace = true`: {without:#?}");
}

#[test]
fn every_library_has_its_reason() {
    let files = text_files();
    let text = |path| files.iter().find(|file| file.path == Path::new(path)).map_or("", |file| &file.text);
    let reasons = text("docs/dependencies.md");
    let libraries: Vec<&str> = libraries(text("Cargo.toml")).collect();
    assert!(libraries.contains(&"tokio"), "the table of libraries was not found: {libraries:?}");
    let without: Vec<_> = libraries.iter().filter(|name| !reasons.contains(**name)).collect();
    assert!(without.is_empty(), "say in docs/dependencies.md why these are here: {without:?}");
}

/// The names in `[workspace.dependencies]`, our own crates aside.
fn libraries(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let names = section.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
    names.map(|(name, _)| name).filter(|name| !name.starts_with("selvedge") && !name.starts_with('#'))
}

#[test]
fn no_file_names_a_registry_or_somebodys_home() {
    let found: Vec<String> = text_files().iter().flat_map(forbidden_words).collect();
    assert!(
        found.is_empty(),
        "which host packages come from, and where a tree lies, is the reader's own:\n{}",
        found.join("\n")
    );
}

/// Written in halves, so that this file is not the first to be found.
const REGISTRIES: [&str; 5] = [
    concat!("registry.", "npmjs"),
    concat!("registry.", "yarnpkg"),
    concat!("npm.pkg.", "github"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
];
const HOMES: [&str; 3] = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];

fn forbidden_words(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let registry = REGISTRIES.into_iter().find(|host| line.contains(host));
        if let Some(word) = registry.or_else(|| HOMES.into_iter().find(|home| names_home(line, home))) {
            found.push(format!("{}:{}: {word}", file.path.display(), number + 1));
        }
    }
    found
}

/// An absolute path begins there: `~/x/home/y` and an URL's path are none.
fn names_home(line: &str, home: &str) -> bool {
    let begins = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || "_-.~/}>".contains(c));
    line.match_indices(home).any(|(at, _)| begins(&line[..at]))
}

#[test]
fn a_forbidden_word_is_found_and_its_like_is_not() {
    let found = |text: &str| forbidden_words(&File { path: "x.md".into(), text: text.to_owned() }).len();
    assert_eq!(found(concat!("see https://registry.", "npmjs.org/x\nand more")), 1);
    assert_eq!(found(concat!("cd /ro", "ot/project")), 1);
    assert_eq!(found(concat!("\"cwd\": \"/ho", "me/ann/project\"")), 1);
    assert_eq!(found("GET http://127.0.0.1/v1/home/x, ./root/y, $HOME/z"), 0);
}
