//! WINK's golden rendering, byte for byte.

use selvedge_agent::{Prompt, Section, Session, Visibility};

use crate::support::{Add, ada, add, total};

const GOLDEN: &str = r#"## 1. Task (task)

Hello Ada, n=3, cost $5.

  keep indent

### 1.1. Details (task.details)

Some details.
  - indented

## 3. Ref (ref)

Ref summary.

---
[This section is summarized. Call `read_section` with key "ref" to view full content including subsections: deep.]

## 4. Math (math)

Use add.

Tools:
- add: Add two numbers.
  - add examples:
    - description: 1+2
      input:
        ```json
        {"x": 1, "y": 2}
        ```
      output:
        ```
        total=3
        ```

## 5. Hidden Tools (hidden-tools)

Tools here.

---
[This section is summarized. To view full content, call `open_sections` with key "hidden-tools".]"#;

fn prompt() -> Prompt {
    let task = "\n    Hello ${who}, n=$n, cost $$5.\n\n      keep indent\n    ";
    let details = Section::markdown("Details", "details", "Some details.\n  - indented");
    let deep = Section::markdown("Deep", "deep", "Deep text.");
    let summarized =
        |section: Section, summary: &str| section.summary(summary).visibility(Visibility::Summary);
    Prompt::text("demo", "golden")
        .section(Section::markdown("Task", "task", task).params(ada()).child(details))
        .section(Section::markdown("Off", "off", "never").enabled(|_| false))
        .section(summarized(Section::markdown("Ref", "ref", "Full ref text").child(deep), "Ref summary."))
        .section(Section::markdown("Math", "math", "Use add.").tool(add("add").example(
            "1+2",
            Add { x: 1, y: 2 },
            total(3),
        )))
        .section(summarized(
            Section::markdown("Hidden Tools", "hidden-tools", "Full tools text").tool(add("add2")),
            "Tools here.",
        ))
        .build()
        .unwrap()
}

#[test]
fn the_text_is_the_reference_s() {
    let rendered = prompt().render(&Session::new()).unwrap();
    assert_eq!(rendered.text(), GOLDEN);
    assert_eq!(rendered.to_string(), GOLDEN);
}

#[test]
fn the_tools_are_the_reference_s() {
    let rendered = prompt().render(&Session::new()).unwrap();
    let names: Vec<&str> = rendered.tools().map(selvedge_agent::Tool::name).collect();
    assert_eq!(names, ["add", "open_sections", "read_section"]);
}

#[test]
fn the_hashes_are_the_reference_s() {
    let descriptor = prompt().descriptor();
    let hash = |path: &str| {
        let section = descriptor.sections.iter().find(|section| section.path == path);
        section.map(|section| section.content_hash.clone()).unwrap()
    };
    assert_eq!(hash("task.details"), "f868861ecdb30ea01124f500e4bcda86aeae2d0c5659a6d88da7b467a0c5ada3");
    assert_eq!(hash("off"), "6497e4b3d7bed16979a343a7db4efa6d57725529f5ac3cec45c1f08fabcbdafc");
    assert_eq!(hash("ref"), "c2c9ba827af2cb390f98f80d0850907d55f9a871af51443398caa8b843b1c2ee");
    let numbers: Vec<&str> = descriptor.sections.iter().map(|section| section.number.as_str()).collect();
    assert_eq!(numbers, ["1", "1.1", "2", "3", "3.1", "4", "5"]);
}

#[test]
fn what_was_summarized_is_rendered_in_full_once_the_session_wants_it() {
    let session = Session::new();
    session.set_visibility("hidden-tools", Visibility::Full);
    session.set_visibility("ref", Visibility::Full);
    let rendered = prompt().render(&session).unwrap();
    let expected = GOLDEN.split("## 3. Ref").next().unwrap().to_owned()
        + "## 3. Ref (ref)\n\nFull ref text\n\n### 3.1. Deep (ref.deep)\n\nDeep text.\n\n## 4."
        + GOLDEN.split("## 4.").nth(1).unwrap().split("Tools here.").next().unwrap()
        + "Full tools text";
    assert_eq!(rendered.text(), expected);
    let names: Vec<&str> = rendered.tools().map(selvedge_agent::Tool::name).collect();
    assert_eq!(names, ["add", "add2"]);
}
