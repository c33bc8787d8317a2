//! The examples, as their readers run them.

use selvedge_agent::Session;

use crate::{
    stage::{Setup, on_both},
    support::invoked,
};

#[path = "../../examples/summarize.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod summarize;

on_both!(a_repository_is_summed_up);

const SUMMARY: &str = r#"
[[rule]]
contains = "Summarize the repository in"
step = [
  { do = [ { tool = { name = "count_lines", arguments = { path = "main.rs" } } } ] },
  { do = [ { answer = { json = { title = "Two lines", files = ["main.rs"], line_count = 2 } } } ] },
]
"#;

async fn a_repository_is_summed_up(setup: Setup) {
    let stage = setup.play(SUMMARY).await;
    std::fs::write(stage.work("main.rs"), "fn main() {\n}\n").unwrap();
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = summarize::summarize(&codex, &session).await.unwrap();
    assert_eq!((reply.output.title.as_str(), reply.output.line_count), ("Two lines", 2));
    assert_eq!(reply.output.files, ["main.rs"]);
    assert_eq!(invoked(&session), [("count_lines".into(), true)]);
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains(r#"{\"lines\":2}"#), "the model was told the count: {asked}");
    }
    stage.close(codex).await;
}
