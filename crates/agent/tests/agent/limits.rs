//! Nothing runs longer than it may: a tool's own limit, the deadline, the budget.

use std::time::Duration;

use selvedge_agent::{Budget, BudgetTracker, Deadline, Session, TokenUsage, ToolCall, ToolFailure};
use serde_json::json;

use crate::calling::{act, failed, toolbox};
use crate::sessions::Plan;

#[tokio::test(start_paused = true)]
async fn a_handler_has_its_time_limit() {
    let session = Session::new();
    let tools = toolbox(&session, [act().time_limit(Duration::from_secs(5))]);
    let answer = tools.call(ToolCall::new("act", json!({"how": "wait"}))).await;
    assert_eq!(
        failed(&answer, &session),
        ("Error: the tool took longer than 5s".to_owned(), ToolFailure::TimedOut)
    );
    assert!(session.all::<Plan>().is_empty());
}

#[tokio::test(start_paused = true)]
async fn nothing_runs_after_the_deadline() {
    let session = Session::new();
    let deadline = Deadline::after(Duration::from_secs(2)).unwrap();
    let tools = toolbox(&session, [act()]).deadline(deadline);
    let expected = ("Error: the deadline has passed".to_owned(), ToolFailure::TooLate);
    assert_eq!(failed(&tools.call(ToolCall::new("act", json!({"how": "wait"}))).await, &session), expected);
    assert!(deadline.has_passed());
    assert_eq!(failed(&tools.call(ToolCall::new("act", json!({"how": "ok"}))).await, &session), expected);
    assert!(session.all::<Plan>().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_earlier_of_two_deadlines_holds() {
    let deadline = |seconds| Deadline::after(Duration::from_secs(seconds)).unwrap();
    for (own, of_the_budget) in [(2, 30), (30, 2)] {
        let session = Session::new();
        let tracker = BudgetTracker::new(Budget::until(deadline(of_the_budget))).unwrap();
        let tools = toolbox(&session, [act()]).deadline(deadline(own)).budget(tracker);
        let began = tokio::time::Instant::now();
        let answer = tools.call(ToolCall::new("act", json!({"how": "wait"}))).await;
        assert_eq!(failed(&answer, &session).1, ToolFailure::TooLate);
        assert_eq!(began.elapsed().as_secs(), 2);
    }
}

#[tokio::test]
async fn a_limit_that_no_clock_can_hold_is_none() {
    let session = Session::new();
    let tools = toolbox(&session, [act().time_limit(Duration::MAX)]);
    assert!(tools.call(ToolCall::new("act", json!({"how": "ok"}))).await.success);
}

#[tokio::test]
async fn nothing_runs_once_the_budget_is_used_up() {
    let session = Session::new();
    let tracker = BudgetTracker::new(Budget::tokens(10)).unwrap();
    let spending = tracker.spending();
    let tools = toolbox(&session, [act()]).budget(tracker);
    spending.set(TokenUsage { input_tokens: 10, ..TokenUsage::default() });
    assert!(tools.call(ToolCall::new("act", json!({"how": "ok"}))).await.success);
    spending.set(TokenUsage { input_tokens: 11, ..TokenUsage::default() });
    let answer = tools.call(ToolCall::new("act", json!({"how": "ok"}))).await;
    let expected = "Error: the budget is exceeded: 11 tokens were used, 10 were allowed";
    assert_eq!(failed(&answer, &session), (expected.to_owned(), ToolFailure::TooLate));
    assert_eq!(session.all::<Plan>().len(), 1);
}
