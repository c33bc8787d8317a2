//! A conversation with a Codex, recorded once, is a test that needs none.

use std::fs;

use selvedge_agent::testing::Rehearsal;
use selvedge_agent::{Codex, Prompt, Reply, RuntimeConfig, Section, Session, ToolInvoked};

use crate::{
    stage::{Setup, on_both},
    support::{Verdict, invoked, lookup, with_section},
};

on_both!(what_was_said_is_said_again_without_a_codex);

const RULES: &str = r#"
[[rule]]
contains = "[everything]"
step = [
  { do = [ { think = { text = "A call will tell." } }, { tool = { name = "lookup", arguments = { id = "A" } } }, { usage = { input = 100, output = 10 } } ] },
  { do = [ { run = { command = "echo $((6 * 7)) > answer.txt; cat answer.txt" } }, { usage = { input = 200, output = 20 } } ] },
  { do = [ { answer = { json = { verdict = "right", score = 7 } } }, { usage = { input = 300, cached = 100, output = 30 } } ] },
]

[[rule]]
contains = "[fails]"
step = [ { do = [ { fail = { as = "context_window" } } ] } ]
"#;

fn prompt(text: &str) -> Prompt<Verdict> {
    with_section(Section::markdown("Task", "task", text).tool(lookup()))
}

/// Two evaluations, the second of which fails: what came of each.
async fn twice(codex: &Codex, session: &Session) -> (Reply<Verdict>, String) {
    let reply = codex.evaluate(&prompt("[everything]"), session).await.unwrap();
    let error = codex.evaluate(&prompt("[fails]"), session).await.unwrap_err();
    codex.close().await;
    (reply, error.code.clone())
}

async fn what_was_said_is_said_again_without_a_codex(setup: Setup) {
    let stage = setup.play(RULES).await;
    let config = RuntimeConfig { record: true, ..stage.config() };
    let (codex, session) = (stage.builder().runtime(config).build().await.unwrap(), Session::new());
    let (first, failed) = twice(&codex, &session).await;
    let calls = session.all::<ToolInvoked>().iter().map(|it| it.rendered_output.clone()).collect::<Vec<_>>();
    let recording = fs::read_dir(stage.data().join("recordings")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(stage.work("answer.txt")).unwrap();

    let rehearsal = Rehearsal::recording(recording).unwrap();
    let (codex, again) = (rehearsal.codex().cwd(stage.work("")).build().await.unwrap(), Session::new());
    let (second, failed_again) = twice(&codex, &again).await;
    assert_eq!((second.output, second.text), (first.output, first.text));
    assert_eq!((second.usage, second.thread_id), (first.usage, first.thread_id));
    assert_eq!((failed_again, invoked(&again)), (failed, invoked(&session)));
    let calls_again =
        again.all::<ToolInvoked>().iter().map(|it| it.rendered_output.clone()).collect::<Vec<_>>();
    assert_eq!(calls_again, calls, "what the command said then is told, and it did not run again");
    assert!(!stage.work("answer.txt").exists());
    stage.leave().await;
}
