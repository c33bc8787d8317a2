//! Pages that say which test shows what name only tests that there are.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::files::{File, text_files};

const PAGES: [&str; 5] = [
    "docs/rules-and-tests.md",
    "docs/sdk/coverage.md",
    "docs/dialects/companion.md",
    "docs/dialects/caic.md",
    "docs/a2a/cases.md",
];

#[test]
fn every_test_that_a_page_names_is_there() {
    let files = text_files();
    for page in PAGES {
        let text = files.iter().find(|file| file.path == Path::new(page)).map_or("", |file| &file.text);
        let names = names(text);
        assert!(names.len() > 15, "the names were not found in {page}: {names:?}");
        let missing: Vec<_> = names.into_iter().filter(|name| !is_there(&files, name)).collect();
        assert!(missing.is_empty(), "{page} names tests that are not there: {missing:#?}");
    }
}

/// What stands between backticks and is a path of a function.
fn names(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |name: &&str| {
        name.contains("::")
            && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || b"_:".contains(&it))
    };
    quoted.filter(is_path).collect()
}

fn is_there(files: &[File], name: &str) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    let [package, modules @ .., function] = parts.as_slice() else { return false };
    let function = format!("fn {function}(");
    let places = places(package, modules);
    files.iter().any(|file| places.contains(&file.path) && file.text.contains(&function))
}

/// Where the file of a module may lie. Its tests may stand in it, or beside it.
fn places(package: &str, modules: &[&str]) -> Vec<PathBuf> {
    let root = Path::new("crates").join(package);
    let file = modules.join("/");
    ["src", "tests"].iter().map(|folder| root.join(folder).join(format!("{file}.rs"))).collect()
}

#[test]
fn a_name_is_found_in_its_own_file_only() {
    let file = |path: &str, text: &str| File { path: path.into(), text: text.to_owned() };
    let files = [
        file("crates/a/tests/rules/endings.rs", "#[test]\nfn it_ends() {}"),
        file("crates/a/src/lib.rs", "fn it_begins() {}"),
    ];
    assert!(is_there(&files, "a::rules::endings::it_ends"));
    assert!(is_there(&files, "a::lib::it_begins"));
    for other in ["a::rules::it_ends", "b::rules::endings::it_ends", "a::rules::endings::it_end", "it_ends"] {
        assert!(!is_there(&files, other), "{other}");
    }
    assert_eq!(names("see `a::b_1` and `A::b`, `a`, `a::b()`"), BTreeSet::from(["a::b_1"]));
}
