//! Dynamic tools: one after another on a classic model, at once in code mode, answered late and out of order.

use selvedge_protocol::{
    asks, calls,
    say::{
        DynamicToolCallResponse, FunctionDynamicToolSpec, InputTextDynamicToolCallOutputContentItem,
        ThreadLoadedListParams, ThreadStartParams,
    },
    see::{ServerRequest, ThreadItem},
};
use selvedge_rehearsal::model::CodexSettings;
use serde_json::{Value, json};

use crate::{
    acts::{Turn, message},
    differences::{Tools, differences},
    ear::Ask,
    stage::Stage,
};

/// A thread with the tool `lookup {id}`.
async fn thread_with_lookup(stage: &Stage) -> String {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    let lookup = FunctionDynamicToolSpec::new("lookup", "Looks something up.", schema);
    let dynamic_tools = Some(vec![lookup.into()]);
    stage.start_thread(ThreadStartParams { dynamic_tools, ..Default::default() }).await
}

/// What is to be looked up.
fn wanted(ask: &Ask) -> String {
    let ServerRequest::ItemToolCall(call) = ask.request() else { panic!("{ask:?}") };
    assert_eq!(call.tool().as_deref(), Some("lookup"));
    let arguments: Value = serde_json::from_str(call.arguments().expect("arguments").get()).unwrap();
    arguments["id"].as_str().expect("an id").to_owned()
}

fn answer(stage: &Stage, ask: &Ask) {
    let text = InputTextDynamicToolCallOutputContentItem::new(format!("about {}", wanted(ask)));
    let answer = DynamicToolCallResponse::new(vec![text.into()], true);
    stage.client.answer_to::<asks::ItemToolCall>(&ask.id, &answer).unwrap();
}

/// Which lookup got which text, as the completed items say.
fn lookups(stage: &Stage, turn: &Turn) -> Vec<(Value, Value)> {
    let raw = |raw: Option<&serde_json::value::RawValue>| {
        serde_json::from_str(raw.expect("a field").get()).unwrap()
    };
    let mut found: Vec<_> = stage
        .ear
        .items(turn)
        .filter_map(|item| match item {
            ThreadItem::DynamicToolCall(call) => {
                let arguments: Value = raw(call.arguments());
                let content: Value = raw(call.object().raw("contentItems"));
                Some((arguments["id"].clone(), content[0]["text"].clone()))
            }
            _ => None,
        })
        .collect();
    found.sort_by_key(|(id, _)| id.to_string());
    found
}

fn both() -> [(Value, Value); 2] {
    [("A".into(), "about A".into()), ("B".into(), "about B".into())]
}

/// Where tools are passed over, the model is not offered any, and the turn goes on.
async fn is_not_offered(mut stage: Stage, words: &str) {
    stage.lacks("they are passed over");
    let thread = thread_with_lookup(&stage).await;
    let (turn, ended) = stage.play(&thread, words).await;
    assert_eq!((ended.status.as_str(), stage.ear.asks()), ("completed", 0));
    let first = stage.ear.items(&turn).find_map(message).expect("a message");
    assert!(first.contains("the thread has no dynamic tool `lookup`"), "{first}");
    stage.close().await;
}

/// Two calls, of which the second is made when the first is answered.
async fn one_after_another(stage: &mut Stage) -> Turn {
    let thread = thread_with_lookup(stage).await;
    let turn = stage.turn(&thread, "[two tools]").await;
    let first = stage.ear.next_ask().await;
    // Nobody waits for the one who answers: other requests are served meanwhile.
    let loaded = stage.client.call::<calls::ThreadLoadedList>(&ThreadLoadedListParams::default()).await;
    assert_eq!(loaded.unwrap().read().unwrap().data().expect("threads").len(), 1);
    assert_eq!(stage.ear.asks(), 1, "the other call waits for this one");
    answer(stage, &first);
    let second = stage.ear.next_ask().await;
    answer(stage, &second);
    let mut called = [wanted(&first), wanted(&second)];
    // Mostly as the model said them, but Codex does not promise it.
    called.sort();
    assert_eq!(called, ["A", "B"]);
    turn
}

/// The items of both calls, where there are any.
fn both_or_none(stage: &mut Stage, turn: &Turn) {
    if differences().tools == Tools::WithoutItems {
        stage.lacks("no item says that a tool was called");
        assert_eq!(lookups(stage, turn), []);
    } else {
        assert_eq!(lookups(stage, turn), both());
    }
}

#[tokio::test]
async fn a_classic_model_calls_its_tools_one_after_another_in_any_order() {
    let mut stage = Stage::open("tools_classic").await;
    if differences().tools == Tools::Ignored {
        return is_not_offered(stage, "[two tools]").await;
    }
    let turn = one_after_another(&mut stage).await;
    let ended = stage.ended(&turn).await;
    assert_eq!(ended.text.as_deref(), Some("Looked up both."));
    both_or_none(&mut stage, &turn);
    let told: String = String::from_utf8_lossy(&stage.model.requests().pop().unwrap().body).into_owned();
    assert!(told.contains("about A") && told.contains("about B"), "the model got both answers");
    stage.close().await;
}

#[tokio::test]
async fn in_code_mode_tools_are_called_at_once_and_answered_in_any_order() {
    let mut stage = Stage::with("tools_code_mode", CodexSettings::code_mode()).await;
    if differences().tools == Tools::Ignored {
        return is_not_offered(stage, "[two tools]").await;
    }
    if !differences().code_mode {
        stage.lacks("one after another, without code mode");
        let turn = one_after_another(&mut stage).await;
        assert_eq!(stage.ended(&turn).await.text.as_deref(), Some("Looked up both."));
        both_or_none(&mut stage, &turn);
        stage.close().await;
        return;
    }
    let thread = thread_with_lookup(&stage).await;
    let turn = stage.turn(&thread, "[two tools]").await;
    let mut open = [stage.ear.next_ask().await, stage.ear.next_ask().await];
    open.sort_by_key(wanted);
    let [first, second] = open;
    assert_ne!(first.id, second.id);
    answer(&stage, &second);
    answer(&stage, &first);
    let ended = stage.ended(&turn).await;
    assert_eq!(ended.text.as_deref(), Some("Looked up both."));
    assert_eq!(lookups(&stage, &turn), both(), "each answer went to its own call");
    stage.close().await;
}

#[tokio::test]
async fn a_refused_tool_call_fails_and_the_turn_goes_on() {
    let mut stage = Stage::open("tool_refused").await;
    if differences().tools == Tools::Ignored {
        return is_not_offered(stage, "[tool]").await;
    }
    let thread = thread_with_lookup(&stage).await;
    let turn = stage.turn(&thread, "[tool]").await;
    let ask = stage.ear.next_ask().await;
    stage.client.refuse(&ask.id, -32601, "nobody looks anything up here").unwrap();
    let ended = stage.ended(&turn).await;
    assert_eq!((ended.status.as_str(), ended.text.as_deref()), ("completed", Some("Looked up.")));
    let failed = stage.ear.items(&turn).any(|item| match item {
        ThreadItem::DynamicToolCall(call) => call.success() == Some(false),
        _ => false,
    });
    if differences().tools == Tools::WithoutItems {
        stage.lacks("no item says that a tool was called");
        assert!(!failed);
    } else {
        assert!(failed);
    }
    stage.close().await;
}

/// What `selvedge-runtime` says of names before Codex is asked (its `tools.rs`) is what Codex says. Nothing is played: no transcript.
#[tokio::test]
async fn a_tool_has_one_name_of_letters_digits_and_two_signs() {
    let mut stage = Stage::open("tool_names").await;
    let longest = "a".repeat(128);
    for names in [vec!["a", "A", "1", "_", "-", "A-1_b", "mcp_x", "exec"], vec![&longest]] {
        assert_eq!(refusal_of(&stage, &names).await, None, "{names:?}");
    }
    let longer = "a".repeat(129);
    let refused = [
        (Tools::WithoutItems, vec![""], "must not be empty"),
        (Tools::WithoutItems, vec!["a "], "leading/trailing whitespace"),
        (Tools::Checked, vec!["a b"], "must match ^[a-zA-Z0-9_-]+$"),
        (Tools::Checked, vec!["a.b"], "must match"),
        (Tools::Checked, vec!["é"], "must match"),
        (Tools::Checked, vec![longer.as_str()], "at most 128 characters"),
        (Tools::WithoutItems, vec!["mcp"], "is reserved"),
        (Tools::WithoutItems, vec!["mcp__x"], "is reserved"),
        (Tools::WithoutItems, vec!["a", "a"], "duplicate dynamic tool name"),
    ];
    for (since, names, words) in refused {
        let refusal = refusal_of(&stage, &names).await;
        if differences().tools < since {
            assert_eq!(refusal, None, "{names:?}");
        } else {
            let refusal = refusal.unwrap_or_else(|| panic!("{names:?} is taken"));
            assert!(refusal.contains(words), "{names:?}: {refusal}");
        }
    }
    match differences().tools {
        Tools::Ignored => stage.lacks("they are passed over"),
        Tools::Checked => {}
        _ => stage.lacks("most names are taken"),
    }
    stage.close_without_transcript().await;
}

async fn refusal_of(stage: &Stage, names: &[&str]) -> Option<String> {
    let tool = |name: &&str| FunctionDynamicToolSpec::new(*name, "A tool.", json!({"type": "object"})).into();
    let dynamic_tools = Some(names.iter().map(tool).collect());
    let params = ThreadStartParams { dynamic_tools, ephemeral: Some(true), ..Default::default() };
    let error = stage.client.call::<calls::ThreadStart>(&params).await.err()?;
    Some(error.refusal().expect("a refusal, not a failure").message.clone())
}
