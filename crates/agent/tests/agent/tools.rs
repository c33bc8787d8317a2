//! A call, from the model's arguments to its answer: what is kept, what is undone, what is told.

use std::time::Duration;

use selvedge_agent::{
    Budget, BudgetTracker, Content, Deadline, Session, Tool, ToolCall, ToolContext, ToolFailure, ToolInvoked,
    ToolReply,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::calling::{act, failed, text, toolbox};
use crate::sessions::{Plan, plan};
use crate::support::add;

async fn acted(session: &Session, how: &str) -> (String, ToolFailure) {
    let answer = toolbox(session, [act()]).call(ToolCall::new("act", json!({"how": how}))).await;
    failed(&answer, session)
}

#[tokio::test]
async fn executes_handler_successfully_and_keeps_what_it_wrote() {
    let session = Session::new();
    let answer =
        toolbox(&session, [act()]).call(ToolCall::new("act", json!({"how": "ok"})).id("call-7")).await;
    assert!(answer.success);
    assert_eq!(text(&answer), "done");
    assert_eq!(&*session.all::<Plan>(), [plan("ok", 1)]);
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.name.as_str(), told.params), ("act", json!({"how": "ok"})));
    assert_eq!((told.prompt_name.as_str(), told.adapter.as_str()), ("demo:tools", "codex_app_server"));
    assert_eq!((told.call_id.as_deref(), told.session_id), (Some("call-7"), session.id()));
    assert_eq!(
        (told.result.success, told.result.failure, told.rendered_output.as_str()),
        (true, None, "done")
    );
}

#[tokio::test]
async fn restores_state_on_tool_failure_and_tells_of_it() {
    let session = Session::new();
    assert_eq!(
        acted(&session, "error").await,
        ("it did not work; try again".to_owned(), ToolFailure::Failed)
    );
    assert_eq!(acted(&session, "io").await, ("disk on fire".to_owned(), ToolFailure::Failed));
    assert!(session.all::<Plan>().is_empty());
    assert_eq!(session.all::<ToolInvoked>().len(), 2);
}

#[tokio::test]
async fn a_panic_is_a_failure() {
    let session = Session::new();
    let expected = "Error: the tool panicked: a handler's mistake";
    assert_eq!(acted(&session, "panic").await, (expected.to_owned(), ToolFailure::Panicked));
    assert!(session.all::<Plan>().is_empty());
    assert!(toolbox(&session, [act()]).call(ToolCall::new("act", json!({"how": "ok"}))).await.success);
}

#[tokio::test]
async fn returns_validation_error_and_the_next_call_works() {
    let session = Session::new();
    let tools = toolbox(&session, [add("add")]);
    let cases = [
        (json!({"x": "1", "y": 2}), "Validation error: x: invalid type: string \"1\", expected i64"),
        (json!({"x": 1, "z": 2}), "Validation error: unknown field `z` (known: x, y); missing field `y`"),
        (
            json!("{"),
            "Validation error: the arguments are not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (json!([1, 2]), "Validation error: the arguments are a list, and have to be an object"),
    ];
    for (arguments, expected) in cases {
        let answer = tools.call(ToolCall::new("add", arguments.clone())).await;
        assert_eq!(failed(&answer, &session), (expected.to_owned(), ToolFailure::Invalid));
        assert_eq!(session.latest::<ToolInvoked>().unwrap().params, arguments);
    }
    for arguments in [json!({"x": 1, "y": 2}), json!(r#"{"x": 1, "y": 2}"#)] {
        assert_eq!(text(&tools.call(ToolCall::new("add", arguments)).await), "total=3");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_answered_and_told() {
    let session = Session::new();
    let answer = toolbox(&session, [act()]).call(ToolCall::new("nope", json!({})).id("c")).await;
    assert_eq!(failed(&answer, &session), ("Unknown tool: nope".to_owned(), ToolFailure::Unknown));
    assert_eq!(session.latest::<ToolInvoked>().unwrap().call_id.as_deref(), Some("c"));
}

#[tokio::test]
async fn executes_tool_with_none_params_type() {
    let session = Session::new();
    let tool = Tool::new("ping", "Answer.", async |(): (), _: ToolContext| Ok(()));
    let tools = toolbox(&session, [tool]);
    for arguments in [json!({}), Value::Null] {
        assert_eq!(text(&tools.call(ToolCall::new("ping", arguments)).await), "OK");
    }
    assert!(!tools.call(ToolCall::new("ping", json!({"x": 1}))).await.success);
}

#[tokio::test]
async fn a_result_is_a_value_too_and_may_have_pictures() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Found {
        lines: Vec<u32>,
        note: Option<String>,
    }
    let session = Session::new();
    fn found() -> Found {
        Found { lines: vec![1, 2], note: None }
    }
    let find = Tool::new("find", "Find.", async |(): (), _: ToolContext| Ok(found()));
    let draw = Tool::new("draw", "Draw.", async |(): (), _: ToolContext| {
        Ok(ToolReply::text("a dot").image("data:image/png;base64,AA==").with_value(&5))
    });
    let tools = toolbox(&session, [find, draw]);
    assert_eq!(text(&tools.call(ToolCall::new("find", json!({}))).await), r#"{"lines":[1,2]}"#);
    assert_eq!(session.latest::<ToolInvoked>().unwrap().value::<Found>(), Some(found()));
    let drawn = tools.call(ToolCall::new("draw", json!({}))).await;
    let image = Content::Image { url: "data:image/png;base64,AA==".into() };
    assert_eq!(drawn.content, [Content::Text { text: "a dot".into() }, image]);
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.value::<u32>(), told.rendered_output.as_str()), (Some(5), "a dot"));
}

#[tokio::test]
async fn the_event_repeats_a_thousand_characters_and_the_model_gets_all() {
    let session = Session::new();
    let long = Tool::new("long", "Say much.", async |(): (), _: ToolContext| Ok("ä".repeat(5000)));
    let answer = toolbox(&session, [long]).call(ToolCall::new("long", json!({}))).await;
    assert_eq!(text(&answer).chars().count(), 5000);
    assert_eq!(session.latest::<ToolInvoked>().unwrap().rendered_output, "ä".repeat(1000));
}

#[tokio::test]
async fn a_handler_knows_its_call() {
    let session = Session::new();
    let tracker = BudgetTracker::new(Budget::tokens(10)).unwrap();
    let look = Tool::new("look", "Look.", async |(): (), context: ToolContext| {
        assert!(context.budget().is_some() && context.files().is_ok() && context.deadline().is_some());
        Ok(format!(
            "{} {} {:?} {}",
            context.tool(),
            context.prompt_name(),
            context.call_id(),
            context.session().id()
        ))
    });
    let deadline = Deadline::after(Duration::from_secs(60)).unwrap();
    let files = selvedge_agent::Directory::open("/").unwrap();
    let tools = toolbox(&session, [look]).budget(tracker).deadline(deadline).files(&files);
    let answer = tools.call(ToolCall::new("look", json!({})).id("c1")).await;
    assert_eq!(text(&answer), format!("look demo:tools Some(\"c1\") {}", session.id()));
}

#[test]
fn specs_are_what_codex_is_told() {
    let tools = toolbox(&Session::new(), [add("add")]);
    let [spec] = tools.specs() else { panic!("{:?}", tools.specs()) };
    assert_eq!((spec.name.as_str(), spec.description.as_str()), ("add", "Add two numbers."));
    assert_eq!(spec.input_schema["required"], json!(["x", "y"]));
    assert!(toolbox(&Session::new(), []).specs().is_empty());
}
