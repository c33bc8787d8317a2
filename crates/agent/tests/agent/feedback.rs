//! What the model is told about its work, with the answers of tools.

use std::fs;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use selvedge_agent::{
    Content, Directory, Feedback, FeedbackContext, FeedbackProvider, FixedFeedback, Prompt, PromptBuilder,
    Section, Session, ToolCall, ToolInvoked, Toolbox, Trigger, Visibility,
};
use serde_json::json;

use crate::calling::act;
use crate::support::add;

/// Says how many calls there were.
struct Count(&'static str);

impl FeedbackProvider for Count {
    fn name(&self) -> &str {
        self.0
    }

    fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
        Some(Feedback::new(format!("{} calls", context.call_count())))
    }
}

fn toolbox(session: &Session, named: impl FnOnce(PromptBuilder<()>) -> PromptBuilder<()>) -> Toolbox {
    let section = Section::markdown("T", "t", "x").tool(act()).tool(add("add"));
    let builder = named(Prompt::text("demo", "feedback").section(section));
    builder.build().unwrap().render(session).unwrap().toolbox(session)
}

/// What the model is told beside the answer of a call that ends so.
async fn told(tools: &Toolbox, how: &str) -> Option<String> {
    let answer = tools.call(ToolCall::new("act", json!({"how": how}))).await;
    match answer.content.as_slice() {
        [Content::Text { .. }] => None,
        [Content::Text { .. }, Content::Text { text }] => Some(text.clone()),
        other => panic!("{other:?}"),
    }
}

fn block(provider: &str, words: &str) -> Option<String> {
    Some(format!("<feedback provider='{provider}'>\n{words}\n</feedback>"))
}

#[tokio::test]
async fn it_comes_every_so_many_calls_with_the_answer_and_is_kept() {
    let session = Session::new();
    let tools = toolbox(&session, |it| it.feedback(Count("Watch"), Trigger::every_calls(2)));
    assert_eq!(told(&tools, "ok").await, None);
    assert_eq!(told(&tools, "ok").await, block("Watch", "2 calls"));
    assert_eq!(told(&tools, "ok").await, None);
    // A call that failed counts, and is told nothing: the next one that succeeds is.
    assert_eq!(told(&tools, "error").await, None);
    assert_eq!(told(&tools, "ok").await, block("Watch", "5 calls"));
    let kept = session.all::<Feedback>();
    let marks: Vec<_> = kept.iter().map(|it| (it.call_index, it.prompt_name.as_str())).collect();
    assert_eq!(marks, [(2, "demo:feedback"), (5, "demo:feedback")]);
    assert!(session.all::<ToolInvoked>().iter().all(|it| !it.rendered_output.contains("<feedback")));
}

#[tokio::test]
async fn codex_s_own_tools_count_and_other_prompts_do_not() {
    let session = Session::new();
    let tools = toolbox(&session, |it| it.feedback(Count("Watch"), Trigger::every_calls(3)));
    assert_eq!(told(&tools, "ok").await, None);
    let call: ToolInvoked = session.latest().unwrap();
    session.append(ToolInvoked { name: "codex:command".into(), ..call.clone() });
    session.append(ToolInvoked { prompt_name: "another".into(), ..call.clone() });
    session.append(Feedback {
        prompt_name: "another".into(),
        provider_name: "Watch".into(),
        call_index: 2,
        ..Feedback::new("x")
    });
    assert_eq!(told(&tools, "ok").await, block("Watch", "3 calls"));
}

#[tokio::test]
async fn each_provider_has_its_own_count_and_all_that_are_due_speak() {
    let session = Session::new();
    let tools = toolbox(&session, |it| {
        it.feedback(Count("Two"), Trigger::every_calls(2)).feedback(Count("Three"), Trigger::every_calls(3))
    });
    let mut heard = Vec::new();
    for _ in 0..6 {
        heard.push(told(&tools, "ok").await);
    }
    let both = format!("{}\n\n{}", block("Two", "6 calls").unwrap(), block("Three", "6 calls").unwrap());
    assert_eq!(
        heard,
        [None, block("Two", "2 calls"), block("Three", "3 calls"), block("Two", "4 calls"), None, Some(both)]
    );
}

#[tokio::test]
async fn it_comes_after_a_time_and_the_first_time_at_once() {
    let session = Session::new();
    let tools = toolbox(&session, |it| it.feedback(Count("Watch"), Trigger::every(Duration::from_secs(60))));
    assert_eq!(told(&tools, "ok").await, block("Watch", "1 calls"));
    assert_eq!(told(&tools, "ok").await, None);
    let said: Feedback = session.latest().unwrap();
    session.seed([Feedback { timestamp: Timestamp::now() - SignedDuration::from_secs(61), ..said }]);
    assert_eq!(told(&tools, "ok").await, block("Watch", "3 calls"));
}

#[tokio::test]
async fn a_file_is_told_of_once() {
    let (session, shelf) = (Session::new(), tempfile::tempdir().unwrap());
    let tools = toolbox(&session, |it| {
        let follow = |words: &str| FixedFeedback::new(words);
        it.feedback(follow("Follow it."), Trigger::file("AGENTS.md"))
            .feedback(follow("Read it."), Trigger::file("README.md").or_every_calls(100))
    });
    let tools = tools.files(&Directory::open(shelf.path()).unwrap());
    let file = |name: &str| shelf.path().join(name);
    assert_eq!(told(&tools, "ok").await, None);
    fs::write(file("AGENTS.md"), "x").unwrap();
    assert_eq!(told(&tools, "ok").await, block("Static", "Follow it."));
    assert_eq!(told(&tools, "ok").await, None);
    fs::remove_file(file("AGENTS.md")).unwrap();
    fs::write(file("AGENTS.md"), "x").unwrap();
    fs::write(file("README.md"), "x").unwrap();
    assert_eq!(told(&tools, "ok").await, block("Static", "Read it."));
    assert_eq!(told(&tools, "ok").await, None);
    // Without files nothing is there.
    let blind =
        toolbox(&Session::new(), |it| it.feedback(FixedFeedback::new("x"), Trigger::file("AGENTS.md")));
    assert_eq!(told(&blind, "ok").await, None);
}

#[tokio::test]
async fn who_has_nothing_to_say_or_panics_harms_nobody() {
    struct Silent;
    impl FeedbackProvider for Silent {
        fn name(&self) -> &'static str {
            "Silent"
        }
        fn provide(&self, _: &FeedbackContext<'_>) -> Option<Feedback> {
            None
        }
    }
    struct Broken;
    impl FeedbackProvider for Broken {
        fn name(&self) -> &'static str {
            "Broken"
        }
        fn provide(&self, _: &FeedbackContext<'_>) -> Option<Feedback> {
            panic!("a provider's mistake")
        }
    }
    let session = Session::new();
    let silent = toolbox(&session, |it| it.feedback(Silent, Trigger::every_calls(1)));
    assert_eq!(told(&silent, "ok").await, None);
    let broken = toolbox(&session, |it| it.feedback(Broken, Trigger::every_calls(1)));
    assert_eq!(told(&broken, "ok").await, None);
    assert!(session.all::<Feedback>().is_empty());
    assert!(session.all::<ToolInvoked>().iter().all(|it| it.result.success));
}

#[tokio::test]
async fn calls_side_by_side_hear_it_once() {
    let session = Session::new();
    let tools = toolbox(&session, |it| it.feedback(Count("Watch"), Trigger::every_calls(4)));
    let (a, b, c, d) =
        tokio::join!(told(&tools, "ok"), told(&tools, "ok"), told(&tools, "ok"), told(&tools, "ok"));
    assert_eq!([a, b, c, d].iter().flatten().count(), 1);
}

#[tokio::test]
async fn a_turn_that_ends_to_open_sections_is_told_nothing() {
    let session = Session::new();
    let hidden = Section::markdown("H", "h", "more").summary("less").visibility(Visibility::Summary);
    let prompt = Prompt::text("demo", "feedback")
        .section(hidden.tool(add("add")))
        .feedback(Count("Watch"), Trigger::every_calls(1))
        .build()
        .unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session);
    let opened = json!({"section_keys": ["h"], "reason": "now"});
    let answer = tools.call(ToolCall::new("open_sections", opened)).await;
    assert_eq!(answer.content.len(), 1);
    assert!(session.all::<Feedback>().is_empty());
}

#[tokio::test]
async fn a_provider_sees_the_newest_calls_of_its_prompt() {
    /// Notes the names of the last two calls, and whether anything was said before.
    struct Recent;
    impl FeedbackProvider for Recent {
        fn name(&self) -> &'static str {
            "Recent"
        }
        fn provide(&self, context: &FeedbackContext<'_>) -> Option<Feedback> {
            assert!(context.recent_calls(0).is_empty());
            let names: Vec<String> = context.recent_calls(2).into_iter().map(|call| call.name).collect();
            let before = context.last_feedback(None).map_or("nothing".to_owned(), |it| it.summary);
            let since = context.calls_since_feedback(None);
            Some(Feedback::new(format!("{} after {before}, {since} calls", names.join(" and "))))
        }
    }
    let session = Session::new();
    let tools = toolbox(&session, |it| it.feedback(Recent, Trigger::every_calls(1)));
    let first = "act after nothing, 1 calls";
    assert_eq!(told(&tools, "ok").await, block("Recent", first));
    let call: ToolInvoked = session.latest().unwrap();
    session.append(ToolInvoked { prompt_name: "another".into(), ..call.clone() });
    session.append(ToolInvoked { name: "codex:command".into(), ..call });
    let second = format!("codex:command and act after {first}, 2 calls");
    assert_eq!(told(&tools, "ok").await, block("Recent", &second));
}
