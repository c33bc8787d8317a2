//! Feedback reaches the model with the answer of a tool.

use selvedge_agent::{Feedback, FixedFeedback, Prompt, Section, Session, Trigger};

use crate::{
    stage::{Setup, on_both},
    support::{invoked, lookup},
};

on_both!(feedback_reaches_the_model_with_a_tool_s_answer);

/// A command of Codex's own, then a tool of the prompt's: together two calls.
const WORK: &str = r#"
[[rule]]
contains = "[both kinds]"
step = [
  { do = [ { run = { command = "echo native" } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Found.", phase = "final_answer" } } ] },
]
"#;

async fn feedback_reaches_the_model_with_a_tool_s_answer(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let prompt = Prompt::text("tests", "feedback")
        .section(Section::markdown("Task", "task", "[both kinds]").tool(lookup()))
        .feedback(FixedFeedback::new("Mind the gap."), Trigger::every_calls(2))
        .build()
        .unwrap();
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!(reply.text, "Found.");
    assert_eq!(invoked(&session), [("codex:command".into(), true), ("lookup".into(), true)]);
    let said: Feedback = session.latest().unwrap();
    assert_eq!((said.call_index, said.prompt_name.as_str()), (2, "tests:feedback"));
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("<feedback provider='Static'>\\nMind the gap.\\n</feedback>"), "{asked}");
        assert!(asked.contains("about A"), "beside the answer: {asked}");
    }
    stage.close(codex).await;
}
