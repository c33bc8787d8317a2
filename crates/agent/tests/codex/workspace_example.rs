//! The example of an isolated workspace, as its readers run it.

use std::fs;

use selvedge_agent::{Codex, Sandbox};

use crate::stage::{Setup, on_both};

#[path = "../../examples/isolated.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod isolated;

on_both!(a_change_is_tried_out_on_a_copy);

const RENAMES: &str = r#"
[[rule]]
contains = "Rename old to new."
step = [
  { do = [ { tool = { name = "edit_file", arguments = { path = "project/lib.rs", old = "old", new = "new" } } } ] },
  { do = [ { tool = { name = "read_file", arguments = { path = "project/lib.rs" } } } ] },
  { do = [ { tool = { name = "edit_file", arguments = { path = "project/lib.rs", old = "old", new = "new" } } } ] },
  { do = [ { tool = { name = "edit_file", arguments = { path = "project/lib.rs", old = "fn old", new = "fn new" } } } ] },
  { do = [ { answer = { json = { summary = "Renamed.", files = ["project/lib.rs"] } } } ] },
]
"#;

async fn a_change_is_tried_out_on_a_copy(setup: Setup) {
    let stage = setup.play(RENAMES).await;
    let builder = Codex::builder().runtime(stage.config()).sandbox(Sandbox::DangerFullAccess);
    let codex = builder.build().await.unwrap();
    let project = stage.work("");
    fs::create_dir(stage.work("target")).unwrap();
    fs::write(stage.work("target/old.o"), "built").unwrap();
    fs::write(stage.work("lib.rs"), "fn old() {} // the old one").unwrap();
    let copy = isolated::copy_of(&project).await.unwrap();
    let reply = isolated::try_out(&codex, &copy, "Rename old to new.").await.unwrap();
    assert_eq!(reply.output.summary, "Renamed.");
    // Not read at first, then not unique, then edited: what failed has changed nothing.
    let different = isolated::different(&copy, &project, &reply.output.files).unwrap();
    assert_eq!(different, [("project/lib.rs".to_owned(), "fn new() {} // the old one".to_owned())]);
    assert!(!copy.path().join("project/target").exists());
    assert_eq!(fs::read_to_string(stage.work("lib.rs")).unwrap(), "fn old() {} // the old one");
    stage.close(codex).await;
}
