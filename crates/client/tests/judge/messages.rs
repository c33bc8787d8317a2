//! Messages: streamed, with reasoning, by a schema, very long, and to a consumer that pauses.

use selvedge_protocol::{
    calls,
    say::{ThreadListParams, TurnStartParams},
    see::{Notification, ThreadItem},
};
use serde_json::{Value, json};

use crate::{
    acts::{Turn, text},
    differences::{History, differences},
    history::Stored,
    stage::Stage,
};

/// How many deltas of messages a turn had.
fn deltas(stage: &Stage, turn: &Turn) -> usize {
    let of_messages = |told: &Notification<'_>| matches!(told, Notification::ItemAgentMessageDelta(_));
    stage.ear.told_of(turn).filter(of_messages).count()
}

/// Input, cached input, output, reasoning and total tokens, as the turn's last report says.
fn usage(stage: &Stage, turn: &Turn) -> [i64; 5] {
    let reports = stage.ear.told_of(turn).filter_map(|told| match told {
        Notification::ThreadTokenUsageUpdated(usage) => usage.token_usage()?.total(),
        _ => None,
    });
    let last = reports.last().expect("a report of usage");
    let counts = [
        last.input_tokens(),
        last.cached_input_tokens(),
        last.output_tokens(),
        last.reasoning_output_tokens(),
        last.total_tokens(),
    ];
    counts.map(|count| count.expect("a count"))
}

#[tokio::test]
async fn a_streamed_message_arrives_whole_and_in_pieces() {
    let mut stage = Stage::open("streamed_message").await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[stream]").await;
    assert_eq!(ended.status, "completed");
    assert_eq!(ended.text.as_deref(), Some("One two three four five six seven eight nine ten."));
    assert_eq!(deltas(&stage, &turn), 10);
    assert_eq!(usage(&stage, &turn), [100, 40, 20, 0, 120]);
    stage.close().await;
}

#[tokio::test]
async fn reasoning_is_streamed_before_the_message() {
    let mut stage = Stage::open("reasoning").await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[think]").await;
    assert_eq!(ended.text.as_deref(), Some("This way."));
    let thoughts = stage.ear.items(&turn).find_map(|item| match item {
        ThreadItem::Reasoning(reasoning) => reasoning.summary(),
        _ => None,
    });
    let summary: String = thoughts.expect("a summary").iter().collect();
    assert_eq!(summary, "**Weighing**\n\nThis way or that way.");
    let streamed = stage.ear.told_of(&turn).filter_map(|told| match told {
        Notification::ItemReasoningSummaryTextDelta(delta) => delta.delta(),
        _ => None,
    });
    assert_eq!(streamed.collect::<String>(), summary);
    assert_eq!(usage(&stage, &turn), [120, 80, 30, 12, 150]);
    stage.close().await;
}

#[tokio::test]
async fn a_structured_answer_is_asked_of_the_model_by_the_schema() {
    let mut stage = Stage::open("structured_answer").await;
    let thread = stage.thread().await;
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["verdict", "score"],
        "properties": {"verdict": {"type": "string", "enum": ["right", "wrong"]}, "score": {"type": "integer"}},
    });
    let mut params = TurnStartParams::new(thread.as_str(), text("[answer]"));
    params.output_schema = Some(schema.clone());
    let turn = stage.start_turn(&params).await;
    let ended = stage.ended(&turn).await;
    let request = stage.model.requests().pop().expect("a request");
    let request: Value = serde_json::from_slice(&request.body).unwrap();
    if differences().output_schema {
        let answer: Value = serde_json::from_str(&ended.text.expect("an answer")).expect("JSON");
        assert!(answer["verdict"].is_string() && answer["score"].is_i64(), "{answer}");
        assert_eq!(request["text"]["format"]["schema"], schema, "the model was given the schema");
    } else {
        stage.lacks("the schema does not reach the model");
        assert!(request["text"]["format"].is_null(), "{request}");
    }
    let (_, without) = stage.play(&thread, "[stream]").await;
    assert_eq!(without.text.as_deref(), Some("One two three four five six seven eight nine ten."));
    let request: Value = serde_json::from_slice(&stage.model.requests().pop().unwrap().body).unwrap();
    assert!(request["text"]["format"].is_null(), "the schema was for one turn only");
    stage.close().await;
}

#[tokio::test]
async fn an_answer_of_two_megabytes_is_one_line() {
    let mut stage = Stage::open("two_megabytes").await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[huge]").await;
    assert!(ended.text.is_some_and(|text| text == "0123456789abcdef".repeat(131_072)), "all of it");
    assert_eq!(deltas(&stage, &turn), 2000);
    stage.close().await;
}

/// Older versions call a turn completed while it runs; but it has no message before it ends.
fn has_ended(turn: Option<&Stored>) -> bool {
    turn.is_some_and(|turn| turn.status == "completed" && !turn.messages.is_empty())
}

/// Where nothing but `thread/resume` tells of a turn: so many questions that the turn is well under way.
async fn ask_for_threads(stage: &Stage) {
    for _ in 0..100 {
        stage.client.call::<calls::ThreadList>(&ThreadListParams::default()).await.expect("an answer");
    }
}

#[tokio::test]
async fn a_consumer_that_pauses_loses_nothing_and_holds_up_nobody() {
    let mut stage = Stage::open("paused_consumer").await;
    let thread = stage.thread().await;
    // Before its first turn is stored, a thread has no list of turns.
    stage.play(&thread, "[stream]").await;
    let turn = stage.turn(&thread, "[many]").await;
    // From here on nobody reads what Codex tells, and yet each question is answered.
    if differences().history == History::Resume {
        ask_for_threads(&stage).await;
    } else {
        while !has_ended(stage.stored(&thread).await.get(1)) {}
    }
    let ended = stage.ended(&turn).await;
    assert_eq!(deltas(&stage, &turn), 5000);
    assert!(ended.text.is_some_and(|text| text == "word ".repeat(5000)), "all of it");
    stage.close().await;
}
