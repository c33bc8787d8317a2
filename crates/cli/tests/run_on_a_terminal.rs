//! `selvedge run` as a person meets it, on a pseudo-terminal.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use stage::{Stage, interrupt, pty::Terminal};

const CHOICES: &str = "[y]es, yes for the [s]ession, [n]o, [c]ancel the turn? ";

#[test]
fn a_command_is_asked_about_and_runs_after_a_yes() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["run", "ask"]), "");
    let asked = terminal.until(CHOICES);
    for part in ["may this command run?", "May I?", "$ /bin/sh -c 'echo asked > asked.txt'", "in "] {
        assert!(asked.contains(part), "{part:?} in\n{asked}");
    }
    terminal.press("y");
    terminal.until("accepted");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(std::fs::read_to_string(stage.path("work/asked.txt")).unwrap(), "asked\n");
    let id = stage.session();
    let short = &id[id.len() - 8..];
    assert!(shown.contains("Thank you.\r\n"), "{shown}");
    assert!(shown.contains(&format!("session {short} · ")), "{shown}");
    assert!(shown.contains(&format!(" tokens · go on with: selvedge run --resume {short} …")), "{shown}");
}

#[test]
fn files_are_asked_about_with_their_whole_content() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["run", "write"]), "");
    let asked = terminal.until(CHOICES);
    assert!(asked.contains("may these files be changed?") && asked.contains("    +hello"), "{asked}");
    terminal.press("n");
    terminal.until("what should it do instead?");
    terminal.press("\n");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("declined") && !stage.path("work/new.txt").exists(), "{shown}");
}

#[test]
fn what_was_typed_before_the_question_is_no_answer_and_a_cancelled_turn_is_exit_4() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["run", "ask"]), "y\n");
    terminal.until(CHOICES);
    terminal.press("c");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(4), "{shown}");
    assert!(shown.contains("error: ended by a declined approval"), "{shown}");
    assert!(!stage.path("work/asked.txt").exists());
}

#[test]
fn progress_is_shown_until_ctrl_c_and_never_left_behind() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["run", "hold", "--approval-policy", "never"]), "");
    terminal.until("1s · $ echo held; exec sleep 1000");
    interrupt(&terminal.child);
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(130), "{shown}");
    let last_progress = shown.rfind(" · $ echo held").unwrap();
    assert!(shown[last_progress..].contains("\r\x1b[2K"), "it was cleared: {shown:?}");
    assert!(shown.contains("–") && shown.contains("interrupted"), "the command is closed: {shown:?}");
}

#[test]
fn colours_are_not_shown_to_who_does_not_want_them() {
    let stage = Stage::new();
    let coloured = Terminal::start(stage.command(&["run", "hello"]), "").wait().1;
    assert!(coloured.contains("\x1b[2mA greeting."), "{coloured:?}");
    let mut command = stage.command(&["run", "hello"]);
    command.env("NO_COLOR", "1");
    let plain = Terminal::start(command, "").wait().1;
    assert!(
        plain.contains("A greeting.") && !plain.contains("\x1b[2m") && !plain.contains("\x1b[3"),
        "{plain:?}"
    );
}

#[test]
fn what_waits_at_one_terminal_can_be_answered_at_another() {
    let stage = Stage::new();
    let mut terminal = Terminal::start(stage.command(&["run", "ask twice"]), "");
    terminal.until(CHOICES);
    let waiting = stage.run(&["approvals", "list", "--json"]).lines();
    assert_eq!((waiting.len(), &waiting[0]["kind"]), (1, &"command".into()), "{waiting:?}");
    let table = stage.run(&["approvals"]);
    assert!(table.stdout.contains("command  /bin/sh -c 'echo asked > asked.txt'"), "{table:?}");
    let id = waiting[0]["approval_id"].as_str().unwrap();
    let answered = stage.run(&["approvals", "accept", &id[id.len() - 8..]]);
    assert_eq!(answered.code, Some(0), "{answered:?}");
    // Nobody has to answer that here any more; the next question is asked.
    terminal.until_both("by cli", CHOICES);
    terminal.press("c");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(4), "{shown}");
    assert!(stage.path("work/asked.txt").exists() && !stage.path("work/again.txt").exists(), "{shown}");
    let late = stage.run(&["approvals", "decline", id]);
    assert_eq!(late.code, Some(2), "{late:?}");
}

#[test]
fn attached_a_session_is_followed_asked_and_left() {
    let stage = Stage::new();
    let mut made = Terminal::start(stage.command(&["run", "ask"]), "");
    made.until(CHOICES);
    made.press("c");
    made.wait();
    let mut terminal = Terminal::start(stage.command(&["attach", &stage.session()]), "");
    terminal.until("(interrupted)");
    assert!(terminal.shown.contains("» ask (cli)"), "{}", terminal.shown);
    terminal.press("ask again\r");
    terminal.until("/approve, /approve session or /decline [message]");
    terminal.press("/approve\r");
    terminal.until("(completed)");
    terminal.press("/quit\r");
    let (code, shown) = terminal.wait();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("Thank you.") && stage.path("work/asked.txt").exists(), "{shown}");
}
