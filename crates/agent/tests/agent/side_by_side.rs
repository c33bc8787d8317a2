//! Calls side by side, within each other, and left behind: each undoes its own and nothing else.

use std::sync::Arc;

use schemars::JsonSchema;
use selvedge_agent::{Session, Tool, ToolCall, ToolContext, ToolError, ToolFailure, ToolInvoked};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{Barrier, Notify};

use crate::calling::{act, toolbox};
use crate::sessions::{Count, Plan, plan};

#[tokio::test]
async fn calls_side_by_side_keep_their_own_and_undo_only_their_own() {
    #[derive(Deserialize, JsonSchema)]
    struct Number {
        n: u32,
    }
    let session = Session::new();
    let together = Arc::new(Barrier::new(10));
    let tool = Tool::new("work", "Write, and fail if odd.", move |params: Number, context: ToolContext| {
        let together = together.clone();
        async move {
            context.session().append(plan("n", params.n));
            context.session().update(|it: &mut Count| it.0 += 1);
            // All ten have written before any of them ends.
            together.wait().await;
            if params.n.is_multiple_of(2) { Ok(params.n) } else { Err(ToolError::new("odd")) }
        }
    });
    let tools = Arc::new(toolbox(&session, [tool]));
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..10 {
        let tools = tools.clone();
        calls.spawn(async move { tools.call(ToolCall::new("work", json!({"n": n}))).await.success });
    }
    let successes = calls.join_all().await.into_iter().filter(|success| *success).count();
    assert_eq!(successes, 5);
    let mut kept: Vec<u32> = session.all::<Plan>().iter().map(|it| it.step).collect();
    kept.sort_unstable();
    assert_eq!((kept, session.latest::<Count>()), (vec![0, 2, 4, 6, 8], Some(Count(5))));
    assert_eq!(session.all::<ToolInvoked>().len(), 10);
}

#[tokio::test]
async fn a_task_that_a_handler_left_behind_writes_nothing() {
    let session = Session::new();
    let (go, gone) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (started, ended) = (go.clone(), gone.clone());
    let tasks = Arc::new(std::sync::Mutex::new(tokio::task::JoinSet::new()));
    let tool = Tool::new("leave", "Leave a task behind.", move |(): (), context: ToolContext| {
        let (go, gone) = (started.clone(), ended.clone());
        tasks.lock().unwrap().spawn(async move {
            go.notified().await;
            context.session().append(plan("late", 1));
            gone.notify_one();
        });
        async { Ok(()) }
    });
    let tools = toolbox(&session, [tool]);
    assert!(tools.call(ToolCall::new("leave", json!({}))).await.success);
    go.notify_one();
    gone.notified().await;
    assert!(session.all::<Plan>().is_empty());
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_undone_and_told() {
    let session = Session::new();
    let tools = toolbox(&session, [act()]);
    {
        let mut call = Box::pin(tools.call(ToolCall::new("act", json!({"how": "wait"})).id("c")));
        let waker = std::task::Waker::noop();
        assert!(call.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    }
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.result.failure, told.call_id.as_deref()), (Some(ToolFailure::Cancelled), Some("c")));
    assert!(session.all::<Plan>().is_empty());
}

#[tokio::test]
async fn a_call_within_a_call_is_undone_with_it_and_still_told() {
    let session = Session::new();
    let outer = Tool::new("outer", "Call another tool, then fail.", async |(): (), context: ToolContext| {
        let inner = toolbox(context.session(), [act()]);
        assert!(inner.call(ToolCall::new("act", json!({"how": "ok"}))).await.success);
        assert_eq!(context.session().all::<Plan>().len(), 1);
        Err::<(), _>(ToolError::new("after all"))
    });
    assert!(!toolbox(&session, [outer]).call(ToolCall::new("outer", json!({}))).await.success);
    assert!(session.all::<Plan>().is_empty());
    let told: Vec<_> =
        session.all::<ToolInvoked>().iter().map(|it| (it.name.clone(), it.result.success)).collect();
    assert_eq!(told, [("act".to_owned(), true), ("outer".to_owned(), false)]);
}

#[tokio::test]
async fn sequential_operations_isolation() {
    let session = Session::new();
    let tools = toolbox(&session, [act()]);
    for how in ["ok", "error", "ok"] {
        tools.call(ToolCall::new("act", json!({"how": how}))).await;
    }
    assert_eq!(&*session.all::<Plan>(), [plan("ok", 1), plan("ok", 1)]);
}
