//! What users of the crate test with: a stand-in within their own program.

use std::fs;
use std::path::PathBuf;

use schemars::JsonSchema;
use selvedge_agent::testing::{FailKind, Rehearsal};
use selvedge_agent::{
    Approval, ApprovalPolicy, ApprovalRequest, Budget, Phase, Prompt, RuntimeConfig, Section, Session, Tool,
    ToolContext, ToolInvoked,
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Count {
    path: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Counted {
    lines: u32,
}

fn says(text: &str) -> Prompt {
    Prompt::text("tests", "case").section(Section::markdown("Task", "task", text)).build().unwrap()
}

fn counting() -> Prompt<Counted> {
    let count = Tool::new("count", "Count.", async |params: Count, _: ToolContext| {
        Ok(format!("4 in {}", params.path))
    });
    let section = Section::markdown("Task", "task", "Count the lines.").tool(count);
    Prompt::<Counted>::builder("tests", "counting").section(section).build().unwrap()
}

fn counted() -> Rehearsal {
    let rehearsal = Rehearsal::builder().on("Count the lines", |model| {
        let model = model.thinks("One call will tell.").says("I look.").uses(700, 30);
        model.calls("count", json!({"path": "a.rs"})).uses(800, 20).answers(json!({"lines": 4}))
    });
    rehearsal.otherwise(|model| model.says("What?")).build().unwrap()
}

#[tokio::test]
async fn a_model_does_what_the_test_says() {
    let rehearsal = counted();
    let (codex, session) = (rehearsal.codex().build().await.unwrap(), Session::new());
    let reply = codex.evaluate(&counting(), &session).await.unwrap();
    assert_eq!((reply.output, reply.usage.total_tokens()), (Counted { lines: 4 }, 1550));
    assert_eq!(session.latest::<ToolInvoked>().unwrap().rendered_output, "4 in a.rs");
    assert_eq!(codex.evaluate(&says("Good morning."), &session).await.unwrap().text, "What?");
    let asked = rehearsal.asked();
    assert_eq!(asked.iter().map(|it| it.tools.len()).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(
        (asked[1].text.as_str(), &asked[1].output_schema),
        ("## 1. Task (task)\n\nGood morning.", &None)
    );
    assert_ne!(asked[0].thread_id, asked[1].thread_id);
    assert_eq!(asked[0].thread["cwd"], json!(codex.cwd()));
    codex.close().await;
}

#[tokio::test]
async fn commands_run_where_and_with_what_the_codex_says() {
    let directory = tempfile::tempdir().unwrap();
    let model = Rehearsal::builder()
        .otherwise(|model| model.runs("echo $WHO ${SELVEDGE_PROCESS:+marked} > who.txt").says("Done it."));
    let builder = model.build().unwrap().codex().cwd(directory.path()).env("WHO", "ann");
    let codex = builder.build().await.unwrap();
    assert_eq!(codex.evaluate(&says("Go."), &Session::new()).await.unwrap().text, "Done it.");
    assert_eq!(fs::read_to_string(directory.path().join("who.txt")).unwrap(), "ann marked\n");
    codex.close().await;
}

#[tokio::test]
async fn what_is_to_be_approved_is_asked() {
    let rehearsal = Rehearsal::builder().otherwise(|model| model.asks_to_run("true", "May I?").says("Well."));
    let builder = rehearsal.build().unwrap().codex().approval_policy(ApprovalPolicy::OnRequest);
    let (sender, asked) = std::sync::mpsc::channel();
    let builder = builder.approvals(move |request: ApprovalRequest| {
        sender.send(request.reason().map(str::to_owned)).unwrap();
        async { Approval::Accept }
    });
    let codex = builder.build().await.unwrap();
    codex.evaluate(&says("Go."), &Session::new()).await.unwrap();
    assert_eq!(asked.recv().unwrap().as_deref(), Some("May I?"));
    codex.close().await;
}

#[tokio::test]
async fn failures_limits_and_crashes_can_be_tested() {
    let rehearsal = Rehearsal::builder()
        .on("fail", |model| model.fails(FailKind::UsageLimit))
        .on("crash", |model| model.says("I am").crashes())
        .on("spend", |model| model.uses(9_000, 1_000).says("That was dear."))
        .build()
        .unwrap();
    let codex = rehearsal.codex().build().await.unwrap();
    let session = Session::new();
    let error = codex.evaluate(&says("fail"), &session).await.unwrap_err();
    assert_eq!(error.phase, Phase::Budget, "{error}");
    let error = codex.evaluate(&says("crash"), &session).await.unwrap_err();
    assert_eq!(error.code, "outcome_unknown", "{error}");
    let error = codex.evaluate(&says("spend"), &session).budget(Budget::tokens(5_000)).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.text.as_str()), ("budget_exceeded", "That was dear."));
    codex.close().await;
}

#[tokio::test]
async fn a_thread_is_gone_on_with_by_the_next_codex_on_the_same_directory() {
    let data = tempfile::tempdir().unwrap();
    let (rehearsal, session) = (Rehearsal::saying("Yes."), Session::new());
    for resumed in [false, true] {
        let codex = rehearsal.codex().data_dir(data.path()).reuse_thread().build().await.unwrap();
        assert_eq!(codex.evaluate(&says("Go."), &session).await.unwrap().resumed, resumed);
        codex.close().await;
    }
    let asked = rehearsal.asked();
    assert_eq!(asked[0].thread_id, asked[1].thread_id);
}

#[tokio::test]
async fn a_recorded_conversation_replays() {
    let data = tempfile::tempdir().unwrap();
    let config = RuntimeConfig { record: true, ..counted().config() };
    let codex = selvedge_agent::Codex::builder().runtime(config).data_dir(data.path()).build().await.unwrap();
    let first = codex.evaluate(&counting(), &Session::new()).await.unwrap();
    codex.close().await;

    let rehearsal = Rehearsal::recording(recording_in(data.path().join("recordings"))).unwrap();
    let (codex, session) = (rehearsal.codex().build().await.unwrap(), Session::new());
    let again = codex.evaluate(&counting(), &session).await.unwrap();
    assert_eq!((again.output, again.text, again.usage), (first.output, first.text, first.usage));
    assert_eq!(again.thread_id, first.thread_id);
    assert_eq!(session.latest::<ToolInvoked>().unwrap().rendered_output, "4 in a.rs");
    assert_eq!(rehearsal.asked()[0].tools, ["count"]);
    codex.close().await;
}

fn recording_in(directory: PathBuf) -> PathBuf {
    let mut files = fs::read_dir(directory).unwrap();
    let file = files.next().expect("a recording").unwrap().path();
    assert!(files.next().is_none(), "one app-server, one recording");
    file
}

#[test]
fn what_can_never_be_played_is_refused_with_its_place() {
    let error = Rehearsal::builder().on("a", |model| model).build().unwrap_err();
    assert_eq!(error.to_string(), "rule 1: no step\nhint: add a `[[rule.step]]` with `do = [ … ]`");
    let error = Rehearsal::scenario("[[rule]]\nstep = [ { do = [ { shout = {} } ] } ]").unwrap_err();
    assert!(error.to_string().starts_with("rule 1, step 1, action 1: unknown variant `shout`"), "{error}");
    assert!(Rehearsal::recording("/there/is/none").is_err());
    assert!(Rehearsal::saying("a").with_faults("no-such").is_err());
}
