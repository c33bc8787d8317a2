//! Turns that outlive their gateway.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::stage::{Running, Stage, gateway::Gateway, until_said};

fn has_output(event: &Value) -> bool {
    event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
}

/// Follows a turn whose command waits until it is let go.
fn follow(stage: &Stage) -> Running {
    let mut run = Running::start(stage.command(&["run", "tick", "--json"]));
    run.until(has_output);
    run
}

/// The commands end; the turns, too, in the gateway that is there now.
fn let_go<const N: usize>(stage: &Stage, runs: [Running; N]) {
    fs::write(stage.path("work/go.txt"), "").unwrap();
    runs.into_iter().for_each(is_unbroken);
    let ran = fs::read_to_string(stage.path("work/ran.txt")).unwrap();
    assert_eq!(ran, "ran\n".repeat(N), "each ran once");
}

fn is_unbroken(mut run: Running) {
    run.until(|event| event["type"] == "message.finished");
    let (seen, (code, told)) = run.all();
    assert_eq!(code, Some(0), "{told}");
    let numbers: Vec<_> = seen.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "one unbroken sequence");
    assert_eq!(seen.last().unwrap()["data"]["text"], "It has ticked.");
    for unsaid in ["codex.exited", "codex.restarted", "session.warning"] {
        assert!(!seen.iter().any(|event| event["type"] == unsaid), "{unsaid}");
    }
}

/// How `doctor` says that relays stand.
fn relays(stage: &Stage) -> Vec<String> {
    let said = stage.run(&["doctor", "--json"]).stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    let found = said["findings"].as_array().unwrap().iter().filter(|finding| finding["name"] == "relays");
    found.map(|finding| finding["detail"].as_str().unwrap().split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn told_to_go_it_leaves_its_turns_running_and_the_next_one_goes_on_with_them() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut run = follow(&stage);
    assert!(relays(&stage).iter().all(|relay| relay == "in use"));
    gateway.signal(Signal::TERM);
    let (code, log) = gateway.ended();
    assert_eq!(code, Some(0), "{log}");
    until_said(&mut run.child, "waiting for it …");
    let alone = relays(&stage);
    assert!(!alone.is_empty() && alone.iter().all(|relay| relay == "goes on alone"), "{alone:?}");
    let again = Gateway::start(&stage, &[]);
    let_go(&stage, [run]);
    again.stopped();
    assert_eq!(relays(&stage), ["none"], "they end with everything");
}

#[test]
fn under_load_a_new_program_takes_the_place_of_the_old_one_again_and_again() {
    let stage = Stage::new();
    // A name of its own, so that another program can be put there.
    let program = stage.path("selvedge");
    fs::copy(env!("CARGO_BIN_EXE_selvedge"), &program).unwrap();
    let mut gateway = Gateway::start_as(&stage, &program);
    let runs = [(); 6].map(|()| follow(&stage));
    for _ in 0..3 {
        fs::copy(env!("CARGO_BIN_EXE_selvedge"), stage.path("new")).unwrap();
        fs::rename(stage.path("new"), &program).unwrap();
        gateway.signal(Signal::USR2);
        gateway.listens_again();
        assert_eq!(gateway.get("/healthz", None), 200);
    }
    let_go(&stage, runs);
    gateway.stopped();
}

#[test]
fn a_command_by_itself_goes_on_with_what_a_dead_gateway_had_begun() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut run = follow(&stage);
    gateway.killed();
    run.child.kill().unwrap();
    run.wait();
    fs::write(stage.path("work/go.txt"), "").unwrap();
    let id = stage.session();
    let after = stage.run(&["run", "hello", "--resume", &id, "--json", "--local"]);
    assert_eq!(after.code, Some(0), "{}", after.stderr);
    let events = stage.run(&["export", &id]).lines();
    let ends: Vec<_> = events.iter().filter(|event| event["type"] == "message.finished").collect();
    assert_eq!(ends.len(), 2);
    assert!(ends.iter().all(|end| end["data"]["status"] == "completed"), "{ends:?}");
    assert_eq!(fs::read_to_string(stage.path("work/ran.txt")).unwrap(), "ran\n", "it ran once");
    Gateway::start(&stage, &[]).stopped();
    assert_eq!(relays(&stage), ["none"]);
}
