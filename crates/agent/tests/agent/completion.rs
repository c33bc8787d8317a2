//! Checks of whether work is done.

use selvedge_agent::{Checks, Completion, CompletionCheck, Directory, FilesWritten, Session, Tentative};

fn work() -> (tempfile::TempDir, Tentative) {
    let directory = tempfile::tempdir().unwrap();
    for name in ["one.md", "two.md"] {
        std::fs::write(directory.path().join(name), "x").unwrap();
    }
    let work = Tentative::new(&Session::new(), "All done.", &Directory::open(directory.path()).unwrap());
    (directory, work)
}

fn blocked(words: &str) -> Completion {
    Completion::incomplete(format!("<blocker>\n{words}\n</blocker>"))
}

#[tokio::test]
async fn files_have_to_be_there() {
    let (_directory, work) = work();
    let none: [&str; 0] = [];
    for (files, expected) in [
        (none.as_slice(), Completion::Complete),
        (&["one.md", "two.md"], Completion::Complete),
        (&["one.md", "a"], blocked("1 required output file(s) not found: a")),
        (&["a", "b", "c"], blocked("3 required output file(s) not found: a, b, c")),
        (&["a", "b", "c", "d"], blocked("4 required output file(s) not found: a, b, c...")),
        // What lies elsewhere was not written here.
        (&["../one.md"], blocked("1 required output file(s) not found: ../one.md")),
    ] {
        assert_eq!(FilesWritten::new(files.iter().copied()).check(work.clone()).await, expected);
    }
}

async fn complete(_: Tentative) -> Completion {
    Completion::Complete
}

async fn wants_more(work: Tentative) -> Completion {
    Completion::incomplete(format!("More than: {}", work.text()))
}

async fn silent(_: Tentative) -> Completion {
    Completion::incomplete("")
}

async fn never(_: Tentative) -> Completion {
    panic!("asked further than needed")
}

#[tokio::test]
async fn all_have_to_be_content_and_the_first_that_is_not_is_the_answer() {
    let (_directory, work) = work();
    assert_eq!(Checks::all().check(work.clone()).await, Completion::Complete);
    assert_eq!(Checks::all().and(complete).and(complete).check(work.clone()).await, Completion::Complete);
    let checks = Checks::all().and(complete).and(wants_more).and(never);
    assert_eq!(checks.check(work).await, Completion::incomplete("More than: All done."));
}

#[tokio::test]
async fn one_that_is_content_is_enough_where_any_is_asked_for() {
    let (_directory, work) = work();
    assert_eq!(Checks::any().check(work.clone()).await, Completion::Complete);
    assert_eq!(
        Checks::any().and(wants_more).and(complete).and(never).check(work.clone()).await,
        Completion::Complete
    );
    let none = Checks::any().and(wants_more).and(silent).and(FilesWritten::new(["a"])).check(work).await;
    let words =
        "More than: All done. <blocker>\n1 required output file(s) not found: a\n</blocker>".to_owned();
    assert_eq!(none, Completion::Incomplete(words));
}
