//! Work that is checked when the model has answered: the model is sent on while something is missing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use selvedge_agent::{
    Budget, BudgetTracker, Completion, FilesWritten, Output, Phase, Prompt, Section, Session, Tentative,
    TokenUsage, Tool, ToolContext, Visibility,
};

use crate::{
    stage::{Setup, on_both},
    support::{Verdict, invoked, lookup, told},
};

on_both!(
    a_missing_file_sends_the_model_on,
    who_is_content_sends_nobody_on,
    a_model_that_never_gets_done_is_sent_on_ten_times,
    without_words_the_answer_stands,
    only_the_last_answer_is_read,
    sections_can_be_opened_by_a_model_that_was_sent_on,
    the_deadline_holds_for_checks_too,
    a_shared_budget_that_others_used_up_sends_nobody_on,
    a_budget_ends_a_turn_that_was_sent_on,
    a_check_that_panics_is_an_error_with_the_answer,
);

const WORK: &str = r#"
[[rule]]
contains = "Look everything up."
step = [ { do = [ { say = { text = "Seen with the books.", phase = "final_answer" } } ] } ]

[[rule]]
contains = "[report]"
step = [ { do = [ { say = { text = "I am done.", phase = "final_answer" } }, { usage = { input = 10, output = 5 } } ] } ]

[[rule]]
contains = "not found: report.md"
step = [
  { do = [ { tool = { name = "write", arguments = {} } } ] },
  { do = [ { say = { text = "Now it is written.", phase = "final_answer" } }, { usage = { input = 20, output = 7 } } ] },
]

[[rule]]
contains = "Say it as a value."
step = [ { do = [ { answer = { json = { verdict = "checked", score = 2 } } } ] } ]

[[rule]]
contains = "Look into the books."
step = [
  { do = [ { tool = { name = "open_sections", arguments = { section_keys = ["books"], reason = "I was told to." } } } ] },
  { do = [ { say = { text = "Too late.", repeat = 200, pace_ms = 100 } } ] },
]

[[rule]]
contains = "Go on"
step = [ { do = [ { say = { text = "Still at it.", phase = "final_answer" } }, { usage = { input = 10, output = 5 } } ] } ]
"#;

/// A prompt whose model takes its work for done at once.
fn report<T: Output>(check: impl selvedge_agent::CompletionCheck) -> Prompt<T> {
    let task = Section::markdown("Task", "task", "[report]");
    Prompt::<T>::builder("tests", "report").section(task).completion(check).build().unwrap()
}

/// Says the same however often it is asked, and counts.
fn says(answer: Completion) -> (Arc<AtomicUsize>, impl selvedge_agent::CompletionCheck) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let check = move |_: Tentative| {
        counted.fetch_add(1, Ordering::Relaxed);
        let answer = answer.clone();
        async move { answer }
    };
    (asked, check)
}

async fn a_missing_file_sends_the_model_on(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let file = stage.work("report.md");
    let write = Tool::new("write", "Write the report.", move |(): (), _: ToolContext| {
        let written = std::fs::write(&file, "All is well.");
        async move { Ok(written?) }
    });
    let prompt = Prompt::text("tests", "report")
        .section(Section::markdown("Task", "task", "[report]").tool(write))
        .completion(FilesWritten::new(["report.md"]))
        .build()
        .unwrap();
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!(reply.text, "Now it is written.");
    assert_eq!((reply.continuations, reply.complete), (1, Some(true)));
    assert!(stage.work("report.md").exists());
    assert_eq!(told(&session), (1, 1));
    if let Some(asked) = stage.asked() {
        let thread = |request: &serde_json::Value| request["prompt_cache_key"].clone();
        assert_eq!(thread(&asked[0]), thread(&asked[1]), "it goes on in the same thread");
        let words = "<blocker>\\n1 required output file(s) not found: report.md\\n</blocker>";
        assert!(stage.last_asked().unwrap().contains(words));
    }
    let again = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!((again.text.as_str(), again.continuations), ("I am done.", 0), "now it is there");
    stage.close(codex).await;
}

async fn who_is_content_sends_nobody_on(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (asked, content) = says(Completion::Complete);
    let reply = codex.evaluate(&report::<()>(content), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.continuations, reply.complete), ("I am done.", 0, Some(true)));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    stage.close(codex).await;
}

async fn a_model_that_never_gets_done_is_sent_on_ten_times(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (asked, never) = says(Completion::incomplete("Go on, please."));
    let reply = codex.evaluate(&report::<()>(never), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.continuations, reply.complete), ("Still at it.", 10, Some(false)));
    assert_eq!(asked.load(Ordering::Relaxed), 11, "the last answer is looked at too");
    assert_eq!(reply.usage.total_tokens(), 11 * 15, "all turns are counted");
    assert_eq!(told(&session), (1, 1));
    stage.close(codex).await;
}

async fn without_words_the_answer_stands(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (_, silent) = says(Completion::incomplete(" "));
    let reply = codex.evaluate(&report::<()>(silent), &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.continuations, reply.complete), ("I am done.", 0, Some(false)));
    stage.close(codex).await;
}

async fn only_the_last_answer_is_read(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let check = async |work: Tentative| {
        if work.text().contains("checked") {
            Completion::Complete
        } else {
            Completion::incomplete("Say it as a value.")
        }
    };
    let reply = codex.evaluate(&report::<Verdict>(check), &session).await.unwrap();
    assert_eq!(reply.output, Verdict { verdict: "checked".into(), score: 2 });
    assert_eq!((reply.continuations, reply.repaired), (1, false));
    if let Some(asked) = stage.asked() {
        let schema = |request: &serde_json::Value| request["text"]["format"]["schema"].clone();
        assert_eq!(schema(&asked[1]), schema(&asked[0]), "each turn is held to the schema");
    }
    stage.close(codex).await;
}

async fn sections_can_be_opened_by_a_model_that_was_sent_on(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let check = async |work: Tentative| {
        if work.text().contains("books") {
            Completion::Complete
        } else {
            Completion::incomplete("Look into the books.")
        }
    };
    let books = Section::markdown("Books", "books", "Look everything up.")
        .summary("There are books.")
        .visibility(Visibility::Summary)
        .tool(lookup());
    let task = Section::markdown("Task", "task", "[report]");
    let prompt = Prompt::text("tests", "opening").section(task).section(books).completion(check);
    let reply = codex.evaluate(&prompt.build().unwrap(), &session).await.unwrap();
    assert_eq!(invoked(&session), [("open_sections".into(), true)]);
    assert_eq!((reply.renderings, reply.complete), (2, Some(true)), "{}", reply.text);
    stage.close(codex).await;
}

async fn the_deadline_holds_for_checks_too(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    codex.evaluate(&crate::support::says("[stream]"), &session).await.unwrap();
    let prompt = report::<()>(async |work: Tentative| {
        assert!(work.deadline().is_some());
        std::future::pending().await
    });
    let error = codex.evaluate(&prompt, &session).deadline(Duration::from_secs(2)).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "deadline_exceeded"));
    assert_eq!(error.text, "I am done.", "what was said is kept");
    stage.close(codex).await;
}

async fn a_shared_budget_that_others_used_up_sends_nobody_on(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let tracker = BudgetTracker::new(Budget::tokens(100)).unwrap();
    // While the model says that it is not done, somebody else uses what is left.
    let prompt = report::<()>(async |work: Tentative| {
        let other = work.budget().unwrap().spending();
        other.set(TokenUsage { input_tokens: 86, ..TokenUsage::default() });
        Completion::incomplete("Go on, please.")
    });
    let reply = codex.evaluate(&prompt, &session).tracker(&tracker).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.continuations, reply.complete), ("I am done.", 0, Some(false)));
    stage.close(codex).await;
}

async fn a_budget_ends_a_turn_that_was_sent_on(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (_, never) = says(Completion::incomplete("Go on, please."));
    let error = codex.evaluate(&report::<()>(never), &session).budget(Budget::tokens(40)).await.unwrap_err();
    assert_eq!((error.phase, error.usage.total_tokens()), (Phase::Budget, 45), "one turn over: {error:?}");
    stage.close(codex).await;
}

async fn a_check_that_panics_is_an_error_with_the_answer(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let prompt = report::<()>(async |_: Tentative| panic!("a check's mistake"));
    let error = codex.evaluate(&prompt, &session).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.text.as_str()), ("internal", "I am done."));
    assert!(error.message.contains("a check's mistake"), "{error}");
    assert_eq!(told(&session), (1, 0));
    stage.close(codex).await;
}
