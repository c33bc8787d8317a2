//! Resources of evaluations: each opens its prompt's own and closes them, unless they were opened for several.

use std::sync::{Arc, Mutex};

use selvedge_agent::{
    Cause, OpenError, Phase, Prompt, Resource, ResourceError, Section, Session, Tool, ToolContext, ToolError,
};

use crate::{
    stage::{Setup, on_both},
    support::{Lookup, invoked, told},
};

on_both!(
    an_evaluation_opens_its_own_and_closes_them,
    what_was_opened_for_several_stays_open,
    what_cannot_be_opened_is_found_before_anything_is_said,
    whoever_no_longer_waits_leaves_nothing_open_or_half_done,
);

/// What was looked up, and what became of it.
#[derive(Default)]
struct Log {
    ids: Mutex<Vec<String>>,
}

impl Log {
    fn ids(&self) -> Vec<String> {
        self.ids.lock().unwrap().clone()
    }

    fn restore(&self, ids: Vec<String>) {
        *self.ids.lock().unwrap() = ids;
    }
}

const TWICE: &str = r#"
[[rule]]
contains = "[twice]"
step = [
  { do = [ { tool = { name = "lookup", arguments = { id = "bad" } } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "good" } } } ] },
  { do = [ { say = { text = "Done.", phase = "final_answer" } } ] },
]
"#;

/// A prompt that looks up twice, the first time in vain, and what its logs had in the end.
fn prompt() -> (Prompt, Arc<Mutex<Vec<Vec<String>>>>) {
    let lookup = Tool::new("lookup", "Look something up.", async |params: Lookup, context: ToolContext| {
        let log = context.resource::<Log>().await?;
        log.ids.lock().unwrap().push(params.id.clone());
        if params.id == "bad" { Err(ToolError::new("not found")) } else { Ok(log.ids()) }
    });
    let closed = Arc::new(Mutex::new(Vec::new()));
    let closing = closed.clone();
    let log = Resource::singleton(async |_| Ok(Log::default())).undo(Log::ids, Log::restore);
    let log = log.close(move |it: Arc<Log>| {
        closing.lock().unwrap().push(it.ids());
        async {}
    });
    let section = Section::markdown("Task", "task", "[twice]").tool(lookup);
    (Prompt::text("tests", "resources").section(section).resource(log).build().unwrap(), closed)
}

async fn an_evaluation_opens_its_own_and_closes_them(setup: Setup) {
    let stage = setup.play(TWICE).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (prompt, closed) = prompt();
    for evaluations in 1..=2 {
        codex.evaluate(&prompt, &session).await.unwrap();
        let ended = closed.lock().unwrap().clone();
        assert_eq!(ended, vec![vec!["good"]; evaluations], "what failed was undone, and nothing is shared");
    }
    assert_eq!(invoked(&session)[..2], [("lookup".into(), false), ("lookup".into(), true)]);
    stage.close(codex).await;
}

async fn what_was_opened_for_several_stays_open(setup: Setup) {
    let stage = setup.play(TWICE).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (prompt, closed) = prompt();
    let resources = prompt.open_resources().await.unwrap();
    let (one, other) = tokio::join!(
        codex.evaluate(&prompt, &session).resources(&resources),
        codex.evaluate(&prompt, &session).resources(&resources),
    );
    assert!(one.is_ok() && other.is_ok());
    assert!(closed.lock().unwrap().is_empty());
    resources.close().await;
    assert_eq!(*closed.lock().unwrap(), [["good", "good"]]);
    stage.close(codex).await;
}

async fn what_cannot_be_opened_is_found_before_anything_is_said(setup: Setup) {
    let stage = setup.play(TWICE).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let broken = Resource::<Log>::singleton(async |_| Err(OpenError::new("no disk"))).eager();
    let (prompt, closed) = prompt();
    let error = codex.evaluate(&prompt.bind_resource(broken), &session).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Tool, "resource_failed"));
    assert!(matches!(error.cause, Some(Cause::Resource(ResourceError::Failed { .. }))));
    assert_eq!((told(&session), closed.lock().unwrap().len()), ((0, 0), 0));
    stage.close(codex).await;
}

async fn whoever_no_longer_waits_leaves_nothing_open_or_half_done(setup: Setup) {
    let stage = setup.play(TWICE).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let (begun, mut has_begun) = tokio::sync::mpsc::channel(1);
    let lookup = Tool::new("lookup", "Never end.", move |params: Lookup, context: ToolContext| {
        let begun = begun.clone();
        async move {
            let log = context.resource::<Log>().await?;
            log.ids.lock().unwrap().push(params.id);
            begun.try_send(()).unwrap();
            std::future::pending::<()>().await;
            Ok(())
        }
    });
    let (closed, mut is_closed) = tokio::sync::mpsc::channel(1);
    let log = Resource::singleton(async |_| Ok(Log::default())).undo(Log::ids, Log::restore);
    let log = log.close(move |it: Arc<Log>| {
        closed.try_send(it.ids()).unwrap();
        async {}
    });
    let section = Section::markdown("Task", "task", "[twice]").tool(lookup);
    let prompt = Prompt::text("tests", "left").section(section).resource(log).build().unwrap();
    tokio::select! {
        ended = codex.evaluate(&prompt, &session) => panic!("{ended:?}"),
        begun = has_begun.recv() => begun.unwrap(),
    }
    assert_eq!(is_closed.recv().await, Some(Vec::new()), "undone first, then closed");
    stage.close(codex).await;
}
