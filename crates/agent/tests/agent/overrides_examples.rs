//! Other examples for a prompt's tools: replaced, left out, added, and refused where they do not fit.

use std::fs;

use selvedge_agent::{
    ExampleOverride, OverrideError, OverrideStore, Prompt, PromptOverride, Section, Session, ToolOverride,
};
use serde_json::{Value, json};

use crate::support::{Add, add, total};

fn prompt() -> Prompt {
    let tool =
        add("add").example("1+2", Add { x: 1, y: 2 }, total(3)).example("2+2", Add { x: 2, y: 2 }, total(4));
    Prompt::text("demo", "sums")
        .section(Section::markdown("Math", "math", "Add.").tool(tool))
        .build()
        .unwrap()
}

/// The descriptions of the calls that the model is shown.
fn shown(prompt: &Prompt) -> Vec<String> {
    let text = prompt.render(&Session::new()).unwrap().text().to_owned();
    text.lines().filter_map(|line| line.trim().strip_prefix("- description: ").map(str::to_owned)).collect()
}

fn with(prompt: &Prompt, tool: ToolOverride) -> PromptOverride {
    PromptOverride::new(&prompt.descriptor(), "latest").with(tool)
}

fn add_of(prompt: &Prompt) -> selvedge_agent::ToolDescriptor {
    prompt.descriptor().tool("add").unwrap().clone()
}

#[test]
fn an_example_is_replaced_left_out_and_added() {
    let prompt = prompt();
    let tool = add_of(&prompt);
    assert_eq!(tool.example_hashes.len(), 2);
    let larger =
        ExampleOverride::added("20+20", &Add { x: 20, y: 20 }, total(40)).instead_of(&tool, 1).unwrap();
    let words = with(&prompt, tool.unchanged().example(larger));
    let text = prompt.clone().overridden(&words).unwrap().render(&Session::new()).unwrap().text().to_owned();
    let before = prompt.render(&Session::new()).unwrap().text().to_owned();
    let expected = before
        .replace("2+2", "20+20")
        .replace(r#"{"x": 2, "y": 2}"#, r#"{"x": 20, "y": 20}"#)
        .replace("total=4", "total=40");
    assert_ne!(before, expected);
    assert_eq!(text, expected);

    let more = ExampleOverride::added("0+0", &Add { x: 0, y: 0 }, total(0));
    let fewer = tool.unchanged().example(tool.example_removed(0).unwrap()).example(more);
    assert_eq!(shown(&prompt.clone().overridden(&with(&prompt, fewer)).unwrap()), ["2+2", "0+0"]);
    assert_eq!(tool.example_removed(2), None);
    assert_eq!(shown(&prompt), ["1+2", "2+2"], "a copy keeps its own");
}

#[test]
fn the_later_word_about_an_example_holds() {
    let prompt = prompt();
    let tool = add_of(&prompt);
    let replaced = ExampleOverride::added("3+3", &Add { x: 3, y: 3 }, total(6)).instead_of(&tool, 0).unwrap();
    let words = tool.unchanged().example(tool.example_removed(0).unwrap()).example(replaced);
    assert_eq!(shown(&prompt.clone().overridden(&with(&prompt, words)).unwrap()), ["3+3", "2+2"]);
}

#[test]
fn examples_are_kept_in_the_file_and_can_be_edited_there() {
    let directory = tempfile::tempdir().unwrap();
    let (store, prompt) = (OverrideStore::new(directory.path()), prompt());
    store.seed(&prompt, "latest").unwrap();
    let file = directory.path().join("demo/sums/latest.json");
    assert_eq!(
        shown(&store.apply(prompt.clone(), "latest").unwrap()),
        shown(&prompt),
        "nothing changes by it"
    );
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let examples = &mut json["tools"]["add"]["example_overrides"];
    assert_eq!(examples[0]["input_json"], r#"{"x": 1, "y": 2}"#);
    // As somebody would who has the file before them.
    examples[0]["description"] = json!("one and two");
    examples[1] = json!({"action": "remove", "index": 1, "expected_hash": examples[1]["expected_hash"]});
    fs::write(&file, json.to_string()).unwrap();
    assert_eq!(shown(&store.apply(prompt, "latest").unwrap()), ["one and two"]);
    // What somebody did to an example that the program has changed since is passed over; the rest stays.
    let tool =
        add("add").example("1+2", Add { x: 1, y: 2 }, total(3)).example("9+9", Add { x: 9, y: 9 }, total(18));
    let changed = Prompt::text("demo", "sums").section(Section::markdown("Math", "math", "Add.").tool(tool));
    assert_eq!(shown(&store.apply(changed.build().unwrap(), "latest").unwrap()), ["one and two", "9+9"]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (store, prompt) = (OverrideStore::new(directory.path()), prompt());
    let tool = add_of(&prompt);
    let about = |index: usize, expected_hash: &str| {
        let expected_hash = expected_hash.to_owned();
        tool.unchanged().example(ExampleOverride::Remove { index, expected_hash })
    };
    let stale = store.store(&prompt.descriptor(), "latest", about(0, "0")).unwrap_err();
    assert!(
        matches!(&stale, OverrideError::Stale { what, .. } if what == "example 0 of tool add"),
        "{stale}"
    );
    let unknown = store.store(&prompt.descriptor(), "latest", about(7, &tool.example_hashes[0])).unwrap_err();
    assert!(
        matches!(&unknown, OverrideError::Unknown { what } if what == "example 7 of tool add"),
        "{unknown}"
    );
    for (wrong, why) in [
        (ExampleOverride::added("none", &json!({"x": 1}), total(1)), "missing field `y`"),
        (
            ExampleOverride::Append {
                description: "none".into(),
                input_json: "{".into(),
                output: String::new(),
            },
            "its input is not JSON",
        ),
    ] {
        let error = prompt.clone().overridden(&with(&prompt, tool.unchanged().example(wrong))).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("section math: the tool `add`: the example \"none\" is wrong"), "{error}");
        assert!(error.contains(why), "{error}");
    }
}
