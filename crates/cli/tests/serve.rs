//! `selvedge serve` and `selvedge stop`, as a system and a shell use them.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use std::{fs, os::unix::fs::PermissionsExt as _};

use rustix::process::Signal;
use serde_json::Value;
use stage::{Running, Stage, gateway::Gateway, interrupt, pty::Terminal};

#[test]
fn it_says_where_it_is_asks_for_its_token_and_ends_when_told() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let token = gateway.token.clone().unwrap();
    let file = stage.path("data/token");
    assert_eq!(fs::read_to_string(&file).unwrap(), token);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(stage.path("data/gateway.json")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(gateway.get("/healthz", None), 200);
    assert_eq!(gateway.get("/docs", None), 401);
    assert_eq!(gateway.get("/docs", Some(&token)), 200);
    gateway.signal(Signal::TERM);
    let (code, log) = gateway.ended();
    assert_eq!(code, Some(0), "{log}");
    assert!(!log.contains(&token), "no token in the log: {log}");
    assert!(!stage.path("data/gateway.json").exists());
    let again = Gateway::start(&stage, &[]);
    assert_eq!(again.token.as_deref(), Some(token.as_str()), "it is kept");
    again.signal(Signal::INT);
    assert_eq!(again.ended().0, Some(0));
}

#[test]
fn a_second_one_is_told_and_stop_ends_the_first() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let second = stage.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(2));
    assert!(
        second.stderr.contains(&gateway.address) && second.stderr.contains("\nhint: "),
        "{}",
        second.stderr
    );
    let stopped = stage.run(&["stop"]);
    assert_eq!(stopped.code, Some(0), "{}", stopped.stderr);
    assert_eq!(gateway.ended().0, Some(0));
    let nobody = stage.run(&["stop"]);
    assert_eq!(nobody.code, Some(1));
    assert!(nobody.stderr.contains("hint: "), "{}", nobody.stderr);
}

#[test]
fn what_cannot_be_is_refused_with_a_hint() {
    let stage = Stage::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    fs::write(stage.path("bad.toml"), "[serve]\nlisten = '127.0.0.1:0'\ncolour = 'red'\n").unwrap();
    let bad = stage.path("bad.toml");
    let bad = bad.to_str().unwrap();
    fs::write(stage.path("none.toml"), "threads_per_process = 0\n").unwrap();
    let none = stage.path("none.toml");
    let none = none.to_str().unwrap();
    for (arguments, wanted) in [
        (vec!["serve", "--listen", &taken], "cannot listen"),
        (vec!["serve", "--listen", "0.0.0.0:0", "--no-auth"], "without tokens"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--allow-root", "./nowhere"], "nowhere"),
        (vec!["serve", "--config", bad], "colour"),
        (vec!["serve", "--config", none], "threads_per_process"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--token", " blank"], "blank"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--codex-config", "word"], "KEY=VALUE"),
        (vec!["serve", "--codex", "rehearsal", "--scenario", "./nowhere.toml"], "nowhere.toml"),
        (vec!["serve", "--codex", "rehearsal", "--faults", "hiccups"], "`hiccups`"),
        (vec!["serve", "--listen", "somewhere"], "somewhere"),
        (vec!["serve", "--colour"], "--colour"),
        (vec!["server"], "server"),
    ] {
        let ran = stage.run(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(wanted) && ran.stderr.contains("hint: "), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn a_given_token_is_taken_from_everywhere_and_not_printed() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    fs::write(stage.path("data/selvedge.toml"), "[serve]\ntoken = 'of the file'\n").unwrap();
    let of_file = Gateway::start(&stage, &[]);
    assert_eq!(of_file.token.as_deref(), Some("…"));
    assert_eq!(of_file.get("/docs", Some("of the file")), 200);
    of_file.signal(Signal::TERM);
    of_file.ended();
    let of_flag = Gateway::start(&stage, &["--token", "of the flag"]);
    assert_eq!(of_flag.get("/docs", Some("of the flag")), 200);
    assert_eq!(of_flag.get("/docs", Some("of the file")), 401);
    of_flag.signal(Signal::TERM);
    of_flag.ended();
    assert!(!stage.path("data/token").exists());
}

#[test]
fn it_starts_without_codex() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &["--codex", "./no-codex-here"]);
    assert_eq!(gateway.get("/readyz", None), 200);
    gateway.signal(Signal::TERM);
    assert_eq!(gateway.ended().0, Some(0));
}

/// How the one message of the one session stands.
fn message(stage: &Stage) -> Value {
    let id = stage.session();
    let shown = stage.run(&["sessions", "show", &id, "--json"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    shown["messages"][0].clone()
}

fn events(stage: &Stage, name: &str) -> usize {
    let exported = stage.run(&["export", &stage.session()]);
    exported.lines().iter().filter(|event| event["type"] == name).count()
}

/// A session with a turn that never ends, left by a program that was killed.
fn left_hanging(stage: &Stage) {
    let mut run = Running::start(stage.command(&["run", "hang", "--json"]));
    run.until(|event| event["type"] == "turn.started");
    run.child.kill().unwrap();
    run.wait();
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let stage = Stage::new();
    left_hanging(&stage);
    let gateway = Gateway::start(&stage, &["--drain", "3600", "--no-relay"]);
    while events(&stage, "turn.started") < 2 {}
    gateway.signal(Signal::INT);
    while gateway.get("/readyz", None) == 200 {}
    gateway.signal(Signal::TERM);
    assert_eq!(gateway.ended().0, Some(130));
    assert_eq!(events(&stage, "message.finished"), 0, "it is left to the next start");
}

#[test]
fn killed_in_a_turn_the_next_one_brings_the_message_to_its_one_end() {
    let stage = Stage::new();
    left_hanging(&stage);
    let gateway = Gateway::start(&stage, &["--no-relay"]);
    while events(&stage, "turn.started") < 2 {
        assert!(message(&stage)["state"] != "completed", "it hangs");
    }
    gateway.signal(Signal::KILL);
    gateway.ended();
    let gateway = Gateway::start(&stage, &["--no-relay"]);
    while events(&stage, "message.finished") == 0 {}
    gateway.signal(Signal::TERM);
    let (code, log) = gateway.ended();
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(message(&stage)["state"], "lost", "it is not run a third time");
    assert_eq!(events(&stage, "message.finished"), 1);
    let turn = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let turn = turn.into_iter().find(|line| line["message"] == "turn ended").expect("a line for the turn");
    assert_eq!(turn["session_id"], stage.session());
}

#[test]
fn on_a_terminal_its_log_is_for_a_person() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["serve", "--listen", "127.0.0.1:0"]), "");
    terminal.until("listening on http://");
    let ran = stage.run(&["run", "hello"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    terminal.until_both("turn ended", "\n");
    interrupt(&terminal.child);
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    let turn = shown.lines().find(|line| line.contains("turn ended")).unwrap();
    let said = [" INFO turn ended ", &format!("session_id={}", stage.session()), "status=\"completed\""];
    assert!(said.iter().all(|part| turn.contains(part)), "{turn}");
    assert!(!shown.contains('{') && !shown.contains('\x1b'), "neither JSON nor colours: {shown:?}");
}

#[test]
fn in_a_pipe_its_log_is_for_programs() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let ran = stage.run(&["run", "hello"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let session = stage.session();
    let log = gateway.stopped();
    let log = log.strip_prefix("rehearsal: the stand-in answers, no Codex and no model\n").expect(&log);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.iter().all(|line| line["timestamp"].is_string() && line["level"].is_string()), "{log}");
    let turns: Vec<_> = lines.iter().filter(|line| line["message"] == "turn ended").collect();
    let [turn] = turns[..] else { panic!("one line for one turn: {log}") };
    assert_eq!((&turn["session_id"], &turn["status"]), (&session.into(), &"completed".into()));
}
