//! What an evaluation tells: logs with the adapter's name, which JSON brings back.

use jiff::Timestamp;
use selvedge_agent::{
    ADAPTER, Prompt, PromptExecuted, PromptRendered, RenderedTools, Section, Session, Snapshot, TokenUsage,
    ToolInvoked,
};
use serde_json::json;
use uuid::Uuid;

use crate::support::add;

fn prompt() -> Prompt {
    let section = Section::markdown("T", "t", "x").tool(add("add"));
    Prompt::text("demo", "events").name("told").section(section).build().unwrap()
}

#[test]
fn a_rendering_is_told_with_its_tools() {
    let session = Session::new();
    let rendered = prompt().render(&session).unwrap();
    rendered.record(&session);
    let told: PromptRendered = session.latest().unwrap();
    assert_eq!(
        (told.prompt_ns.as_str(), told.prompt_key.as_str(), told.prompt_name.as_str()),
        ("demo", "events", "told")
    );
    assert_eq!((told.adapter.as_str(), told.session_id), ("codex_app_server", session.id()));
    assert_eq!(told.rendered_prompt, rendered.text());
    let tools: RenderedTools = session.latest().unwrap();
    assert_eq!((tools.render_event_id, tools.adapter.as_str()), (told.event_id, ADAPTER));
    assert_eq!(tools.tools, rendered.specs());
    assert_ne!(tools.event_id, told.event_id);
}

#[test]
fn events_survive_rollback_and_json() {
    let session = Session::new();
    let transaction = session.transaction();
    prompt().render(&session).unwrap().record(transaction.session());
    transaction.session().append(PromptExecuted {
        prompt_name: "told".into(),
        adapter: ADAPTER.into(),
        text: "{}".into(),
        output: Some(json!({})),
        session_id: session.id(),
        created_at: Timestamp::now(),
        usage: Some(TokenUsage { input_tokens: 3, output_tokens: 4, ..TokenUsage::default() }),
        event_id: Uuid::now_v7(),
    });
    drop(transaction);
    let executed: PromptExecuted = session.latest().unwrap();
    assert_eq!(executed.usage.unwrap().total_tokens(), 7);
    let json = session.snapshot_all().to_json().unwrap();
    let other = Session::new();
    other.declare::<PromptRendered>();
    other.declare::<RenderedTools>();
    other.declare::<PromptExecuted>();
    other.restore_all(&Snapshot::from_json(&json).unwrap()).unwrap();
    assert_eq!(other.all::<PromptRendered>(), session.all::<PromptRendered>());
    assert_eq!(other.all::<RenderedTools>(), session.all::<RenderedTools>());
    assert_eq!(other.latest(), Some(executed));
}

#[tokio::test]
async fn a_reducer_puts_results_where_they_belong() {
    use selvedge_agent::{Change, SessionView, ToolCall, reducers};

    use crate::sessions::Count;

    let session = Session::new();
    session.register(reducers::append::<ToolInvoked>());
    session.register(|_: &SessionView<'_>, event: &ToolInvoked| match event.result.success {
        true => Change::Append(Count(event.rendered_output.len() as u32)),
        false => Change::Keep,
    });
    let tools = prompt().render(&session).unwrap().toolbox(&session);
    tools.call(ToolCall::new("add", json!({"x": 1, "y": 2}))).await;
    tools.call(ToolCall::new("add", json!({}))).await;
    assert_eq!(&*session.all::<Count>(), [Count(7)]);
    assert_eq!(session.all::<ToolInvoked>().len(), 2);
}

#[test]
fn everything_can_be_shared_between_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Prompt<std::rc::Rc<()>>>();
    is_shared::<Session>();
    is_shared::<Snapshot>();
    is_shared::<selvedge_agent::Toolbox>();
    is_shared::<selvedge_agent::ToolContext>();
    is_shared::<selvedge_agent::RenderedPrompt>();
}
