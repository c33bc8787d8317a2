//! Sections that the model opens: the turn ends, the prompt is rendered again, and everything is counted.

use selvedge_agent::{
    Phase, Prompt, PromptRendered, Section, Session, ToolInvoked, Visibility, VisibilityOverrides,
};

use crate::{
    stage::{Setup, on_both},
    support::{invoked, lookup, told},
};

on_both!(
    what_the_model_opens_is_rendered_with_its_tools,
    two_levels_are_opened_one_after_the_other,
    a_section_is_read_without_a_new_rendering,
    a_model_that_only_opens_comes_to_an_end,
);

const OPENING: &str = r#"
[[rule]]
contains = "Look everything up in the deep."
step = [
  { do = [ { tool = { name = "lookup", arguments = { id = "deep" } } } ] },
  { do = [ { say = { text = "Found in the deep.", phase = "final_answer" } }, { usage = { input = 40, output = 4 } } ] },
]

[[rule]]
contains = "[levels]"
regex = "The catalogue is large"
step = [
  { do = [ { usage = { input = 30, output = 3 } }, { tool = { name = "open_sections", arguments = { section_keys = ["books.deep"], reason = "I need the deep." } } } ] },
  { do = [ { say = { text = "Too late.", repeat = 200, pace_ms = 100 } } ] },
]

[[rule]]
contains = "Look everything up."
step = [
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Found.", phase = "final_answer" } }, { usage = { input = 40, output = 4 } } ] },
]

[[rule]]
contains = "[open]"
step = [
  { do = [ { usage = { input = 30, output = 3 } }, { tool = { name = "open_sections", arguments = { section_keys = ["books"], reason = "I need it." } } } ] },
  { do = [ { say = { text = "Too late.", repeat = 200, pace_ms = 100 } } ] },
]

[[rule]]
contains = "[read]"
step = [
  { do = [ { tool = { name = "read_section", arguments = { section_key = "notes" } } } ] },
  { do = [ { say = { text = "Read.", phase = "final_answer" } } ] },
]
"#;

fn books() -> Section {
    Section::markdown("Books", "books", "Look everything up.")
        .summary("There are books.")
        .visibility(Visibility::Summary)
        .tool(lookup())
}

fn prompt(task: &str, more: Section) -> Prompt {
    let task = Section::markdown("Task", "task", task);
    Prompt::text("tests", "opening").section(task).section(more).build().unwrap()
}

async fn what_the_model_opens_is_rendered_with_its_tools(setup: Setup) {
    let stage = setup.play(OPENING).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = codex.evaluate(&prompt("[open]", books()), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.renderings), ("Found.", 2));
    assert_eq!(invoked(&session), [("open_sections".into(), true), ("lookup".into(), true)]);
    assert_eq!(told(&session), (2, 1));
    let rendered = session.all::<PromptRendered>();
    assert!(rendered[1].rendered_prompt.contains("Look everything up."));
    assert!(reply.usage.output_tokens >= 4, "{:?}", reply.usage);
    if let Some(asked) = stage.asked() {
        let first = asked.first().unwrap()["prompt_cache_key"].clone();
        assert_ne!(asked.last().unwrap()["prompt_cache_key"], first, "other tools need another thread");
        assert!(reply.usage.input_tokens >= 70, "the turn that was cut is counted: {:?}", reply.usage);
    }
    stage.close(codex).await;
}

async fn two_levels_are_opened_one_after_the_other(setup: Setup) {
    let stage = setup.play(OPENING).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let deep = Section::markdown("Deep", "deep", "Look everything up in the deep.")
        .summary("There is more below.")
        .visibility(Visibility::Summary)
        .tool(lookup());
    let books = Section::markdown("Books", "books", "The catalogue is large.")
        .summary("There are books.")
        .visibility(Visibility::Summary)
        .child(deep);
    let reply = codex.evaluate(&prompt("[open] [levels]", books), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.renderings), ("Found in the deep.", 3));
    let opened = ["open_sections", "open_sections", "lookup"].map(|name| (name.to_owned(), true));
    assert_eq!(invoked(&session), opened);
    stage.close(codex).await;
}

async fn a_section_is_read_without_a_new_rendering(setup: Setup) {
    let stage = setup.play(OPENING).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let notes = Section::markdown("Notes", "notes", "The door is green.")
        .summary("There are notes.")
        .visibility(Visibility::Summary);
    let reply = codex.evaluate(&prompt("[read]", notes), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.renderings), ("Read.", 1));
    assert_eq!(invoked(&session), [("read_section".into(), true)]);
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("The door is green."));
    }
    stage.close(codex).await;
}

async fn a_model_that_only_opens_comes_to_an_end(setup: Setup) {
    const AGAIN: &str = r#"
[[rule]]
contains = "[again]"
step = [
  { do = [ { tool = { name = "open_sections", arguments = { section_keys = ["books"], reason = "Again." } } } ] },
  { do = [ { say = { text = "Too late.", repeat = 200, pace_ms = 100 } } ] },
]
"#;
    let stage = setup.play(AGAIN).await;
    let (codex, session) = (stage.codex().await, Session::new());
    // What was opened is summarized again before it is rendered.
    let forgetting = session.clone();
    let _watching = session.observe(move |_: &ToolInvoked| forgetting.clear::<VisibilityOverrides>());
    let error = codex.evaluate(&prompt("[again]", books()), &session).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "too_many_renderings"));
    assert_eq!(told(&session), (10, 0));
    stage.close(codex).await;
}
