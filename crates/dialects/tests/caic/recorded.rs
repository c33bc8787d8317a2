//! Conversations that were recorded with the real Codex, read as caic reads them.

use std::{collections::BTreeSet, fs};

use selvedge_dialects::caic::{Generation, Parser};
use serde_json::Value;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../transcripts/recorded");

/// What Codex said in each of them, line by line.
fn conversations() -> Vec<(String, Vec<String>)> {
    let files = fs::read_dir(RECORDED).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let said = |line: &str| {
        let line: Value = serde_json::from_str(line).ok()?;
        (line["dir"] == "<-" && line["msg"].is_object()).then(|| line["msg"].to_string())
    };
    files
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.display().to_string(), text.lines().filter_map(said).collect())
        })
        .collect()
}

#[test]
fn every_line_is_read_in_both_generations() {
    let conversations = conversations();
    assert!(conversations.len() > 20);
    for generation in [Generation::A, Generation::B] {
        let mut results = 0;
        for (name, lines) in &conversations {
            let mut parser = Parser::of(generation);
            for line in lines {
                let said = parser.line(line).unwrap_or_else(|error| panic!("{name}: {error}"));
                results += said.iter().filter(|message| message.kind == "result").count();
            }
        }
        assert!(results > 20, "turns end: {results}");
    }
}

#[test]
fn what_a_tool_gave_follows_its_use() {
    let mut pairs = 0;
    for (name, lines) in conversations() {
        let (mut parser, mut used) = (Parser::of(Generation::B), BTreeSet::new());
        for message in lines.iter().flat_map(|line| parser.line(line).unwrap()) {
            let said = serde_json::to_value(&message).unwrap();
            match message.kind.as_ref() {
                "tool_use" => {
                    used.insert(said["id"].to_string());
                }
                "tool_result" => {
                    pairs += 1;
                    assert!(used.contains(&said["tool_use_id"].to_string()), "{name}: {said}");
                }
                _ => {}
            }
        }
    }
    assert!(pairs > 10, "{pairs}");
}

#[test]
fn what_todays_codex_says_beyond_what_caic_knows_is_reported() {
    let mut fields = BTreeSet::new();
    for (_, lines) in conversations() {
        let mut parser = Parser::of(Generation::B);
        lines.iter().for_each(|line| drop(parser.line(line).unwrap()));
        fields.extend(parser.unknown().iter().map(|it| format!("{}.{}", it.context, it.field)));
    }
    for expected in ["agentMessage.startedAtMs", "commandExecution.pluginId"] {
        assert!(fields.contains(expected), "{expected}: {fields:?}");
    }
}
