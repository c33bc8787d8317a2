//! Patches against real files.

use super::*;

fn dir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.txt"), "one\ntwo\nthree\nfour\nfive\n").unwrap();
    dir
}

fn make(dir: &tempfile::TempDir, body: &str) -> Result<Vec<Change>, BadPatch> {
    let changes = plan(&format!("*** Begin Patch\n{body}*** End Patch\n"), dir.path())?;
    changes.iter().for_each(|change| change.make().unwrap());
    Ok(changes)
}

#[test]
fn files_are_added_updated_moved_and_deleted() {
    let dir = dir();
    make(&dir, "*** Add File: sub/new.txt\n+hello\n+there\n").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("sub/new.txt")).unwrap(), "hello\nthere\n");
    let changes =
        make(&dir, "*** Update File: a.txt\n*** Move to: b.txt\n@@\n two\n-three\n+THREE\n").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("b.txt")).unwrap(), "one\ntwo\nTHREE\nfour\nfive\n");
    assert!(!dir.path().join("a.txt").exists());
    assert_eq!(changes[0].value()["diff"], "@@ -1,5 +1,5 @@\n one\n two\n-three\n+THREE\n four\n five\n");
    make(&dir, "*** Delete File: b.txt\n").unwrap();
    assert!(!dir.path().join("b.txt").exists());
}

#[test]
fn nothing_outside_the_directory_is_touched() {
    let dir = dir();
    std::os::unix::fs::symlink("/", dir.path().join("out")).unwrap();
    for path in ["../x", "/etc/x", "out/tmp/x", "a/../../x"] {
        let patch = format!("*** Add File: {path}\n+x\n");
        assert!(matches!(make(&dir, &patch), Err(BadPatch::Outside(_))), "{path}");
    }
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let dir = dir();
    assert!(matches!(make(&dir, "*** Update File: a.txt\n@@\n-six\n+seven\n"), Err(BadPatch::NotFound(_))));
    assert!(matches!(make(&dir, "*** Delete File: none\n"), Err(BadPatch::File { .. })));
    assert!(matches!(make(&dir, "*** Rename File: a\n"), Err(BadPatch::Unreadable(_))));
    assert!(matches!(
        plan("*** Begin Patch\n*** Delete File: a.txt\n", dir.path()),
        Err(BadPatch::Unreadable(_))
    ));
}

#[test]
fn a_turns_diff_starts_from_before_the_turn() {
    let dir = dir();
    let mut diff = TurnDiff::new(dir.path().to_owned());
    assert_eq!(diff.text(), None);
    for body in ["*** Add File: n.txt\n+1\n", "*** Update File: n.txt\n@@\n-1\n+2\n"] {
        let changes = plan(&format!("*** Begin Patch\n{body}*** End Patch\n"), dir.path()).unwrap();
        diff.remember(&changes[0]);
        changes[0].make().unwrap();
    }
    let wanted =
        "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+2\n";
    assert_eq!(diff.text().unwrap(), wanted);
}
