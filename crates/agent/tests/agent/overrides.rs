//! Other words for a prompt: which are taken, which are passed over, and which are refused.

use std::fs;
use std::path::PathBuf;

use selvedge_agent::{OverrideError, OverrideStore, Prompt, PromptOverride, Section, Session, Visibility};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Add, ada, add, total};

/// A prompt whose task reads so.
fn saying(task: &str) -> Prompt {
    let math = Section::markdown("Math", "math", "Add.").tool(add("add").example(
        "1+2",
        Add { x: 1, y: 2 },
        total(3),
    ));
    let fixed = Section::markdown("Law", "law", "Always.").fixed().tool(add("law").fixed());
    let more = Section::markdown("More", "more", "Everything.").summary("A little.");
    Prompt::text("Demo", "words")
        .section(Section::markdown("Task", "task", task).params(ada()).child(math))
        .section(more.visibility(Visibility::Summary))
        .section(fixed)
        .build()
        .unwrap()
}

fn prompt() -> Prompt {
    saying("Greet $who.")
}

fn text(prompt: &Prompt) -> String {
    prompt.render(&Session::new()).unwrap().text().to_owned()
}

fn store() -> (TempDir, OverrideStore, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let store = OverrideStore::new(directory.path());
    let file = directory.path().join("demo/words/latest.json");
    (directory, store, file)
}

/// Other words for the task and the tool of a prompt.
fn words(prompt: &Prompt) -> PromptOverride {
    let descriptor = prompt.descriptor();
    let task = descriptor.section("task").unwrap().replaced_by("\n  Greet $who kindly.\n");
    let tool = descriptor.tool("add").unwrap().described_as("Add kindly.").param("x", "One.");
    PromptOverride::new(&descriptor, "latest").with(task).with(tool)
}

#[test]
fn the_descriptor_has_what_may_be_overridden() {
    let descriptor = prompt().descriptor();
    let sections: Vec<_> = descriptor.sections.iter().map(|it| it.keys.join("/")).collect();
    assert_eq!(sections, ["task", "task/math", "more"]);
    let tools: Vec<_> = descriptor.tools.iter().map(|it| (it.path.as_str(), it.name.as_str())).collect();
    assert_eq!(tools, [("task.math", "add")]);
    let hashes = |prompt: Prompt| prompt.descriptor().sections.into_iter().map(|it| it.content_hash);
    let changed: Vec<bool> =
        hashes(prompt()).zip(hashes(saying("Greet  $who."))).map(|(one, other)| one != other).collect();
    assert_eq!(changed, [true, false, false], "the text as it was written");
}

#[test]
fn words_are_written_read_and_rendered() {
    let (_directory, store, file) = store();
    let prompt = prompt();
    store.upsert(&prompt.descriptor(), &words(&prompt)).unwrap();
    let stored: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let descriptor = prompt.descriptor();
    assert_eq!(
        stored,
        json!({
            "version": 2, "ns": "demo", "prompt_key": "words", "tag": "latest",
            "sections": {"task": {
                "path": ["task"],
                "expected_hash": descriptor.section("task").unwrap().content_hash,
                "body": "\n  Greet $who kindly.\n",
            }},
            "tools": {"add": {
                "expected_contract_hash": descriptor.tool("add").unwrap().contract_hash,
                "description": "Add kindly.",
                "param_descriptions": {"x": "One."},
            }},
            "task_example_overrides": [],
        })
    );
    let before = text(&prompt);
    let after = store.apply(prompt.clone(), "latest").unwrap();
    let expected = before
        .replace("Greet Ada.", "Greet Ada kindly.")
        .replace("add: Add two numbers.", "add: Add kindly.");
    assert_ne!(before, expected);
    assert_eq!(text(&after), expected);
    assert_eq!(text(&prompt), before, "a copy keeps its own words");
    let spec = after.render(&Session::new()).unwrap().specs().remove(0);
    assert_eq!(
        (spec.description.as_str(), &spec.input_schema["properties"]["x"]["description"]),
        ("Add kindly.", &json!("One."))
    );
    store.delete(&descriptor, "latest").unwrap();
    store.delete(&descriptor, "latest").unwrap();
    assert_eq!(text(&store.apply(prompt, "latest").unwrap()), before);
}

#[tokio::test]
async fn summaries_and_visibility_can_be_replaced_too() {
    let (_directory, store, _) = store();
    let prompt = prompt();
    let more = prompt.descriptor().section("more").unwrap().replaced_by("All of it.");
    store.store(&prompt.descriptor(), "short", more.clone().summary("Less.")).unwrap();
    let short = store.apply(prompt.clone(), "short").unwrap();
    assert!(text(&short).contains("Less.\n\n---"), "{}", text(&short));
    let session = Session::new();
    let tools = short.render(&session).unwrap().toolbox(&session);
    let read =
        tools.call(selvedge_agent::ToolCall::new("read_section", json!({"section_key": "more"}))).await;
    assert!(crate::calling::text(&read).contains("All of it."), "{read:?}");
    store.store(&prompt.descriptor(), "Long", more.visibility(Visibility::Full)).unwrap();
    assert!(text(&store.apply(prompt, "long").unwrap()).contains("All of it."));
}

#[test]
fn what_was_written_for_another_text_is_passed_over() {
    let (_directory, store, _) = store();
    let before = prompt();
    store.upsert(&before.descriptor(), &words(&before)).unwrap();
    let changed = saying("Greet $who, and wave.");
    let found = store.resolve(&changed.descriptor(), "latest").unwrap().unwrap();
    assert_eq!((found.sections.len(), found.tools.len()), (0, 1), "what did not change is still fitting");
    assert!(text(&store.apply(changed.clone(), "latest").unwrap()).contains("Greet Ada, and wave."));
    // One more is written: the stale one goes.
    let math = changed.descriptor().section("task.math").unwrap().replaced_by("Add, please.");
    let after = store.store(&changed.descriptor(), "latest", math).unwrap();
    assert_eq!(after.sections.iter().map(|it| it.path.join("/")).collect::<Vec<_>>(), ["task/math"]);
    assert_eq!(text(&store.apply(before, "latest").unwrap()).matches("Greet Ada.").count(), 1);
}

#[test]
fn writing_refuses_what_does_not_fit() {
    let (_directory, store, file) = store();
    let (prompt, other) = (prompt(), saying("Something else."));
    let stale = store.upsert(&prompt.descriptor(), &words(&other)).unwrap_err();
    assert!(matches!(&stale, OverrideError::Stale { what, .. } if what == "section task"), "{stale}");
    let mut fixed = other.descriptor().section("task").unwrap().replaced_by("Never.");
    fixed.path = vec!["law".into()];
    let unknown = store.store(&prompt.descriptor(), "latest", fixed).unwrap_err();
    assert!(matches!(&unknown, OverrideError::Unknown { what } if what == "section law"), "{unknown}");
    let mut tool = prompt.descriptor().tool("add").unwrap().described_as("x");
    tool.expected_contract_hash = "0".repeat(64);
    assert!(matches!(store.store(&prompt.descriptor(), "latest", tool), Err(OverrideError::Stale { .. })));
    let mut foreign = words(&prompt);
    foreign.key = "another".into();
    assert!(matches!(store.upsert(&prompt.descriptor(), &foreign), Err(OverrideError::OtherPrompt { .. })));
    let wrong_tag = store.resolve(&prompt.descriptor(), "../up").unwrap_err();
    assert!(matches!(wrong_tag, OverrideError::Tag { .. }), "{wrong_tag}");
    assert!(!file.exists(), "nothing was written");
}

#[test]
fn words_that_do_not_fit_the_prompt_are_told_with_their_section() {
    let prompt = prompt();
    let descriptor = prompt.descriptor();
    let wrong = PromptOverride::new(&descriptor, "latest")
        .with(descriptor.section("task").unwrap().replaced_by("Greet $whom for 5$."))
        .with(descriptor.section("task.math").unwrap().replaced_by("Add.").visibility(Visibility::Summary))
        .with(descriptor.tool("add").unwrap().described_as("Add.").param("z", "None."));
    let error = prompt.overridden(&wrong).unwrap_err().to_string();
    for expected in ["section task: `$", "section task.math: its summary", "no parameter `z`"] {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let (_directory, store, file) = store();
    let prompt = prompt();
    let good: Value = {
        store.upsert(&prompt.descriptor(), &words(&prompt)).unwrap();
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap()
    };
    let changed = |pointer: &str, value: Value| {
        let mut json = good.clone();
        *json.pointer_mut(pointer).unwrap() = value;
        json.to_string()
    };
    for wrong in [
        "{".to_owned(),
        "[]".to_owned(),
        changed("/version", json!(1)),
        changed("/tag", json!("other")),
        changed("/sections", json!([])),
        changed("/sections/task", json!("x")),
        changed("/sections/task/body", json!(1)),
        changed("/sections/task/expected_hash", json!(null)),
        changed("/tools/add/description", json!(1)),
        changed("/tools/add/param_descriptions/x", json!(1)),
    ] {
        fs::write(&file, &wrong).unwrap();
        let error = store.resolve(&prompt.descriptor(), "latest").unwrap_err();
        assert!(matches!(error, OverrideError::Unreadable { .. }), "{wrong}: {error}");
        assert!(store.seed(&prompt, "latest").is_err(), "{wrong}");
    }
    fs::write(&file, changed("/ns", json!("other"))).unwrap();
    let foreign = store.resolve(&prompt.descriptor(), "latest");
    assert!(matches!(foreign, Err(OverrideError::OtherPrompt { .. })));
    // What may be missing.
    fs::write(&file, changed("/tools", json!(null))).unwrap();
    assert_eq!(store.resolve(&prompt.descriptor(), "latest").unwrap().unwrap().sections.len(), 1);
    fs::write(&file, changed("/tools/add/param_descriptions", json!(null))).unwrap();
    assert_eq!(store.resolve(&prompt.descriptor(), "latest").unwrap().unwrap().tools.len(), 1);
}

#[test]
fn a_prompt_s_own_words_are_seeded_once() {
    let (_directory, store, file) = store();
    let prompt = prompt();
    let seeded = store.seed(&prompt, "latest").unwrap();
    let bodies: Vec<_> = seeded.sections.iter().map(|it| it.body.as_str()).collect();
    assert_eq!(bodies, ["Greet $who.", "Add.", "Everything."]);
    assert_eq!(seeded.tools[0].description.as_deref(), Some("Add two numbers."));
    assert_eq!(text(&store.apply(prompt.clone(), "latest").unwrap()), text(&prompt), "nothing changes by it");
    let edited = fs::read_to_string(&file).unwrap().replace("Greet $who.", "Hail $who.");
    fs::write(&file, edited).unwrap();
    let again = store.seed(&prompt, "latest").unwrap();
    assert!(again.sections.iter().any(|it| it.body == "Hail $who."), "what was edited is kept");
    let stale =
        Prompt::text("demo", "words").section(Section::markdown("Task", "new", "New.")).build().unwrap();
    assert!(matches!(store.seed(&stale, "latest"), Err(OverrideError::AllStale { .. })));
}
