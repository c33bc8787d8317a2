//! Each turn ends in a session as it ended in Codex.

use selvedge_session::{Event, Status, What};

use crate::replay::Replay;

#[test]
fn every_turn_ends_as_it_ended_in_codex() {
    let files = [
        "simple.jsonl",
        "codemode.jsonl",
        "command_approval.jsonl",
        "concurrent.jsonl",
        "dynamic_edge.jsonl",
        "dynamic_structured.jsonl",
        "failed_500.jsonl",
        "failed_500_retries.jsonl",
        "fork.jsonl",
        "interrupted.jsonl",
        "mcp.jsonl",
        "patch_approval.jsonl",
        "plan_mode.jsonl",
        "sandbox_unavailable.jsonl",
        "steer_instant_false.jsonl",
        "steer_instant_true.jsonl",
        "subagent.jsonl",
        "thread_ops.jsonl",
    ];
    for file in files {
        let replay = Replay::play(file);
        let (mut theirs, mut ours) = (replay.ended.clone(), replay.our_ends());
        theirs.sort();
        ours.sort();
        assert!(!theirs.is_empty(), "{file} has no turn");
        assert_eq!(ours, theirs, "{file}");
        assert_eq!(replay.unknown, Vec::<String>::new(), "{file}");
        for events in replay.events.values() {
            let unknown = events.iter().filter(|event| matches!(event.what, What::CodexUnknown(_)));
            assert_eq!(unknown.count(), 0, "{file}");
        }
    }
}

#[test]
fn the_answer_is_the_agents_last_word() {
    let replay = Replay::play("simple.jsonl");
    let finished = replay.finished();
    assert!(finished.iter().all(|(status, _)| *status == Status::Completed), "{finished:?}");
    assert!(finished.iter().all(|(_, text)| !text.is_empty()), "{finished:?}");
}

#[test]
fn a_sub_agent_is_shown_under_its_own_thread_and_ends_only_itself() {
    let replay = Replay::play("subagent.jsonl");
    let events: Vec<_> = replay.events.values().flatten().collect();
    let of_children = events.iter().filter(|event| event.thread_id.is_some());
    assert!(of_children.count() > 5);
    let own_end = events.iter().rposition(|event| matches!(event.what, What::MessageFinished(_))).unwrap();
    let child_end = events
        .iter()
        .position(|event| event.thread_id.is_some() && matches!(event.what, What::TurnCompleted(_)))
        .unwrap();
    assert!(child_end < own_end, "the parent goes on after its child has ended");
}

#[test]
fn what_was_used_is_counted_once_in_every_version() {
    // One response of the recorded model is 120 tokens; a sub-agent's count to its parent.
    for (file, total) in
        [("simple.jsonl", 0), ("subagent.jsonl", 480), ("compat_0.98.jsonl", 0), ("compat_0.120.jsonl", 0)]
    {
        let replay = Replay::play(file);
        let used: u64 = replay.sessions.values().map(|session| session.usage().total).sum();
        let finished: u64 = replay.events.values().flatten().map(used_by_message).sum();
        assert!(used > 0 && finished <= used, "{file}: {finished} of {used}");
        assert_eq!(used % 120, 0, "{file}: {used}");
        assert!(total == 0 || used == total, "{file}: {used}");
    }
}

fn used_by_message(event: &Event) -> u64 {
    match &event.what {
        What::MessageFinished(it) => it.usage.total,
        _ => 0,
    }
}

#[test]
fn each_session_is_told_once_that_there_is_no_sandbox() {
    let replay = Replay::play("sandbox_unavailable.jsonl");
    let told =
        |event: &&Event| matches!(&event.what, What::SessionWarning(it) if it.code == "sandbox_unavailable");
    for (session, events) in &replay.events {
        let failed = events.iter().any(|event| {
            matches!(&event.what, What::ItemCompleted(it) if it.item.text().contains("bwrap: Creating new namespace failed"))
        });
        assert_eq!(events.iter().filter(told).count(), usize::from(failed), "{session}");
    }
    assert!(replay.events.values().flatten().any(|event| told(&event)));
}
