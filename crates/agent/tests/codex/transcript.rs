//! Transcripts: what was said and done for a session, as the journal has it.

use std::time::Duration;

use selvedge_agent::{
    Codex, Completion, MessageSent, Prompt, PromptExecuted, PromptRendered, RenderedTools, Section, Session,
    Snapshot, Tentative, Transcript, TranscriptEntry, TranscriptType,
};

use crate::{
    stage::{Setup, on_both},
    support::{lookup, says},
};
use TranscriptType::{
    AssistantMessage, Error, SystemEvent, Thinking, TokenUsage, ToolResult, ToolUse, UserMessage,
};

on_both!(
    everything_that_was_said_and_done_is_in_it,
    thoughts_are_in_it,
    several_evaluations_are_one_transcript_and_others_are_not_in_it,
    failures_and_what_was_stopped_are_in_it,
    the_next_program_reads_it_too,
);

const WORK: &str = r#"
[[rule]]
contains = "[both kinds]"
step = [
  { do = [ { run = { command = "echo native" } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Found.", phase = "final_answer" } }, { usage = { input = 10, output = 5 } } ] },
]

[[rule]]
contains = "Once more."
step = [ { do = [ { say = { text = "Again.", phase = "final_answer" } } ] } ]
"#;

/// What they are, without usage, which comes when Codex reports it.
fn kinds(entries: &[TranscriptEntry]) -> Vec<TranscriptType> {
    entries.iter().map(|it| it.entry_type).filter(|it| *it != TokenUsage).collect()
}

fn of(transcript: &Transcript, kind: TranscriptType) -> Vec<&TranscriptEntry> {
    transcript.entries.iter().filter(|it| it.entry_type == kind).collect()
}

async fn transcript(codex: &Codex, session: &Session) -> Transcript {
    let transcript = codex.transcript(session).await.unwrap();
    let numbers: Vec<u64> = transcript.entries.iter().map(|it| it.sequence_number).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u64), "from 1, without gaps: {numbers:?}");
    assert!(transcript.entries.iter().all(|it| it.adapter == "codex_app_server" && it.source == "main"));
    transcript
}

async fn everything_that_was_said_and_done_is_in_it(setup: Setup) {
    let stage = setup.play(WORK).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let task = Section::markdown("Task", "task", "[both kinds]").tool(lookup());
    let check = async |work: Tentative| match work.text() {
        "Found." => Completion::incomplete("Once more."),
        _ => Completion::Complete,
    };
    let prompt = Prompt::text("tests", "story").section(task).completion(check).build().unwrap();
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    let story = transcript(&codex, &session).await;
    let turn = [UserMessage, SystemEvent];
    let expected = [
        &turn[..],
        &[ToolUse, ToolResult, ToolUse, ToolResult, AssistantMessage],
        &turn,
        &[AssistantMessage],
    ];
    assert_eq!(kinds(&story.entries), expected.concat(), "{story:#?}");
    assert!(
        story.entries.iter().all(|it| it.prompt_name == "tests:story" && it.session_id == reply.session_id)
    );
    let said: Vec<_> =
        of(&story, UserMessage).iter().map(|it| it.detail["input"][0]["text"].clone()).collect();
    assert_eq!(said, ["## 1. Task (task)\n\n[both kinds]", "Once more."]);
    let used = of(&story, ToolUse);
    assert!(used[0].detail["item"]["command"].as_str().unwrap().contains("echo native"), "{used:?}");
    assert_eq!(
        (&used[1].detail["tool"], &used[1].detail["arguments"]["id"]),
        (&"lookup".into(), &"A".into())
    );
    let came = of(&story, ToolResult);
    assert_eq!(came[0].detail["item"]["exitCode"], 0);
    assert_eq!(
        (&came[1].detail["success"], &came[1].detail["content"][0]["text"]),
        (&true.into(), &"about A".into())
    );
    assert_eq!(came[1].detail["tool_call_id"], used[1].detail["tool_call_id"]);
    assert_eq!(of(&story, AssistantMessage)[1].detail["item"]["text"], "Again.");
    assert!(story.counts()[&TokenUsage] >= 2, "{:?}", story.counts());
    let lines = story.to_jsonl().unwrap();
    let read: Vec<TranscriptEntry> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, story.entries);
    stage.close(codex).await;
}

async fn thoughts_are_in_it(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    codex.evaluate(&says("[think]"), &session).await.unwrap();
    let story = transcript(&codex, &session).await;
    assert_eq!(kinds(&story.entries), [UserMessage, SystemEvent, Thinking, AssistantMessage]);
    assert!(of(&story, Thinking)[0].detail.to_string().contains("This way or that way."));
    stage.close(codex).await;
}

async fn several_evaluations_are_one_transcript_and_others_are_not_in_it(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.builder().reuse_thread().build().await.unwrap();
    let (session, other) = (Session::new(), Session::new());
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    codex.evaluate(&says("[stream] other"), &other).await.unwrap();
    codex.evaluate(&says("[stream] again"), &session).await.unwrap();
    let said = |story: &Transcript| -> Vec<String> {
        let text = |it: &TranscriptEntry| it.detail["input"][0]["text"].as_str().unwrap().to_owned();
        of(story, UserMessage).into_iter().map(text).collect()
    };
    let story = transcript(&codex, &session).await;
    let section = "## 1. Task (task)\n\n";
    assert_eq!(said(&story), [format!("{section}[stream]"), format!("{section}[stream] again")]);
    assert_eq!(of(&story, AssistantMessage).len(), 2);
    assert_eq!(said(&transcript(&codex, &other).await), [format!("{section}[stream] other")]);
    assert_eq!(transcript(&codex, &Session::new()).await, Transcript::default());
    stage.close(codex).await;
}

async fn failures_and_what_was_stopped_are_in_it(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    codex.evaluate(&says("[fail usage]"), &session).await.unwrap_err();
    let story = transcript(&codex, &session).await;
    assert_eq!(of(&story, Error)[0].detail["error"]["code"], "usage_limit_exceeded");
    codex.evaluate(&says("[slow]"), &session).deadline(Duration::from_secs(2)).await.unwrap_err();
    let story = transcript(&codex, &session).await;
    assert_eq!(story.entries.last().unwrap().detail["subtype"], "interrupted");
    stage.close(codex).await;
}

async fn the_next_program_reads_it_too(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.builder().data_dir(stage.data()).build().await.unwrap();
    let session = Session::new();
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let story = transcript(&codex, &session).await;
    let kept = session.snapshot_all().to_json().unwrap();
    codex.close().await;
    drop(codex);
    let later = Session::new();
    later.declare::<MessageSent>();
    later.declare::<PromptRendered>();
    later.declare::<RenderedTools>();
    later.declare::<PromptExecuted>();
    later.restore_all(&Snapshot::from_json(&kept).unwrap()).unwrap();
    let codex = stage.builder().data_dir(stage.data()).build().await.unwrap();
    assert_eq!(transcript(&codex, &later).await, story);
    let elsewhere = stage.codex().await;
    assert_eq!(transcript(&elsewhere, &later).await, Transcript::default(), "it is not in that journal");
    elsewhere.close().await;
    stage.close(codex).await;
}
