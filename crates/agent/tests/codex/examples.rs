//! The examples, as their readers run them.

use selvedge_agent::{Budget, BudgetTracker, Session, ToolInvoked};

use crate::{
    stage::{Setup, on_both},
    support::invoked,
};

#[path = "../../examples/summarize.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod summarize;

#[path = "../../examples/reviewer.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod reviewer;

#[path = "../../examples/chat.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod chat;

#[path = "../../examples/batch.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod batch;

on_both!(
    a_repository_is_summed_up,
    code_is_reviewed,
    a_chat_remembers_over_two_runs,
    fifty_prompts_share_a_codex_and_a_budget,
);

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

const REVIEW: &str = r#"
[[rule]]
contains = "Review the code of this repository"
step = [
  { do = [ { tool = { name = "list_files" } } ] },
  { do = [ { tool = { name = "read_file", arguments = { path = "../secret.txt" } } } ] },
  { do = [ { tool = { name = "read_file", arguments = { path = "src/main.rs" } } } ] },
  { do = [ { tool = { name = "report", arguments = { file = "src/main.rs", line = 1, text = "It does nothing." } } } ] },
  { do = [ { answer = { json = { summary = "An empty program.", verdict = "request_changes" } } } ] },
]
"#;

async fn code_is_reviewed(setup: Setup) {
    let stage = setup.play(REVIEW).await;
    std::fs::create_dir(stage.work("src")).unwrap();
    std::fs::write(stage.work("src/main.rs"), "fn main() {}\n").unwrap();
    std::fs::write(stage.work("../secret.txt"), "nobody's business").unwrap();
    let (codex, session) = (stage.codex().await, Session::new());
    let reply = reviewer::review(&codex, &session).await.unwrap();
    assert_eq!(reply.output.verdict, reviewer::Verdict::RequestChanges);
    let found = reviewer::Finding { file: "src/main.rs".into(), line: 1, text: "It does nothing.".into() };
    assert_eq!(&*session.all::<reviewer::Finding>(), [found]);
    let calls = [("list_files", true), ("read_file", false), ("read_file", true), ("report", true)];
    assert_eq!(invoked(&session), calls.map(|(name, success)| (name.to_owned(), success)));
    assert!(!serde_json::to_string(&*session.all::<ToolInvoked>()).unwrap().contains("nobody's business"));
    stage.close(codex).await;
}

async fn a_chat_remembers_over_two_runs(setup: Setup) {
    let stage = setup.play("").await;
    let mut heard = Vec::new();
    for lines in [&["[think]", "[stream]"][..], &["[think]"]] {
        let (codex, session) = chat::begin(stage.builder(), &stage.data()).await.unwrap();
        let lines = lines.iter().map(|line| Ok((*line).to_owned()));
        chat::chat((&codex, &session), lines, &mut heard).await.unwrap();
        codex.close().await;
    }
    let heard = String::from_utf8(heard).unwrap();
    let ten = "One two three four five six seven eight nine ten.";
    assert_eq!(heard, format!("(a new thread)\nThis way.\n{ten}\nThis way.\n"));
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains(ten), "the model is told what was said before: {asked}");
    }
    stage.leave().await;
}

/// Each answer uses 100 tokens.
const PRIMES: &str = r#"
[[rule]]
regex = 'Is (\d+) a prime'
step = [ { do = [ { usage = { input = 90, output = 10 } }, { answer = { json = { number = 7, is_prime = true } } } ] } ]
"#;

async fn fifty_prompts_share_a_codex_and_a_budget(setup: Setup) {
    let stage = setup.play(PRIMES).await;
    let codex = stage.codex().await;
    let tracker = BudgetTracker::new(Budget::tokens(5_000)).unwrap();
    let mut shown = Vec::new();
    let facts = batch::facts(&codex, 1..51, &tracker, |progress| shown.push(progress)).await.unwrap();
    assert_eq!((facts.len(), facts[0].is_prime, facts[0].number), (50, true, 7));
    let last = batch::Progress { all: 50, done: 50, failed: 0, tokens: 5_000 };
    assert_eq!((shown.len(), shown.last()), (50, Some(&last)));
    assert_eq!(last.to_string(), format!("{} 50/50, 5000 tokens", "█".repeat(40)));
    // All of it is used up: nothing more is begun.
    let more = batch::facts(&codex, 51..54, &tracker, |progress| shown.push(progress)).await.unwrap();
    assert_eq!((more.len(), shown.last().unwrap().failed), (0, 3));
    stage.close(codex).await;
}
