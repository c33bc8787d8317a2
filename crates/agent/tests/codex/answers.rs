//! Answers: plain text, values, what cannot be read, and what Codex could not do.

use selvedge_agent::{
    AgentError, Phase, PromptExecuted, PromptRendered, RenderedTools, Section, Session, TokenUsage,
};
use serde_json::json;

use crate::{
    stage::{Setup, on_both},
    support::{Verdict, says, told, with_section},
};

on_both!(
    a_prompt_is_answered_with_text,
    an_answer_is_a_value,
    a_list_is_a_value_too,
    an_answer_in_a_fence_is_read,
    only_the_final_answer_is_read,
    an_answer_that_cannot_be_read_is_an_error_with_its_text,
    an_answer_that_cannot_be_read_is_asked_for_once_more,
    a_second_answer_that_cannot_be_read_is_the_last,
    a_failure_of_codex_is_told_with_phase_code_and_hint,
);

const ANSWERS: &str = r#"
[[rule]]
contains = "[fenced]"
step = [ { do = [ { say = { text = "Here it is:\n```json\n{\"verdict\": \"fine\", \"score\": 3}\n```", phase = "final_answer" } } ] } ]

[[rule]]
contains = "[list]"
step = [ { do = [ { answer = { json = { items = [ { verdict = "one", score = 1 }, { verdict = "two", score = 2 } ] } } } ] } ]

[[rule]]
contains = "[comments first]"
step = [ { do = [
  { say = { text = "{\"verdict\": \"not this\", \"score\": 0}", phase = "commentary" } },
  { say = { text = "{\"verdict\": \"this\", \"score\": 1}", phase = "final_answer" } },
] } ]

[[rule]]
contains = "[prose]"
step = [ { do = [ { say = { text = "I would rather tell a story.", phase = "final_answer" } }, { usage = { input = 10, output = 5 } } ] } ]

[[rule]]
contains = "[wrong type]"
step = [ { do = [ { answer = { json = { verdict = "fine", score = "many" } } }, { usage = { input = 10, output = 5 } } ] } ]

[[rule]]
regex = "could not be read: .*score"
step = [ { do = [ { say = { text = "Many, I said.", phase = "final_answer" } }, { usage = { input = 20, output = 7 } } ] } ]

[[rule]]
contains = "could not be read"
step = [ { do = [ { answer = { json = { verdict = "repaired", score = 9 } } }, { usage = { input = 20, output = 7 } } ] } ]
"#;

fn wants_verdict(text: &str) -> selvedge_agent::Prompt<Verdict> {
    with_section(Section::markdown("Task", "task", text))
}

async fn failing(setup: Setup, text: &str) -> (AgentError, Session) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let error = codex.evaluate(&wants_verdict(text), &session).await.unwrap_err();
    stage.close(codex).await;
    (error, session)
}

async fn a_prompt_is_answered_with_text(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&says("Go on: [stream]"), &session).await.unwrap();
    assert_eq!(reply.text, "One two three four five six seven eight nine ten.");
    let used =
        TokenUsage { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, ..TokenUsage::default() };
    assert_eq!((reply.usage, reply.renderings, reply.resumed, reply.repaired), (used, 1, false, false));
    assert!(!reply.thread_id.is_empty());
    let rendered: PromptRendered = session.latest().unwrap();
    assert_eq!(rendered.rendered_prompt, "## 1. Task (task)\n\nGo on: [stream]");
    assert_eq!(
        (rendered.adapter.as_str(), rendered.prompt_name.as_str()),
        ("codex_app_server", "tests:case")
    );
    assert_eq!(session.latest::<RenderedTools>().unwrap().render_event_id, rendered.event_id);
    let executed: PromptExecuted = session.latest().unwrap();
    assert_eq!((executed.text, executed.usage, executed.output), (reply.text, Some(used), None));
    assert_eq!(told(&session), (1, 1));
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("Go on: [stream]"), "{asked}");
    }
    stage.close(codex).await;
}

async fn an_answer_is_a_value(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&wants_verdict("[answer fixed]"), &session).await.unwrap();
    assert_eq!(reply.output, Verdict { verdict: "right".into(), score: 7 });
    let executed: PromptExecuted = session.latest().unwrap();
    assert_eq!(executed.output, Some(json!({"verdict": "right", "score": 7})));
    if let Some(asked) = stage.asked() {
        let format = &asked.last().unwrap()["text"]["format"];
        assert_eq!((&format["type"], &format["strict"]), (&json!("json_schema"), &json!(true)));
        assert_eq!(format["schema"]["required"], json!(["score", "verdict"]));
    }
    stage.close(codex).await;
}

async fn a_list_is_a_value_too(setup: Setup) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let prompt = with_section::<Vec<Verdict>>(Section::markdown("Task", "task", "[list]"));
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!(reply.output.iter().map(|it| it.score).collect::<Vec<_>>(), [1, 2]);
    stage.close(codex).await;
}

async fn an_answer_in_a_fence_is_read(setup: Setup) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&wants_verdict("[fenced]"), &session).await.unwrap();
    assert_eq!(reply.output.score, 3);
    stage.close(codex).await;
}

async fn only_the_final_answer_is_read(setup: Setup) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&wants_verdict("[comments first]"), &session).await.unwrap();
    assert_eq!(reply.output, Verdict { verdict: "this".into(), score: 1 });
    stage.close(codex).await;
}

async fn an_answer_that_cannot_be_read_is_an_error_with_its_text(setup: Setup) {
    let (error, session) = failing(setup, "[prose]").await;
    assert_eq!((error.phase, error.code.as_str()), (Phase::Response, "output_invalid"));
    assert_eq!(error.text, "I would rather tell a story.");
    assert_eq!((error.usage.total_tokens(), error.prompt_name.as_deref()), (15, Some("tests:case")));
    assert!(error.thread_id.is_some() && error.hint.is_some());
    assert_eq!(told(&session), (1, 0), "only a success is told as executed");
}

async fn an_answer_that_cannot_be_read_is_asked_for_once_more(setup: Setup) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&wants_verdict("[prose]"), &session).repair().await.unwrap();
    assert_eq!((reply.output.verdict.as_str(), reply.repaired), ("repaired", true));
    assert_eq!(reply.usage.total_tokens(), 42, "both turns are counted");
    assert_eq!(told(&session), (1, 1));
    stage.close(codex).await;
}

async fn a_second_answer_that_cannot_be_read_is_the_last(setup: Setup) {
    let stage = setup.play(ANSWERS).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let error = codex.evaluate(&wants_verdict("[wrong type]"), &session).repair().await.unwrap_err();
    assert_eq!((error.code.as_str(), error.text.as_str()), ("output_invalid", "Many, I said."));
    assert_eq!(error.usage.total_tokens(), 42);
    stage.close(codex).await;
}

async fn a_failure_of_codex_is_told_with_phase_code_and_hint(setup: Setup) {
    let (error, session) = failing(setup, "[fail usage]").await;
    assert_eq!((error.phase, error.code.as_str()), (Phase::Budget, "usage_limit_exceeded"));
    assert!(error.to_string().starts_with("prompt tests:case: "), "{error}");
    assert_eq!(told(&session), (1, 0));
}
