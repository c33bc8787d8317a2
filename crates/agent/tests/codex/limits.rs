//! Limits: deadlines and budgets stop a turn while it runs, and so does whoever no longer waits for it.

use std::time::{Duration, Instant};

use selvedge_agent::{
    Budget, BudgetTracker, Cause, Deadline, Phase, Section, Session, Tool, ToolContext, ToolFailure,
    ToolInvoked,
};
use selvedge_runtime::{
    Filter, Runtime,
    session::{Status, What, data::Finished},
};

use crate::{
    stage::{Setup, Stage, on_both},
    support::{Lookup, invoked, lookup, says, told, with_section},
};

on_both!(
    a_turn_ends_at_its_deadline,
    a_tool_does_not_outlive_the_deadline,
    nothing_begins_after_the_deadline,
    more_tokens_than_allowed_end_the_turn,
    a_shared_budget_is_shared,
    a_budget_that_is_used_up_lets_nothing_begin,
    whoever_no_longer_waits_stops_the_turn,
);

/// A response that uses a lot, then one that takes long.
const COSTLY: &str = r#"
[[rule]]
contains = "[costly]"
step = [
  { do = [ { usage = { input = 1000, cached = 400, output = 50 } }, { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { usage = { input = 1000, output = 50 } }, { tool = { name = "lookup", arguments = { id = "B" } } } ] },
  { do = [ { say = { text = "tick ", repeat = 200, pace_ms = 100 } } ] },
]
"#;

fn costly() -> selvedge_agent::Prompt {
    with_section(Section::markdown("Task", "task", "[costly]").tool(lookup()))
}

async fn a_turn_ends_at_its_deadline(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    // So that its time is the turn's and not the app-server's start.
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let begun = Instant::now();
    // Enough for the first words also where much else runs.
    let error = codex.evaluate(&says("[slow]"), &session).deadline(Duration::from_secs(6)).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "deadline_exceeded"));
    assert!(error.text.starts_with("tick"), "what was said is kept: {error:?}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(told(&session), (2, 1));
    stage.close(codex).await;
}

async fn a_tool_does_not_outlive_the_deadline(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    let tool = Tool::new("lookup", "Never end.", async |_: Lookup, _: ToolContext| {
        std::future::pending::<()>().await;
        Ok(())
    });
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(tool));
    let error = codex.evaluate(&prompt, &session).deadline(Duration::from_secs(2)).await.unwrap_err();
    assert_eq!(error.code, "deadline_exceeded");
    let ended = session.latest::<ToolInvoked>().unwrap().result.failure;
    assert!(matches!(ended, Some(ToolFailure::TooLate | ToolFailure::Cancelled)), "{ended:?}");
    stage.close(codex).await;
}

async fn nothing_begins_after_the_deadline(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let passed = Deadline::after(Duration::from_secs(1)).unwrap();
    tokio::time::sleep_until(passed.expires()).await;
    let error = codex.evaluate(&says("[stream]"), &session).until(passed).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "deadline_exceeded"));
    assert_eq!(told(&session), (0, 0), "it is not even rendered");
    let too_soon = codex.evaluate(&says("[stream]"), &session).deadline(Duration::from_millis(10)).await;
    assert!(matches!(too_soon.unwrap_err().cause, Some(Cause::Deadline(_))));
    stage.close(codex).await;
}

async fn more_tokens_than_allowed_end_the_turn(setup: Setup) {
    let stage = setup.play(COSTLY).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let error = codex.evaluate(&costly(), &session).budget(Budget::tokens(1_500)).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Budget, "budget_exceeded"));
    assert!((2_100..2_200).contains(&error.usage.total_tokens()), "one response over: {:?}", error.usage);
    assert!(matches!(error.cause, Some(Cause::Budget(_))));
    assert_eq!(invoked(&session)[0], ("lookup".into(), true));
    stage.close(codex).await;
}

async fn a_shared_budget_is_shared(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let tracker = BudgetTracker::new(Budget::tokens(200)).unwrap();
    codex.evaluate(&says("[stream]"), &session).tracker(&tracker).await.unwrap();
    let over = codex.evaluate(&says("[stream]"), &session).tracker(&tracker).await.unwrap_err();
    assert_eq!((over.phase, over.usage.total_tokens()), (Phase::Budget, 120), "its own part of it");
    assert!(over.text.starts_with("One two three"), "what was said is kept: {over:?}");
    assert_eq!(tracker.consumed().total_tokens(), 240);
    let none_left = codex.evaluate(&says("[stream]"), &session).tracker(&tracker).await.unwrap_err();
    assert_eq!((none_left.phase, none_left.usage.total_tokens()), (Phase::Budget, 0), "nothing begins");
    assert_eq!(told(&session), (2, 1));
    stage.close(codex).await;
}

async fn a_budget_that_is_used_up_lets_nothing_begin(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    let error = codex.evaluate(&says("[stream]"), &session).budget(Budget::tokens(0)).await.unwrap_err();
    assert!(matches!(error.cause, Some(Cause::EmptyBudget(_))), "{error:?}");
    assert_eq!(told(&session), (0, 0));
    stage.close(codex).await;
}

async fn whoever_no_longer_waits_stops_the_turn(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.builder().data_dir(stage.data()).build().await.unwrap();
    let session = Session::new();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let begun = std::sync::Mutex::new(Some(begun));
    let tool = Tool::new("lookup", "Never end.", move |_: Lookup, _: ToolContext| {
        let begun = begun.lock().unwrap().take();
        async move {
            begun.map(|begun| begun.send(()));
            std::future::pending::<()>().await;
            Ok(())
        }
    });
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(tool));
    tokio::select! {
        ended = codex.evaluate(&prompt, &session) => panic!("{ended:?}"),
        begun = has_begun => begun.unwrap(),
    }
    assert_eq!(end(&stage).await.status, Status::Interrupted);
    assert_eq!(session.latest::<ToolInvoked>().unwrap().result.failure, Some(ToolFailure::Cancelled));
    assert_eq!(told(&session), (1, 0));
    stage.close(codex).await;
}

/// How the one message of the one session ended, as another reader of the data directory sees it.
async fn end(stage: &Stage) -> Finished {
    let runtime = Runtime::open_quietly(stage.config()).await.unwrap();
    let sessions = runtime.sessions(&Filter::default()).await.unwrap().items;
    let session = runtime.session(sessions[0].id).await.unwrap();
    let mut events = session.events(0).await.unwrap();
    loop {
        for written in events.next(100).await.unwrap() {
            if let What::MessageFinished(finished) = written.read().unwrap().what {
                runtime.shut_down().await;
                return finished;
            }
        }
    }
}
