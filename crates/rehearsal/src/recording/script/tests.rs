//! What recordings of the real Codex are as scripts.

use std::path::{Path, PathBuf};

use super::*;
use crate::recording::Done;

fn recorded(file: &str) -> Script {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts/recorded").join(file);
    Script::of(&Recording::open(&path).unwrap())
}

fn deeds(script: &Script) -> Vec<&'static str> {
    let name = |(_, deed): (usize, &Deed)| match deed.done {
        Done::Started { .. } => "start",
        Done::Resumed { .. } => "resume",
        Done::Turn { .. } => "turn",
        Done::Steered { .. } => "steer",
        Done::Interrupted => "interrupt",
        Done::Compacted => "compact",
        Done::Reviewed { .. } => "review",
        Done::Answered(_) => "answer",
    };
    script.deeds().map(name).collect()
}

#[test]
fn what_a_client_did_stands_between_what_codex_said() {
    let simple = recorded("simple.jsonl");
    assert_eq!(deeds(&simple), ["start", "turn"]);
    let turn = simple.deeds().find_map(|(_, deed)| deed.turn()).unwrap();
    assert!(simple.ends(turn));
    let said = simple.steps.iter().filter(|step| matches!(step, Step::Say(_))).count();
    assert!(said > 10, "{said}");
    assert_eq!(
        deeds(&recorded("command_approval.jsonl")).iter().filter(|deed| **deed == "answer").count(),
        7
    );
    assert!(deeds(&recorded("concurrent.jsonl")).contains(&"steer"));
    assert!(deeds(&recorded("interrupted.jsonl")).contains(&"interrupt"));
    assert!(
        recorded("resume_second_process.jsonl")
            .deeds()
            .all(|(_, deed)| !matches!(deed.done, Done::Started { .. }))
    );
}

#[test]
fn without_the_clients_side_its_deeds_are_inferred() {
    for file in ["simple.jsonl", "subagent.jsonl", "failed_500.jsonl"] {
        let whole = recorded(file);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts/recorded").join(file);
        let mut bare = Recording::open(&path).unwrap();
        bare.entries.retain(|entry| entry.direction == selvedge_recording::Direction::Received);
        let inferred = Script::of(&bare);
        let turns = |script: &Script| deeds(script).into_iter().filter(|deed| *deed == "turn").count();
        assert_eq!(turns(&inferred), turns(&whole), "{file}");
        let said = |script: &Script| {
            let inputs = script.deeds().filter_map(|(_, deed)| match &deed.done {
                Done::Turn { params, .. } => params["input"][0]["text"].as_str().map(str::to_owned),
                _ => None,
            });
            inputs.collect::<Vec<_>>()
        };
        assert_eq!(said(&inferred), said(&whole), "{file}");
    }
}
