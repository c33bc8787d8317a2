//! What is rendered for which parameters, predicates and sessions.

use schemars::JsonSchema;
use selvedge_agent::{Problem, Prompt, RenderContext, Section, Session, Slice, Tool, Visibility};
use serde::{Deserialize, Serialize};

use crate::support::{Who, ada, add};

fn markdown(key: &str, template: &str) -> Section {
    Section::markdown("T", key, template)
}

fn prompt(sections: impl IntoIterator<Item = Section>) -> Prompt {
    let builder =
        sections.into_iter().fold(Prompt::text("demo", "render"), |builder, it| builder.section(it));
    builder.build().unwrap()
}

fn rendered(prompt: &Prompt) -> String {
    prompt.render(&Session::new()).unwrap().text().to_owned()
}

fn who(who: &str) -> Who {
    Who { who: who.into(), n: 1 }
}

#[test]
fn parameters_are_the_bound_ones_then_the_section_s_then_the_first_of_their_type() {
    let prompt = prompt([
        markdown("a", "$who").takes::<Who>(),
        markdown("b", "$who").params(who("first")),
        markdown("c", "$who").params(who("second")),
    ]);
    assert_eq!(rendered(&prompt), "## 1. T (a)\n\nfirst\n\n## 2. T (b)\n\nfirst\n\n## 3. T (c)\n\nsecond");
    let bound = prompt.clone().bind(who("bound")).unwrap();
    assert_eq!(rendered(&bound).matches("bound").count(), 3);
    let again = bound.clone().bind(who("again")).unwrap();
    assert_eq!(rendered(&again).matches("again").count(), 3);
    // A copy's bindings are its own.
    assert_eq!(rendered(&bound).matches("bound").count(), 3);
    assert_eq!(rendered(&prompt).matches("first").count(), 2);
}

#[test]
fn values_stand_in_the_text_as_they_are() {
    #[derive(Serialize, JsonSchema)]
    struct Values {
        text: String,
        number: f64,
        flag: bool,
        none: Option<u32>,
        list: Vec<u32>,
    }
    let values = Values { text: "$x `${y}`".into(), number: 1.5, flag: true, none: None, list: vec![1, 2] };
    let prompt = prompt([markdown("a", "$text|$number|$flag|$none|$list").params(values)]);
    assert_eq!(rendered(&prompt), "## 1. T (a)\n\n$x `${y}`|1.5|true||[1,2]");
}

#[test]
fn a_field_that_was_not_serialized_is_told() {
    #[derive(Serialize, JsonSchema)]
    struct Maybe {
        #[serde(skip_serializing_if = "Option::is_none")]
        it: Option<String>,
    }
    let error =
        prompt([markdown("a", "$it").params(Maybe { it: None })]).render(&Session::new()).unwrap_err();
    assert_eq!(error.flaws()[0].problem, Problem::MissingValue { placeholder: "it".to_owned() });
    assert_eq!(error.flaws()[0].section.as_deref(), Some("a"));
}

#[test]
fn sections_nest_and_are_numbered_in_their_order() {
    let deep = markdown("b", "B").child(markdown("c", "C").child(markdown("d", "D")));
    let prompt = prompt([markdown("a", "A").child(deep).child(markdown("e", "E")), markdown("f", "F")]);
    let expected = "## 1. T (a)\n\nA\n\n### 1.1. T (a.b)\n\nB\n\n#### 1.1.1. T (a.b.c)\n\nC\n\n##### 1.1.1.1. T (a.b.c.d)\n\nD\n\n\
                    ### 1.2. T (a.e)\n\nE\n\n## 2. T (f)\n\nF";
    assert_eq!(rendered(&prompt), expected);
}

#[test]
fn a_section_without_text_is_its_heading() {
    assert_eq!(
        rendered(&prompt([markdown("a", "  \n"), markdown("b", "B")])),
        "## 1. T (a)\n\n## 2. T (b)\n\nB"
    );
    assert_eq!(rendered(&prompt([])), "");
}

#[test]
fn prompt_render_skips_disabled_parent_and_children_with_their_tools() {
    let off = markdown("off", "x").enabled(|_| false).child(markdown("in", "y").tool(add("add")));
    let prompt = prompt([off, markdown("on", "z")]);
    let rendered = prompt.render(&Session::new()).unwrap();
    assert_eq!(rendered.text(), "## 2. T (on)\n\nz");
    assert_eq!(rendered.tools().count(), 0);
}

#[derive(Clone, Serialize, Deserialize)]
struct Stage(u32);

impl Slice for Stage {
    const NAME: &'static str = "stage";
}

#[test]
fn predicates_see_the_session_and_the_parameters() {
    let many = |context: &RenderContext<'_>| context.params::<Who>().is_some_and(|it| it.n > 2);
    let late = |context: &RenderContext<'_>| context.session().latest::<Stage>().is_some_and(|it| it.0 > 1);
    let prompt =
        prompt([markdown("a", "$who").params(who("x")).enabled(many), markdown("b", "late").enabled(late)]);
    assert_eq!(rendered(&prompt), "");
    assert_eq!(rendered(&prompt.clone().bind(ada()).unwrap()), "## 1. T (a)\n\nAda");
    let session = Session::new();
    session.append(Stage(2));
    assert_eq!(prompt.render(&session).unwrap().text(), "## 2. T (b)\n\nlate");
}

#[test]
fn visibility_is_the_session_s_then_the_section_s() {
    let short = |visibility| markdown("a", "long").summary("short").visibility(visibility);
    let is_long =
        |prompt: &Prompt, session: &Session| prompt.render(session).unwrap().text().contains("long");
    let session = Session::new();
    let (full, summary) = (prompt([short(Visibility::Full)]), prompt([short(Visibility::Summary)]));
    assert!(is_long(&full, &session) && !is_long(&summary, &session));
    session.set_visibility("a", Visibility::Summary);
    assert!(!is_long(&full, &session));
    session.set_visibility("a", Visibility::Full);
    assert!(is_long(&summary, &session));
    session.clear_visibility("a");
    assert!(is_long(&full, &session) && !is_long(&summary, &session));
}

#[test]
fn visibility_can_be_chosen_when_it_is_rendered() {
    let choose = |context: &RenderContext<'_>| {
        if context.params::<Who>().is_some_and(|it| it.n > 2) {
            Visibility::Full
        } else {
            Visibility::Summary
        }
    };
    let prompt = prompt([markdown("a", "long").params(who("x")).summary("short").visibility_when(choose)]);
    assert!(rendered(&prompt).contains("short"));
    assert!(rendered(&prompt.bind(ada()).unwrap()).contains("long"));
}

#[test]
fn a_summary_that_only_the_session_asks_for_is_told_when_it_is_missing() {
    let session = Session::new();
    session.set_visibility("a", Visibility::Summary);
    let error = prompt([markdown("a", "x")]).render(&session).unwrap_err();
    assert_eq!(
        (error.flaws()[0].section.as_deref(), &error.flaws()[0].problem),
        (Some("a"), &Problem::NoSummary)
    );
}

#[test]
fn a_summary_leaves_out_children_and_tools_and_nothing_else() {
    let inner = markdown("in", "inner").tool(add("inner_add"));
    let short = markdown("a", "long").summary("n is $n").params(ada()).visibility(Visibility::Summary);
    let prompt = prompt([short.tool(add("add")).child(inner), markdown("b", "after").tool(add("kept"))]);
    let rendered = prompt.render(&Session::new()).unwrap();
    let expected = "## 1. T (a)\n\nn is 3\n\n---\n[This section is summarized. Call `open_sections` with key \"a\" \
                    to view full content including subsections: in.]\n\n## 2. T (b)\n\nafter";
    assert_eq!(rendered.text(), expected);
    assert_eq!(rendered.tools().map(Tool::name).collect::<Vec<_>>(), ["kept", "open_sections"]);
}

#[test]
fn examples_of_several_tools_stand_in_one_block() {
    let tool = add("add").example("1", crate::support::Add { x: 1, y: 1 }, "two\nlines").example(
        "2",
        serde_json::json!({"x": 2, "y": 2}),
        4,
    );
    let prompt = prompt([markdown("a", "").tool(add("plain")).tool(tool)]);
    let expected = "## 1. T (a)\n\nTools:\n- add: Add two numbers.\n  - add examples:\n    - description: 1\n      input:\n        ```json\n        \
        {\"x\": 1, \"y\": 1}\n        ```\n      output:\n        ```\n        two\n        lines\n        ```\n    - description: 2\n      input:\n        ```json\n        \
        {\"x\": 2, \"y\": 2}\n        ```\n      output:\n        ```\n        4\n        ```";
    assert_eq!(rendered(&prompt), expected);
}
