//! WINK's cases for budgets.

use std::time::Duration;

use super::*;
use crate::deadline::Deadline;

fn used(input: u64, output: u64) -> TokenUsage {
    TokenUsage { input_tokens: input, output_tokens: output, ..TokenUsage::default() }
}

fn tracker(budget: Budget) -> BudgetTracker {
    BudgetTracker::new(budget).unwrap()
}

fn exceeded(budget: Budget, usage: TokenUsage) -> Option<Dimension> {
    let tracker = tracker(budget);
    tracker.spending().set(usage);
    tracker.check().err().map(|error| error.dimension)
}

#[test]
fn budget_rejects_zero() {
    let refused = |budget| BudgetTracker::new(budget).unwrap_err().dimension;
    assert_eq!(refused(Budget::tokens(0)), Dimension::TotalTokens);
    assert_eq!(refused(Budget::tokens(1).and_input_tokens(0)), Dimension::InputTokens);
    assert_eq!(refused(Budget::output_tokens(0)), Dimension::OutputTokens);
}

#[test]
fn each_limit_is_passed_by_more_than_it() {
    let cases = [
        (Budget::tokens(10), used(6, 4), None),
        (Budget::tokens(10), used(6, 5), Some(Dimension::TotalTokens)),
        (Budget::input_tokens(10), used(10, 999), None),
        (Budget::input_tokens(10), used(11, 0), Some(Dimension::InputTokens)),
        (Budget::output_tokens(10), used(999, 10), None),
        (Budget::output_tokens(10), used(0, 11), Some(Dimension::OutputTokens)),
        // The first in the order input, output, total is named.
        (
            Budget::tokens(1).and_output_tokens(1).and_input_tokens(1),
            used(2, 2),
            Some(Dimension::InputTokens),
        ),
        (Budget::tokens(1).and_output_tokens(1), used(2, 2), Some(Dimension::OutputTokens)),
    ];
    for (budget, usage, expected) in cases {
        assert_eq!(exceeded(budget, usage), expected, "{budget:?} {usage:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn tracker_check_raises_when_deadline_expired() {
    let deadline = Deadline::after(Duration::from_secs(5)).unwrap();
    let tracker = tracker(Budget::until(deadline).and_tokens(1));
    assert_eq!(tracker.check(), Ok(()));
    tracker.spending().set(used(9, 9));
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(tracker.check().unwrap_err().dimension, Dimension::Deadline);
}

#[test]
fn tracker_replaces_usage_for_same_conversation_and_sums_across() {
    let tracker = tracker(Budget::tokens(100));
    let shared = tracker.clone();
    let (one, other) = (tracker.spending(), shared.spending());
    one.set(used(10, 1));
    one.set(used(20, 2));
    one.set(used(20, 2));
    other.set(used(5, 5));
    drop((one, other));
    assert_eq!((tracker.consumed(), shared.consumed()), (used(25, 7), used(25, 7)));
}

#[test]
fn error_str_representation() {
    let tracker = tracker(Budget::tokens(10));
    tracker.spending().set(used(20, 1));
    let error = tracker.check().unwrap_err();
    assert_eq!(error.to_string(), "the budget is exceeded: 21 tokens were used, 10 were allowed");
    assert_eq!((error.budget, error.consumed), (Budget::tokens(10), used(20, 1)));
}

#[test]
fn tracker_thread_safety() {
    let tracker = tracker(Budget::tokens(1_000_000));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let spending = tracker.spending();
            scope.spawn(move || (1..=1000).for_each(|total| spending.set(used(total, 0))));
        }
    });
    assert_eq!(tracker.consumed(), used(8000, 0));
}
