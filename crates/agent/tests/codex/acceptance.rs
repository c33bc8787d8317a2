//! What the reference's own kit asks of every adapter, where no other file here has it: whole evaluations, as a caller sees them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use selvedge_agent::{
    ADAPTER, Codex, Phase, Prompt, PromptExecuted, PromptRendered, RenderedTools, Section,
    SequentialDependency, Session, Slice, Tool, ToolContext, ToolError, ToolFailure, ToolInvoked,
};
use serde::{Deserialize, Serialize};

use crate::{
    stage::{Setup, on_both},
    support::{Lookup, Verdict, invoked, lookup, with_section},
};

on_both!(
    a_whole_evaluation_is_told_in_order,
    operations_are_kept_and_undone_one_by_one,
    a_call_that_a_policy_denies_does_not_run,
);

const RULES: &str = r#"
[[rule]]
contains = "[everything]"
step = [
  { do = [ { say = { text = "I look it up.", phase = "commentary" } }, { tool = { name = "lookup", arguments = { id = "A" } } }, { usage = { input = 100, output = 10 } } ] },
  { do = [ { run = { command = "echo done > done.txt" } }, { usage = { input = 200, output = 20 } } ] },
  { do = [ { answer = { json = { verdict = "right", score = 7 } } }, { usage = { input = 300, cached = 100, output = 30 } } ] },
]

[[rule]]
contains = "[three operations]"
step = [
  { do = [ { tool = { name = "write", arguments = { id = "one" } } } ] },
  { do = [ { tool = { name = "write", arguments = { id = "bad" } } } ] },
  { do = [ { tool = { name = "write", arguments = { id = "three" } } } ] },
  { do = [ { say = { text = "Written.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[too early]"
step = [
  { do = [ { tool = { name = "deploy", arguments = { id = "A" } } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { tool = { name = "deploy", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Deployed.", phase = "final_answer" } } ] },
]
"#;

/// Rendered, its tools, what was called, executed: in this order, each with the adapter's name, and what belongs together says so.
async fn a_whole_evaluation_is_told_in_order(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let tell = |what: &'static str| {
        let heard = heard.clone();
        move |adapter: &str| heard.lock().unwrap().push((what, adapter.to_owned()))
    };
    let (rendered, tools, called, executed) =
        (tell("rendered"), tell("tools"), tell("called"), tell("executed"));
    let _watching = (
        session.observe(move |it: &PromptRendered| rendered(&it.adapter)),
        session.observe(move |it: &RenderedTools| tools(&it.adapter)),
        session.observe(move |it: &ToolInvoked| called(&it.adapter)),
        session.observe(move |it: &PromptExecuted| executed(&it.adapter)),
    );
    let prompt: Prompt<Verdict> =
        with_section(Section::markdown("Task", "task", "[everything]").tool(lookup()));
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!(reply.output, Verdict { verdict: "right".into(), score: 7 });
    let order = ["rendered", "tools", "called", "called", "executed"].map(|what| (what, ADAPTER.to_owned()));
    assert_eq!(*heard.lock().unwrap(), order);
    assert_eq!(ADAPTER, "codex_app_server");
    assert_eq!(invoked(&session), [("lookup".into(), true), ("codex:command".into(), true)]);
    let calls = session.all::<ToolInvoked>();
    let ids: HashSet<_> = calls.iter().map(|call| call.call_id.clone().expect("each has one")).collect();
    assert_eq!(ids.len(), 2);
    let rendered: PromptRendered = session.latest().unwrap();
    assert_eq!(session.latest::<RenderedTools>().unwrap().render_event_id, rendered.event_id);
    let executed: PromptExecuted = session.latest().unwrap();
    assert_eq!(executed.usage.map(|usage| usage.total_tokens()), Some(660), "of all its responses");
    assert_eq!(executed.output, Some(serde_json::json!({"verdict": "right", "score": 7})));
    assert!(stage.work("done.txt").exists());
    stage.close(codex).await;
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Line(String);

impl Slice for Line {
    const NAME: &'static str = "line";
}

async fn operations_are_kept_and_undone_one_by_one(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let write = Tool::new("write", "Write a line.", async |params: Lookup, context: ToolContext| {
        context.session().append(Line(params.id.clone()));
        if params.id == "bad" { Err(ToolError::new("this cannot be written")) } else { Ok("written") }
    });
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[three operations]").tool(write));
    assert_eq!(codex.evaluate(&prompt, &session).await.unwrap().text, "Written.");
    assert_eq!(&*session.all::<Line>(), [Line("one".into()), Line("three".into())]);
    assert_eq!(
        invoked(&session).iter().map(|(_, success)| *success).collect::<Vec<_>>(),
        [true, false, true]
    );
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("this cannot be written"), "the model was told");
    }
    stage.close(codex).await;
}

async fn a_call_that_a_policy_denies_does_not_run(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let runs = Arc::new(Mutex::new(0));
    let counted = runs.clone();
    let deploy = Tool::new("deploy", "Deploy.", move |_: Lookup, _: ToolContext| {
        *counted.lock().unwrap() += 1;
        async { Ok("deployed") }
    });
    let section = Section::markdown("Task", "task", "[too early]").tool(deploy).tool(lookup());
    let prompt = Prompt::text("tests", "case")
        .section(section.policy(SequentialDependency::new().requires("deploy", ["lookup"])))
        .build()
        .unwrap();
    assert_eq!(codex.evaluate(&prompt, &session).await.unwrap().text, "Deployed.");
    assert_eq!(*runs.lock().unwrap(), 1);
    let calls = session.all::<ToolInvoked>();
    assert_eq!(calls[0].result.failure, Some(ToolFailure::Denied));
    assert_eq!(calls[0].rendered_output, "Tool 'deploy' requires: lookup");
    assert!(calls[1].result.success && calls[2].result.success);
    stage.close(codex).await;
}

#[tokio::test]
async fn a_codex_that_is_not_there_is_told_with_what_to_do() {
    let codex = Codex::builder().binary("/there/is/no/codex").build().await.unwrap();
    let prompt = with_section::<()>(Section::markdown("Task", "task", "Go."));
    let error = codex.evaluate(&prompt, &Session::new()).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "codex_missing"));
    assert!(error.to_string().contains("/there/is/no/codex"), "{error}");
    assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("give the path")), "{error}");
    codex.close().await;
}
