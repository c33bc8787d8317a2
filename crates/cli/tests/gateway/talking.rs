//! A person at a terminal, and somebody who presses Ctrl-C.

use serde_json::Value;

use crate::stage::{self, Running, Stage, gateway::Gateway, interrupt, pty::Terminal};

const CHOICES: &str = "[y]es, yes for the [s]ession, [n]o, [c]ancel the turn? ";

fn runs_a_command(event: &Value) -> bool {
    event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
}

#[test]
fn what_is_asked_is_answered_at_the_terminal_or_at_another() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut terminal = Terminal::start(stage.command(&["run", "ask twice"]), "");
    let asked = terminal.until(CHOICES);
    assert!(asked.contains("may this command run?") && asked.contains("rehearsal: "), "{asked}");
    let waiting = stage.run(&["approvals", "list", "--json"]).lines();
    let id = waiting[0]["approval_id"].as_str().unwrap();
    let answered = stage.run(&["approvals", "accept", &id[id.len() - 8..]]);
    assert_eq!(answered.code, Some(0), "{answered:?}");
    terminal.until_both("by local/http", CHOICES);
    terminal.press("n");
    terminal.until("what should it do instead?");
    terminal.press("\n");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    assert!(stage.path("work/asked.txt").exists() && !stage.path("work/again.txt").exists(), "{shown}");
    assert!(shown.contains("go on with: selvedge run --resume "), "{shown}");
    let late = stage.run(&["approvals", "decline", id]);
    assert_eq!(late.code, Some(2), "{late:?}");
    gateway.stopped();
}

#[test]
fn a_cancelled_turn_is_exit_4() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut terminal = Terminal::start(stage.command(&["run", "ask"]), "");
    terminal.until(CHOICES);
    terminal.press("c");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(4), "{shown}");
    gateway.stopped();
}

#[test]
fn ctrl_c_stops_the_turn_but_not_the_gateway() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &["--faults", "ignore-interrupt"]);
    let mut deaf = Running::start(stage.command(&["run", "hold", "--json"]));
    deaf.until(runs_a_command);
    deaf.interrupt();
    // Signals of one kind are one while they wait: the first has to be heard before the second is sent.
    stage::until_said(&mut deaf.child, "interrupting …");
    deaf.interrupt();
    deaf.until(|event| event["type"] == "message.finished");
    assert_eq!(deaf.wait().0, Some(130));
    gateway.stopped();

    let gateway = Gateway::start(&stage, &[]);
    let mut polite = Terminal::start(stage.command(&["run", "hold", "--approval-policy", "never"]), "");
    polite.until("1s · $ echo held; exec sleep 1000");
    interrupt(&polite.child);
    let (code, shown) = polite.wait();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("interrupting …") && shown.contains("error: interrupted"), "{shown}");
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    gateway.stopped();
}

#[test]
fn a_session_is_followed_talked_to_and_left() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    stage.run(&["run", "hello"]);
    let id = stage.session();
    let piped = stage.run_with_input(&["attach", &id], "build it\n/nonsense\n");
    assert_eq!(piped.code, Some(0), "{piped:?}");
    for part in
        ["» hello (local/http)\n", "Hello, you.\n", "/nonsense? /interrupt", "It **failed**.\n(completed)\n"]
    {
        assert!(piped.stdout.contains(part), "{part:?} in\n{}", piped.stdout);
    }
    let mut terminal = Terminal::start(stage.command(&["attach", &id]), "");
    terminal.until("(completed)");
    terminal.press("hold on\r");
    terminal.until("» hold on");
    terminal.press("/interrupt\r");
    terminal.until("(interrupted)");
    terminal.press("/quit\r");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    gateway.stopped();
}

#[test]
fn a_turn_outlives_the_terminal_it_was_started_at() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let mut run = Running::start(stage.command(&["run", "hold", "--json"]));
    run.until(runs_a_command);
    run.child.kill().unwrap();
    run.wait();
    let listed = &stage.run(&["sessions", "list", "--json"]).lines()[0];
    assert_eq!(listed["state"], "running");
    let beside = stage.run(&["run", "hello", "--local"]);
    assert_eq!((beside.code, beside.stdout.as_str()), (Some(0), "Hello, you.\n"), "{beside:?}");
    gateway.signal(rustix::process::Signal::KILL);
    gateway.ended();
}
