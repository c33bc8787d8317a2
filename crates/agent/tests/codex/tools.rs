//! Tools: those of the prompt, called by the model and answered; those of Codex, told.

use std::sync::Arc;

use selvedge_agent::{
    Prompt, Section, Session, Slice, Tool, ToolContext, ToolError, ToolFailure, ToolInvoked, ToolReply,
};
use selvedge_rehearsal::model::CodexSettings;
use serde::{Deserialize, Serialize};
use tokio::sync::Barrier;

use crate::{
    stage::{Setup, on_both, on_the_real},
    support::{Lookup, invoked, lookup, says, with_section},
};

on_both!(
    a_tool_is_called_and_its_answer_reaches_the_model,
    a_call_that_fails_is_undone_and_the_turn_goes_on,
    wrong_arguments_are_told_and_the_turn_goes_on,
    commands_are_told_with_how_they_ended,
    a_changed_file_is_told,
    a_nested_evaluation_is_one_more_thread,
);

on_the_real!(calls_side_by_side_wait_for_each_other, pictures_reach_the_model);

const TOOLS: &str = r#"
[[rule]]
contains = "[wrong arguments]"
step = [
  { do = [ { tool = { name = "lookup", arguments = { name = "A" } } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Looked up at last.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[commands]"
step = [
  { do = [ { run = { command = "echo fine" } } ] },
  { do = [ { run = { command = "exit 3" } } ] },
  { do = [ { say = { text = "Done all.", phase = "final_answer" } } ] },
]
"#;

/// A picture of one dot.
const DOT: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn with_tool(text: &str, tool: Tool) -> Prompt {
    with_section(Section::markdown("Task", "task", text).tool(tool))
}

async fn a_tool_is_called_and_its_answer_reaches_the_model(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&with_tool("[tool]", lookup()), &session).await.unwrap();
    assert_eq!(reply.text, "Looked up.");
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.name.as_str(), told.rendered_output.as_str()), ("lookup", "about A"));
    assert!(told.call_id.is_some() && told.result.success);
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("about A"), "the model got the answer");
    }
    stage.close(codex).await;
}

#[derive(Clone, Serialize, Deserialize)]
struct Note(String);

impl Slice for Note {
    const NAME: &'static str = "note";
}

async fn a_call_that_fails_is_undone_and_the_turn_goes_on(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    session.append(Note("before".into()));
    let tool = Tool::new("lookup", "Fail.", async |_: Lookup, context: ToolContext| {
        context.session().append(Note("half done".into()));
        Err::<(), _>(ToolError::new("there is no A"))
    });
    let reply = codex.evaluate(&with_tool("[tool]", tool), &session).await.unwrap();
    assert_eq!(reply.text, "Looked up.");
    assert_eq!(session.all::<Note>().len(), 1);
    assert_eq!(session.latest::<ToolInvoked>().unwrap().result.failure, Some(ToolFailure::Failed));
    stage.close(codex).await;
}

async fn wrong_arguments_are_told_and_the_turn_goes_on(setup: Setup) {
    let stage = setup.play(TOOLS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&with_tool("[wrong arguments]", lookup()), &session).await.unwrap();
    assert_eq!(reply.text, "Looked up at last.");
    assert_eq!(invoked(&session), [("lookup".into(), false), ("lookup".into(), true)]);
    assert_eq!(session.all::<ToolInvoked>()[0].result.failure, Some(ToolFailure::Invalid));
    stage.close(codex).await;
}

async fn calls_side_by_side_wait_for_each_other(setup: Setup) {
    let stage = setup.codex(CodexSettings::code_mode()).play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    if stage.is_old() {
        // Its models call one tool after the other.
        return stage.close(codex).await;
    }
    let both = Arc::new(Barrier::new(2));
    let tool = Tool::new("lookup", "Wait for the other.", move |params: Lookup, _: ToolContext| {
        let both = both.clone();
        async move {
            both.wait().await;
            Ok(format!("about {}", params.id))
        }
    });
    let reply = codex.evaluate(&with_tool("[two tools]", tool), &session).await.unwrap();
    assert_eq!(reply.text, "Looked up both.");
    assert_eq!(invoked(&session), [("lookup".into(), true), ("lookup".into(), true)]);
    stage.close(codex).await;
}

async fn pictures_reach_the_model(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let tool = Tool::new("lookup", "Draw.", async |_: Lookup, _: ToolContext| {
        Ok(ToolReply::text("a dot").image(DOT))
    });
    codex.evaluate(&with_tool("[tool]", tool), &session).await.unwrap();
    assert!(stage.last_asked().unwrap().contains("data:image/png"));
    stage.close(codex).await;
}

async fn commands_are_told_with_how_they_ended(setup: Setup) {
    let stage = setup.play(TOOLS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&says("[commands]"), &session).await.unwrap();
    assert_eq!(reply.text, "Done all.");
    assert_eq!(invoked(&session), [("codex:command".into(), true), ("codex:command".into(), false)]);
    let told = session.all::<ToolInvoked>();
    assert!(told[0].rendered_output.contains("fine") && told[0].call_id.is_some(), "{told:?}");
    stage.close(codex).await;
}

async fn a_changed_file_is_told(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    if stage.is_old() {
        // It is told that the change came as a command, and the scripted model does not know what to say to that.
        return stage.close(codex).await;
    }
    codex.evaluate(&says("[patch]"), &session).await.unwrap();
    assert_eq!(invoked(&session), [("codex:file_change".into(), true)]);
    assert!(session.latest::<ToolInvoked>().unwrap().rendered_output.ends_with("judged.txt"));
    assert!(stage.work("judged.txt").exists());
    stage.close(codex).await;
}

async fn a_nested_evaluation_is_one_more_thread(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let inner = codex.clone();
    let tool = Tool::new("lookup", "Ask another.", move |_: Lookup, context: ToolContext| {
        let codex = inner.clone();
        async move { Ok(codex.evaluate(&says("[think]"), context.session()).await?.text) }
    });
    let reply = codex.evaluate(&with_tool("[tool]", tool), &session).await.unwrap();
    assert_eq!(reply.text, "Looked up.");
    assert_eq!(session.latest::<ToolInvoked>().unwrap().rendered_output, "This way.");
    stage.close(codex).await;
}
