//! What is wrong with a prompt is found when it is built, all of it, each with its section.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use selvedge_agent::{
    Problem, Prompt, PromptBuilder, PromptError, Section, Session, Tool, ToolContext, Visibility,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::support::{Add, Who, ada, add, total};

fn text() -> PromptBuilder<()> {
    Prompt::text("demo", "build")
}

fn markdown(key: &str, template: &str) -> Section {
    Section::markdown("Title", key, template)
}

fn wrong(section: Section) -> PromptError {
    text().section(section).build().unwrap_err()
}

fn told(section: Section) -> String {
    wrong(section).to_string()
}

#[test]
fn namespace_and_key_are_checked_and_normalized() {
    let prompt = Prompt::text(" Demo ", "My.Prompt").build().unwrap();
    assert_eq!((prompt.ns(), prompt.key(), prompt.name()), ("demo", "my.prompt", "demo:my.prompt"));
    assert_eq!(Prompt::text("a", "b").name("called so").build().unwrap().name(), "called so");
    let error = Prompt::text("", "a/b").build().unwrap_err();
    let expected = "prompt :a/b: the namespace is empty\n\
        prompt :a/b: the key cannot be \"a/b\": letters, digits, `.`, `_` and `-` are allowed, at most 64, and the first is a letter or a digit";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_placeholder_that_no_field_fills_is_found_also_in_a_summary_and_deep_inside() {
    let inner = markdown("inner", "$whom").params(ada()).summary("${wo}");
    let error = wrong(markdown("outer", "fine").child(inner));
    let flaws: Vec<_> = error.flaws().iter().map(|flaw| (flaw.section.as_deref(), &flaw.problem)).collect();
    let unknown = |placeholder: &str| Problem::UnknownPlaceholder {
        placeholder: placeholder.to_owned(),
        params: "Who".to_owned(),
        known: "n, who".to_owned(),
    };
    assert_eq!(flaws, [(Some("outer.inner"), &unknown("whom")), (Some("outer.inner"), &unknown("wo"))]);
    let expected = "prompt demo:build, section outer.inner: the text has `${whom}`, and Who has no such field\nhint: it has n, who\n";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn prompt_rejects_placeholders_for_paramless_section() {
    let told = told(markdown("task", "Hello $who"));
    assert!(told.starts_with("prompt demo:build, section task: the text has `${who}`, and the section takes no parameters\nhint: "), "{told}");
}

#[test]
fn a_stray_dollar_is_found() {
    let told = told(markdown("task", "it costs 5$ or so"));
    assert_eq!(
        told,
        "prompt demo:build, section task: `$ or so` is no placeholder\nhint: write `$$` for a dollar"
    );
}

#[test]
fn a_summary_that_is_asked_for_has_to_be_there() {
    let told = told(markdown("task", "x").visibility(Visibility::Summary));
    assert!(told.contains("section task: its summary is asked for, and it has none"), "{told}");
}

#[test]
fn two_sections_cannot_have_one_path() {
    let error =
        text().section(markdown("a", "x").child(markdown("b", "y"))).section(markdown("a.b", "z")).build();
    let error = error.unwrap_err();
    assert_eq!(error.flaws().len(), 1);
    assert_eq!(
        (error.flaws()[0].section.as_deref(), &error.flaws()[0].problem),
        (Some("a.b"), &Problem::SamePath)
    );
}

#[test]
fn tool_names_are_unique_in_the_whole_prompt_also_where_nothing_is_shown() {
    let off = markdown("off", "x").enabled(|_| false).tool(add("add"));
    let summary = markdown("short", "x").summary("y").visibility(Visibility::Summary).tool(add("add"));
    let error = text().section(markdown("on", "x").tool(add("add"))).section(off).section(summary).build();
    let sections: Vec<_> =
        error.unwrap_err().flaws().iter().map(|flaw| flaw.section.clone().unwrap()).collect();
    assert_eq!(sections, ["off", "short"]);
}

#[test]
fn tools_that_cannot_be_are_found() {
    let cases = [
        (add("Add"), "\"Add\" cannot be a tool's name"),
        (add("open_sections"), "the name belongs to a tool that is added"),
        (add("read_section"), "the name belongs to a tool that is added"),
        (Tool::new("t", "", async |(): (), _: ToolContext| Ok(())), "the description is empty"),
        (
            add("t").example("", Add { x: 1, y: 2 }, total(3)),
            "the example \"\" is wrong: the description is empty",
        ),
        (
            add("t").example("typo", json!({"x": 1, "z": 2}), total(3)),
            "the example \"typo\" is wrong: unknown field `z` (known: x, y); missing field `y`",
        ),
    ];
    for (tool, expected) in cases {
        let told = told(markdown("task", "x").tool(tool));
        assert!(
            told.starts_with("prompt demo:build, section task: the tool `") && told.contains(expected),
            "{told}"
        );
    }
}

#[test]
fn keys_and_titles_of_sections_are_checked() {
    let told = told(Section::markdown(" ", "a b", "x"));
    assert!(told.contains("section a b: the key cannot be \"a b\""), "{told}");
    assert!(told.contains("section a b: the title has to be one line of words"), "{told}");
    let error = wrong(Section::markdown("One\n## 2. Other", "a", "x"));
    assert_eq!(error.flaws()[0].problem, Problem::Title);
}

#[test]
fn parameters_are_a_struct_with_fields() {
    #[derive(Serialize, JsonSchema)]
    struct Number(u32);
    let told = told(markdown("task", "x").params(Number(1)));
    assert!(
        told.contains("Number cannot be parameters: they have to be a struct with named fields"),
        "{told}"
    );
}

#[test]
fn binding_what_no_section_takes_is_refused() {
    let error = text().section(markdown("task", "x")).build().unwrap().bind(ada()).unwrap_err();
    assert_eq!(error.to_string(), "prompt demo:build: no section takes parameters of the type Who");
}

#[test]
fn prompt_specialization_requires_a_struct_or_a_list_of_them() {
    let refused = |error: PromptError| matches!(error.flaws()[0].problem, Problem::Output { .. });
    assert!(refused(Prompt::<String>::builder("a", "b").build().unwrap_err()));
    assert!(refused(Prompt::<Vec<u32>>::builder("a", "b").build().unwrap_err()));

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Counts {
        by_name: BTreeMap<String, u32>,
    }
    let error = Prompt::<Counts>::builder("a", "b").build().unwrap_err();
    assert!(
        error.to_string().contains("the output type cannot be asked for: by_name is a map\nhint: "),
        "{error}"
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let section = markdown("task", "$a").tool(add("A")).child(markdown("in", "$").params(ada()));
    let error = Prompt::<String>::builder("demo", "").section(section).build().unwrap_err();
    assert_eq!(error.flaws().len(), 5, "{error}");
}

#[test]
fn prompt_specialization_exposes_output_metadata() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Found {
        name: String,
    }
    let schema = json!({
        "title": "Found", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false,
    });
    let one = Prompt::<Found>::builder("a", "b").build().unwrap();
    assert_eq!(one.output_schema(), Some(&schema));
    assert_eq!(one.render(&Session::new()).unwrap().output_schema(), Some(&schema));
    let inner = schema.as_object().unwrap().iter().filter(|(keyword, _)| *keyword != "title");
    let inner =
        serde_json::Value::Object(inner.map(|(keyword, value)| (keyword.clone(), value.clone())).collect());
    let many = Prompt::<Vec<Found>>::builder("a", "b").build().unwrap();
    assert_eq!(many.output_schema().unwrap()["properties"]["items"]["items"], inner);
    assert_eq!(text().build().unwrap().output_schema(), None);
}

#[test]
fn a_section_that_takes_parameters_says_when_they_are_missing() {
    let prompt = text().section(markdown("task", "$who").takes::<Who>()).build().unwrap();
    let error = prompt.render(&Session::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("prompt demo:build, section task: parameters of the type Who are missing\nhint: "),
        "{error}"
    );
}
