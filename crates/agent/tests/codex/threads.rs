//! Threads: a new one each time, or the one from before if it was made for the same.

use selvedge_agent::{Codex, CodexThread, Section, Session, Snapshot, Tool, ToolContext};

use crate::{
    stage::{Setup, Stage, on_both},
    support::{Lookup, lookup, says, with_section},
};

on_both!(
    each_evaluation_has_a_thread_of_its_own,
    a_thread_is_gone_on_with,
    other_tools_need_another_thread,
    a_busy_thread_is_left_alone,
    a_thread_outlives_its_program,
    a_thread_that_is_not_there_is_replaced,
);

async fn reusing(stage: &Stage) -> Codex {
    stage.builder().reuse_thread().data_dir(stage.data()).build().await.unwrap()
}

async fn each_evaluation_has_a_thread_of_its_own(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let first = codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let second = codex.evaluate(&says("[think]"), &session).await.unwrap();
    assert_ne!(first.thread_id, second.thread_id);
    assert!(!second.resumed && session.all::<CodexThread>().is_empty());
    stage.close(codex).await;
}

async fn a_thread_is_gone_on_with(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (reusing(&stage).await, Session::new());
    let first = codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let second = codex.evaluate(&says("[think]"), &session).await.unwrap();
    assert_eq!((&first.thread_id, second.resumed), (&second.thread_id, true));
    assert_eq!(second.usage.output_tokens, 30, "only its own turn is counted");
    assert_eq!(session.all::<CodexThread>().len(), 1);
    if let Some(asked) = stage.last_asked() {
        assert!(asked.contains("[stream]"), "the model remembers");
    }
    let elsewhere = codex.evaluate(&says("[think]"), &Session::new()).await.unwrap();
    assert_ne!(elsewhere.thread_id, first.thread_id, "a session has its own");
    stage.close(codex).await;
}

async fn other_tools_need_another_thread(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (reusing(&stage).await, Session::new());
    let with_tool = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(lookup()));
    let plain = codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let tooled = codex.evaluate(&with_tool, &session).await.unwrap();
    assert_ne!(plain.thread_id, tooled.thread_id);
    let again = codex.evaluate(&with_tool, &session).await.unwrap();
    assert_eq!((again.thread_id, again.text.as_str()), (tooled.thread_id, "Looked up."));
    let plain_again = codex.evaluate(&says("[think]"), &session).await.unwrap();
    assert_eq!(plain_again.thread_id, plain.thread_id, "both are remembered");
    stage.close(codex).await;
}

async fn a_busy_thread_is_left_alone(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (reusing(&stage).await, Session::new());
    let inner = codex.clone();
    let tool = Tool::new("lookup", "Ask the same again.", move |_: Lookup, context: ToolContext| {
        let codex = inner.clone();
        // The same tools by name and schema, so the same kind of thread; but that one is busy with this call.
        async move { Ok(codex.evaluate(&same("[stream]"), context.session()).await?.thread_id) }
    });
    let first = codex.evaluate(&same("[stream]"), &session).await.unwrap();
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(tool));
    let outer = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!((outer.thread_id.as_str(), outer.resumed), (first.thread_id.as_str(), true));
    let told = session.latest::<selvedge_agent::ToolInvoked>().unwrap();
    assert!(told.result.success && told.rendered_output != outer.thread_id, "{told:?}");
    stage.close(codex).await;
}

fn same(text: &str) -> selvedge_agent::Prompt {
    let tool = Tool::new("lookup", "Ask the same again.", async |_: Lookup, _: ToolContext| Ok("nothing"));
    with_section(Section::markdown("Task", "task", text).tool(tool))
}

async fn a_thread_outlives_its_program(setup: Setup) {
    let stage = setup.play("").await;
    let with_tool = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(lookup()));
    let (codex, session) = (reusing(&stage).await, Session::new());
    let first = codex.evaluate(&with_tool, &session).await.unwrap();
    let stored = session.snapshot().to_json().unwrap();
    codex.close().await;
    let (codex, session) = (reusing(&stage).await, Session::new());
    session.declare::<CodexThread>();
    session.restore(&Snapshot::from_json(&stored).unwrap()).unwrap();
    let second = codex.evaluate(&with_tool, &session).await.unwrap();
    assert_eq!((second.thread_id, second.resumed), (first.thread_id, true));
    assert_eq!(second.text, "Looked up.", "with its tools");
    stage.close(codex).await;
}

async fn a_thread_that_is_not_there_is_replaced(setup: Setup) {
    let stage = setup.play("").await;
    let session = Session::new();
    let codex = stage.builder().reuse_thread().build().await.unwrap();
    let first = codex.evaluate(&says("[stream]"), &session).await.unwrap();
    codex.close().await;
    // Its journal was private, and is gone.
    let codex = stage.builder().reuse_thread().build().await.unwrap();
    let second = codex.evaluate(&says("[stream]"), &session).await.unwrap();
    assert!(!second.resumed && second.thread_id != first.thread_id);
    assert_eq!(session.all::<CodexThread>().len(), 1);
    stage.close(codex).await;
}
