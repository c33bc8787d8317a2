//! Which files are offered, and in which order.

use std::fs;

use super::*;

fn paths(found: &[PathFound]) -> Vec<&str> {
    found.iter().map(|found| found.path.as_str()).collect()
}

fn listed(files: &[&str]) -> Option<Vec<String>> {
    Some(files.iter().map(|file| (*file).to_owned()).collect())
}

fn make(root: &Path, files: &[&str]) {
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
}

#[test]
fn the_nearest_fit_comes_first() {
    let place = tempfile::tempdir().unwrap();
    let files = ["src/main.rs", "src/domain/mod.rs", "main.rs", "docs/maintenance.md", "m/a/i/n", "other"];
    make(place.path(), &files);
    let found = complete_in(place.path(), listed(&files), "main");
    assert_eq!(
        paths(&found),
        ["main.rs", "src/main.rs", "docs/maintenance.md", "src/domain/", "src/domain/mod.rs", "m/a/i/n"]
    );
    assert_eq!(found[3].kind, PathKind::Directory);
    assert_eq!(
        paths(&complete_in(place.path(), listed(&files), "SRC/")),
        ["src/", "src/domain/", "src/main.rs", "src/domain/mod.rs"]
    );
    assert_eq!(paths(&complete_in(place.path(), listed(&files), "xyz")), [""; 0]);
    let gone = complete_in(place.path(), listed(&["deleted.rs", "main.rs"]), "");
    assert_eq!(paths(&gone), ["main.rs"], "what is gone is not offered");
}

#[test]
fn without_git_it_looks_itself_and_follows_no_link() {
    let place = tempfile::tempdir().unwrap();
    make(place.path(), &["a/one", "two", ".git/config"]);
    std::os::unix::fs::symlink("/", place.path().join("root")).unwrap();
    let found = complete_in(place.path(), None, "");
    assert_eq!(paths(&found), ["a/", "two", "root", "a/one"]);
}

#[test]
fn there_are_never_too_many() {
    let place = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..80).map(|number| format!("file{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    make(place.path(), &names);
    assert_eq!(complete_in(place.path(), None, "file").len(), MOST);
}
