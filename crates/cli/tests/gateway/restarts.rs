//! A gateway that is killed, and started again or not.

use std::{fs, net::TcpListener};

use serde_json::Value;

use crate::stage::{Running, Stage, gateway::Gateway, pty::Terminal, until_said};

fn runs_a_command(event: &Value) -> bool {
    event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
}

/// Every event once, in order, from the first to the message's end; as the journal has them.
fn whole(stage: &Stage, seen: &[Value]) {
    let numbers: Vec<_> = seen.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let kept = stage.run(&["export", &stage.session()]).lines();
    assert_eq!(seen, &kept[..seen.len()]);
    assert_eq!(seen.last().unwrap()["type"], "message.finished");
}

#[test]
fn nothing_is_lost_or_seen_twice_when_the_gateway_is_killed_and_started_elsewhere() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut run = Running::start(stage.command(&["run", "tick", "--json"]));
    run.until(runs_a_command);
    gateway.killed();
    until_said(&mut run.child, "the gateway does not answer; waiting for it …");
    let again = Gateway::start(&stage, &[]);
    until_said(&mut run.child, "the gateway is there again");
    fs::write(stage.path("work/go.txt"), "").unwrap();
    run.until(|event| event["type"] == "message.finished");
    let (seen, (code, told)) = run.all();
    assert_eq!(code, Some(0), "the turn went on behind its relay: {told}");
    assert!(!seen.iter().any(|event| event["type"] == "codex.exited"), "{seen:?}");
    whole(&stage, &seen);
    again.stopped();
}

#[test]
fn a_named_gateway_is_waited_for_at_its_address() {
    let stage = Stage::new();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let gateway = Gateway::start_at(&stage, &address, &["--no-relay"]);
    let (url, token) = (gateway.url(), gateway.token.clone().unwrap());
    let mut command = stage.command(&["run", "hold", "--json"]);
    command
        .env("SELVEDGE_GATEWAY", &url)
        .env("SELVEDGE_TOKEN", &token)
        .env("SELVEDGE_DATA_DIR", stage.path("elsewhere"));
    let mut run = Running::start(command);
    run.until(runs_a_command);
    gateway.killed();
    until_said(&mut run.child, "waiting for it …");
    let again = Gateway::start_at(&stage, &address, &[]);
    run.until(|event| event["type"] == "message.finished");
    let (seen, (code, told)) = run.all();
    assert_eq!(code, Some(6), "it acted before it was cut, so what became of it is not known: {told}");
    whole(&stage, &seen);
    again.stopped();
}

#[test]
fn a_conversation_goes_on_with_a_gateway_that_was_started_again() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    let mut terminal = Terminal::start(stage.command(&["attach", &stage.session()]), "");
    terminal.until("(completed)");
    gateway.killed();
    terminal.until("the gateway does not answer; waiting for it …");
    let again = Gateway::start(&stage, &[]);
    terminal.until("the gateway is there again");
    terminal.press("hello again\r");
    terminal.until("(completed)");
    terminal.press("/quit\r");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(shown.matches("(completed)").count(), 2, "nothing is shown twice: {shown}");
    again.stopped();
}

#[test]
fn one_that_does_not_come_back_is_said_to_be_gone() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    fs::write(stage.path("data/selvedge.toml"), "[gateway]\npatience = 1\n").unwrap();
    let gateway = Gateway::start(&stage, &[]);
    let url = gateway.url();
    let mut run = Running::start(stage.command(&["run", "hold", "--json"]));
    run.until(runs_a_command);
    gateway.killed();
    let (_, (code, told)) = run.all();
    assert_eq!(code, Some(6), "{told}");
    let gone = format!("error: the gateway at {url} is gone, and did not come back within 1 s: ");
    assert!(told.contains(&gone), "{told}");
    let id = stage.session();
    let hint = format!(
        "\nhint: what was sent is taken up when it is started again; `selvedge attach {}`",
        &id[id.len() - 8..]
    );
    assert!(told.contains(&hint), "{told}");
}

#[test]
fn ctrl_c_does_not_wait_for_a_gateway_that_is_gone() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut run = Running::start(stage.command(&["run", "hold", "--json"]));
    run.until(runs_a_command);
    gateway.killed();
    until_said(&mut run.child, "waiting for it …");
    run.interrupt();
    let (_, (code, told)) = run.all();
    assert_eq!(code, Some(130), "{told}");
    assert!(
        told.contains("does not answer") && told.contains("\nhint: the turn goes on when the gateway does"),
        "{told}"
    );
}

#[test]
fn a_gateway_whose_file_was_replaced_still_starts_its_stand_ins() {
    let stage = Stage::new();
    let program = stage.path("selvedge");
    fs::copy(env!("CARGO_BIN_EXE_selvedge"), &program).unwrap();
    let gateway = Gateway::start_as(&stage, &program);
    fs::copy(env!("CARGO_BIN_EXE_selvedge"), stage.path("new")).unwrap();
    fs::rename(stage.path("new"), &program).unwrap();
    let ran = stage.run(&["run", "hello"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    gateway.stopped();
}
