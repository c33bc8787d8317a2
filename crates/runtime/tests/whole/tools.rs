//! A session's own tools: called, answered by whoever runs them, and never left open.

use std::time::Duration;

use selvedge_rehearsal::model::CodexSettings;
use selvedge_runtime::{
    Clock, Message, MessageState, SessionHandle,
    session::{Code, Settings, Timestamp, ToolSpec, What, data::ToolResolved},
};
use serde_json::{Value, json};

use crate::{
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::{Watch, value},
};

on_both!(
    a_call_is_listed_and_answered,
    a_call_that_failed_is_said_so_and_the_turn_goes_on,
    a_call_nobody_answers_fails_after_its_time,
    two_calls_have_ids_of_their_own,
    a_call_is_answered_once,
    an_open_call_ends_with_its_turn,
    tools_survive_a_rest,
    tools_cannot_be_given_to_an_old_thread,
);

on_the_real!(in_code_mode_two_calls_are_open_at_once);

/// `lookup {id}`, with this much time.
pub(crate) fn lookup(settings: &mut Settings, timeout_seconds: Option<u64>) {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    settings.tools.push(ToolSpec {
        name: "lookup".into(),
        description: "Looks something up.".into(),
        input_schema: schema.into(),
        timeout_seconds,
    });
}

pub(crate) async fn with_lookup(stage: &Stage) -> SessionHandle {
    stage.session_with(|settings| lookup(settings, None)).await
}

fn text(text: &str) -> selvedge_runtime::session::Json {
    json!([{"type": "text", "text": text}]).into()
}

fn resolutions(watch: &Watch) -> Vec<ToolResolved> {
    let resolved = watch.seen.iter().filter_map(|event| match &event.what {
        What::ToolResolved(it) => Some(it.clone()),
        _ => None,
    });
    resolved.collect()
}

/// Which lookup got which text, as Codex's items say.
fn lookups(watch: &Watch) -> Vec<(Value, Value)> {
    let items = watch.items("dynamicToolCall");
    let mut found: Vec<_> = items
        .iter()
        .map(|item| (item["arguments"]["id"].clone(), item["contentItems"][0]["text"].clone()))
        .collect();
    found.sort_by_key(|(id, _)| id.to_string());
    found
}

async fn a_call_is_listed_and_answered(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    let call = watch.tool_call().await;
    assert_eq!((call.tool.as_str(), value(&call.arguments)), ("lookup", json!({"id": "A"})));
    let [open] = &stage.runtime.tool_calls().await.unwrap()[..] else { panic!("one call is open") };
    assert_eq!((open.tool_call_id, open.session_id), (call.tool_call_id, session.id()));
    assert_eq!(session.message(sent.message_id).await.unwrap().state, MessageState::Waiting);
    stage.runtime.answer_tool(call.tool_call_id, true, text("about A")).await.unwrap();
    assert_eq!(stage.runtime.tool_calls().await.unwrap(), []);
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up.");
    assert_eq!(lookups(&watch), [("A".into(), "about A".into())]);
    if stage.is_real() {
        assert!(stage.last_asked().contains("about A"), "the model got the answer");
    }
    stage.close().await;
}

async fn a_call_that_failed_is_said_so_and_the_turn_goes_on(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    let call = watch.tool_call().await;
    session.answer_tool(call.tool_call_id, false, text("no such thing")).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up.");
    assert_eq!(watch.items("dynamicToolCall")[0]["success"], false);
    assert!(!resolutions(&watch)[0].success);
    stage.close().await;
}

async fn two_calls_have_ids_of_their_own(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[two tools]")).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let call = watch.tool_call().await;
        let about = format!("about {}", value(&call.arguments)["id"].as_str().unwrap());
        session.answer_tool(call.tool_call_id, true, text(&about)).await.unwrap();
        ids.push(call.tool_call_id);
    }
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up both.");
    assert_ne!(ids[0], ids[1]);
    assert_eq!(lookups(&watch), [("A".into(), "about A".into()), ("B".into(), "about B".into())]);
    stage.close().await;
}

async fn in_code_mode_two_calls_are_open_at_once(setup: Setup) {
    let stage = setup.codex(CodexSettings::code_mode()).open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[two tools]")).await.unwrap();
    let calls = [watch.tool_call().await, watch.tool_call().await];
    assert_eq!(stage.runtime.tool_calls().await.unwrap().len(), 2);
    for call in calls.iter().rev() {
        let about = format!("about {}", value(&call.arguments)["id"].as_str().unwrap());
        session.answer_tool(call.tool_call_id, true, text(&about)).await.unwrap();
    }
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up both.");
    assert_eq!(lookups(&watch), [("A".into(), "about A".into()), ("B".into(), "about B".into())]);
    stage.close().await;
}

async fn a_call_is_answered_once(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    let call = watch.tool_call().await;
    session.answer_tool(call.tool_call_id, true, text("first")).await.unwrap();
    let second = session.answer_tool(call.tool_call_id, true, text("second")).await.unwrap_err();
    assert_eq!(second.code, Code::AlreadyAnswered);
    let by_runtime = stage.runtime.answer_tool(call.tool_call_id, true, text("third")).await;
    assert_eq!(by_runtime.unwrap_err().code, Code::AlreadyAnswered);
    watch.finished(sent.message_id).await;
    assert_eq!(lookups(&watch), [("A".into(), "first".into())]);
    stage.close().await;
}

async fn an_open_call_ends_with_its_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    watch.tool_call().await;
    session.interrupt(false).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    assert!(!resolutions(&watch)[0].success);
    assert_eq!(stage.runtime.tool_calls().await.unwrap(), []);
    stage.close().await;
}

async fn tools_survive_a_rest(setup: Setup) {
    let stage = setup.open().await;
    let session = with_lookup(&stage).await;
    let id = session.id();
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    let call = watch.tool_call().await;
    session.answer_tool(call.tool_call_id, true, text("about A")).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up.");
    stage.close().await;
}

async fn tools_cannot_be_given_to_an_old_thread(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[stream]").await;
    let mut new = stage.new_session();
    new.settings.thread_id = session.summary().await.unwrap().thread_id;
    lookup(&mut new.settings, None);
    let Err(refused) = stage.runtime.create(new).await else { panic!("tools are fixed") };
    assert_eq!(refused.code, Code::ToolsFixed);
    stage.close().await;
}

async fn a_call_nobody_answers_fails_after_its_time(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session_with(|settings| lookup(settings, Some(20))).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[tool]")).await.unwrap();
    let call = watch.tool_call().await;
    clock.turn(Duration::from_secs(20));
    assert_eq!(watch.finished(sent.message_id).await.text, "Looked up.", "the turn survives");
    let [resolved] = &resolutions(&watch)[..] else { panic!("{:?}", watch.names()) };
    assert_eq!((resolved.tool_call_id, resolved.success), (call.tool_call_id, false));
    let late = session.answer_tool(call.tool_call_id, true, text("too late")).await.unwrap_err();
    assert_eq!(late.code, Code::AlreadyAnswered);
    stage.close().await;
}
