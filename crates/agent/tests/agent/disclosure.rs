//! What is summarized can be read, or opened and rendered again.

use selvedge_agent::{
    Content, Expansion, Prompt, Section, Session, Tool, ToolAnswer, ToolCall, Toolbox, Visibility,
};
use serde_json::{Value, json};

use crate::support::{ada, add};

fn markdown(key: &str, template: &str) -> Section {
    Section::markdown("T", key, template)
}

fn short(key: &str, template: &str) -> Section {
    markdown(key, template).summary(format!("{key} in short")).visibility(Visibility::Summary)
}

/// `open` is summarized and has tools, `read` is summarized and has none, `full` is shown.
fn prompt() -> Prompt {
    let nested = short("nested", "nested text").child(markdown("leaf", "leaf text"));
    let off = markdown("off", "off text").enabled(|_| false);
    Prompt::text("demo", "disclosure")
        .section(
            short("open", "open text").tool(add("add")).child(markdown("in", "in text").tool(add("in_add"))),
        )
        .section(
            short("read", "read $who")
                .params(ada())
                .child(nested)
                .child(off)
                .child(markdown("plain", "plain text")),
        )
        .section(markdown("full", "full text"))
        .build()
        .unwrap()
}

fn toolbox(session: &Session) -> Toolbox {
    prompt().render(session).unwrap().toolbox(session)
}

async fn call(tools: &Toolbox, tool: &str, arguments: Value) -> (bool, String) {
    let ToolAnswer { success, content } = tools.call(ToolCall::new(tool, arguments)).await;
    let [Content::Text { text }] = content.as_slice() else { panic!("{content:?}") };
    (success, text.clone())
}

async fn read(tools: &Toolbox, key: &str) -> (bool, String) {
    call(tools, "read_section", json!({"section_key": key})).await
}

async fn open(tools: &Toolbox, keys: &[&str]) -> (bool, String) {
    call(tools, "open_sections", json!({"section_keys": keys, "reason": "to see"})).await
}

#[tokio::test]
async fn read_section_returns_rendered_content_with_children_as_they_are_shown() {
    let session = Session::new();
    let tools = toolbox(&session);
    let expected = "## 2. T (read)\n\nread Ada\n\n### 2.1. T (read.nested)\n\nnested in short\n\n---\n[This section is summarized. Call `read_section` \
        with key \"read.nested\" to view full content including subsections: leaf.]\n\n### 2.3. T (read.plain)\n\nplain text";
    assert_eq!(read(&tools, "read").await, (true, expected.to_owned()));
    let nested = "### 2.1. T (read.nested)\n\nnested text\n\n#### 2.1.1. T (read.nested.leaf)\n\nleaf text";
    assert_eq!(read(&tools, " Read.Nested ").await, (true, nested.to_owned()));
    assert_eq!(tools.take_expansion(), None);
    assert_eq!(session.visibility("read"), None);
}

#[tokio::test]
async fn read_section_rejects_what_is_not_there_or_not_summarized() {
    let tools = toolbox(&Session::new());
    let missing = "there is no section `x`; summarized are: open, open.in, read, read.nested, read.nested.leaf, read.plain";
    assert_eq!(read(&tools, "x").await, (false, missing.to_owned()));
    assert_eq!(read(&tools, "full").await, (false, "section `full` is shown in full already".to_owned()));
    assert!(read(&tools, "read.off").await.1.starts_with("there is no section `read.off`;"));
}

#[tokio::test]
async fn open_sections_sets_the_session_and_asks_for_a_new_rendering() {
    let session = Session::new();
    let tools = toolbox(&session);
    let text = "Sections expanded: open. The prompt will be re-rendered with the full content of the requested sections.";
    assert_eq!(open(&tools, &["open", "full"]).await, (true, text.to_owned()));
    let expected = Expansion { sections: vec!["open".into()], reason: "to see".into() };
    assert_eq!(tools.take_expansion(), Some(expected));
    assert_eq!(tools.take_expansion(), None);
    let rendered = prompt().render(&session).unwrap();
    assert!(
        rendered
            .text()
            .starts_with("## 1. T (open)\n\nopen text\n\n### 1.1. T (open.in)\n\nin text\n\n## 2.")
    );
    assert_eq!(rendered.tools().map(Tool::name).collect::<Vec<_>>(), ["add", "in_add", "read_section"]);
}

#[tokio::test]
async fn opening_what_lies_in_a_summary_opens_the_way_to_it() {
    let session = Session::new();
    let (success, _) = open(&toolbox(&session), &["read.nested.leaf"]).await;
    assert!(success);
    let rendered = prompt().render(&session).unwrap();
    assert!(rendered.text().contains("#### 2.1.1. T (read.nested.leaf)\n\nleaf text"), "{rendered}");
}

#[tokio::test]
async fn open_sections_rejects_nothing_the_unknown_and_the_open() {
    let session = Session::new();
    let tools = toolbox(&session);
    assert_eq!(open(&tools, &[]).await, (false, "name at least one section".to_owned()));
    assert!(open(&tools, &["open", "x"]).await.1.starts_with("there is no section `x`;"));
    assert_eq!(open(&tools, &["full"]).await, (false, "shown in full already: full".to_owned()));
    assert_eq!((tools.take_expansion(), session.visibility("open")), (None, None));
}

#[tokio::test]
async fn two_calls_in_one_turn_both_get_what_they_asked_for() {
    let session = Session::new();
    let tools = toolbox(&session);
    let (one, other) = tokio::join!(open(&tools, &["open"]), open(&tools, &["read"]));
    assert!(one.0 && other.0);
    // Both look at what this rendering shows, so the second is no mistake of the model.
    assert!(open(&tools, &["open"]).await.0);
    let sections = tools.take_expansion().unwrap().sections;
    assert_eq!(sections, ["open", "read"]);
    assert_eq!(session.visibility("read"), Some(Visibility::Full));
}

#[test]
fn tools_for_summaries_are_added_as_they_are_needed() {
    let names = |sections: Vec<Section>| {
        let builder = sections.into_iter().fold(Prompt::text("a", "b"), |builder, it| builder.section(it));
        let rendered = builder.build().unwrap().render(&Session::new()).unwrap();
        rendered.tools().map(|tool| tool.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(vec![markdown("a", "x")]), Vec::<String>::new());
    assert_eq!(names(vec![short("a", "x")]), ["read_section"]);
    assert_eq!(names(vec![short("a", "x").child(markdown("b", "y").tool(add("t")))]), ["open_sections"]);
    assert_eq!(
        names(vec![short("a", "x").tool(add("t")), short("b", "y")]),
        ["open_sections", "read_section"]
    );
    let off = markdown("b", "y").tool(add("t")).enabled(|_| false);
    assert_eq!(names(vec![short("a", "x").child(off)]), ["read_section"]);
}

#[test]
fn overrides_survive_a_snapshot_as_json() {
    let session = Session::new();
    session.set_visibility("a.b", Visibility::Full);
    let json = session.snapshot().to_json().unwrap();
    let other = Session::new();
    other.restore(&selvedge_agent::Snapshot::from_json(&json).unwrap()).unwrap();
    assert_eq!(other.visibility("a.b"), Some(Visibility::Full));
    other.clear_all_visibility();
    assert_eq!(other.visibility("a.b"), None);
}
