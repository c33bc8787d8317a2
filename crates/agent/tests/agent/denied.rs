//! A policy that says no: nothing runs, nothing is kept, and the model learns why.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use selvedge_agent::{Asked, Decision, Policy, Prompt, Section, Session, ToolCall, ToolFailure};
use serde_json::json;

use crate::calling::{act, failed};
use crate::sessions::{Plan, plan};
use crate::support::add;

/// Says no to everything, and counts.
struct No(&'static str, Arc<AtomicUsize>);

impl Policy for No {
    fn name(&self) -> &str {
        self.0
    }

    fn check(&self, asked: &Asked<'_>) -> Decision {
        self.1.fetch_add(1, Ordering::Relaxed);
        asked.context.session().append(plan("a policy's", 1));
        if self.0 == "panics" { panic!("a policy's mistake") } else { Decision::deny(self.0) }
    }

    fn succeeded(&self, _: &Asked<'_>) {
        panic!("nothing succeeded");
    }
}

#[tokio::test]
async fn denying_policy_prevents_handler_execution_and_the_section_s_is_asked_first() {
    let asked = Arc::new(AtomicUsize::new(0));
    let no = |name| No(name, asked.clone());
    let session = Session::new();
    let prompt = Prompt::text("a", "b")
        .section(Section::markdown("T", "one", "x").tool(act()).policy(no("the section's")))
        .section(Section::markdown("T", "two", "x").tool(add("add")))
        .policy(no("the prompt's"))
        .build()
        .unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session);
    let answer = tools.call(ToolCall::new("act", json!({"how": "ok"}))).await;
    assert_eq!(failed(&answer, &session), ("the section's".to_owned(), ToolFailure::Denied));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let answer = tools.call(ToolCall::new("add", json!({"x": 1, "y": 2}))).await;
    assert_eq!(failed(&answer, &session).0, "the prompt's");
    assert!(session.all::<Plan>().is_empty());
}

#[tokio::test]
async fn a_policy_without_words_or_with_a_panic_still_says_no() {
    for (name, expected) in
        [("", "Denied by policy."), ("panics", "Error: the tool panicked: a policy's mistake")]
    {
        let session = Session::new();
        let section = Section::markdown("T", "t", "x").tool(act()).policy(No(name, Arc::default()));
        let prompt = Prompt::text("a", "b").section(section).build().unwrap();
        let tools = prompt.render(&session).unwrap().toolbox(&session);
        let answer = tools.call(ToolCall::new("act", json!({"how": "ok"}))).await;
        assert_eq!(failed(&answer, &session).0, expected);
        assert!(session.all::<Plan>().is_empty());
    }
}
