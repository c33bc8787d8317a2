//! What a wrong file is told, and that every scenario of the repository is right.

use crate::scenario::Scenario;

fn error(text: &str) -> String {
    Scenario::parse(text).unwrap_err().to_string()
}

#[test]
fn errors_say_where_and_what_to_do() {
    let rule = |step: &str| {
        format!("[[rule]]\n[[rule.step]]\ndo = [ {{ say = {{ text = \"x\" }} }} ]\n[[rule]]\n{step}")
    };
    for (text, what, hint) in [
        (String::new(), "a scenario without a rule", "[[rule]]"),
        ("rules = 3".into(), "unknown field `rules`", "TOML"),
        ("name = ".into(), "not a scenario", "TOML"),
        (rule(""), "rule 2: no step", "[[rule.step]]"),
        (rule("regex = '('\nstep = [{ do = [] }]"), "rule 2: the regular expression `(`", "single quotes"),
        (rule("containz = 'x'"), "rule 2: unknown field `containz`", "`contains`"),
        (rule("step = [{ doo = [] }]"), "rule 2, step 1: unknown field `doo`", "do = ["),
        (
            rule("step = [{ do = [{ sya = { text = 'x' } }] }]"),
            "rule 2, step 1, action 1: unknown variant `sya`",
            "docs",
        ),
        (rule("step = [{ do = [{ say = { txt = 'x' } }] }]"), "action 1: unknown field `txt`", "docs"),
        (rule("step = [{ do = [] }, { do = [] }]"), "rule 2, step 1: no tool call", "tool call"),
        (
            rule("step = [{ do = [{ hang = {} }, { say = { text = 'x' } }] }]"),
            "action 2: `say` after `hang`",
            "last",
        ),
        (
            rule("step = [{ do = [{ run = { command = 'x' } }, { say = { text = 'x' } }] }]"),
            "after a tool call",
            "before",
        ),
        (rule("step = [{ do = [{ ask = { questions = [] } }] }]"), "a question without options", "options"),
        (
            rule("step = [{ do = [{ say = { text = 'x', open = true } }] }]"),
            "an open message that nothing cuts",
            "`hang`",
        ),
        (rule("step = [{ do = [{ patch = { patch = 'x' } }] }]"), "not a patch", "*** Begin Patch"),
        (rule("step = [{ do = [{ say = { text = 'x', phase = 'y' } }] }]"), "`phase` is `y`", "final_answer"),
    ] {
        let error = error(&text);
        let (first, second) = error.rsplit_once("\nhint: ").unwrap();
        assert!(first.contains(what), "{text}\n→ {error}");
        assert!(second.contains(hint), "{text}\n→ {error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = Scenario::load("no/such.toml").unwrap_err().to_string();
    assert!(error.starts_with("cannot read the scenario no/such.toml"), "{error}");
}

#[test]
fn every_scenario_of_the_repository_loads() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        Scenario::load(&file).unwrap();
    }
}
