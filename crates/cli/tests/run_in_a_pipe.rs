//! `selvedge run` as a script meets it: what is printed where, and the exit code.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use serde_json::json;
use stage::{Running, Stage};

#[test]
fn the_answer_alone_is_on_stdout_and_everything_else_on_stderr() {
    let stage = Stage::new();
    let ran = stage.run(&["run", "build it"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "It **failed**.\n"), "{ran:?}");
    let file = stage.path("work/notes.md");
    for told in [
        "rehearsal: the stand-in answers",
        "I'll build.\n",
        "✗ $ echo built; exit 3  exit 3, ",
        "\n  built\n",
        &format!("✓ edit  new {} +2\n", file.display()),
    ] {
        assert!(ran.stderr.contains(told), "{told:?} in\n{}", ran.stderr);
    }
    assert!(!ran.stderr.contains('\x1b') && !ran.stderr.contains("--resume"), "{}", ran.stderr);
}

#[test]
fn with_json_there_are_events_on_stdout_and_nothing_else() {
    let stage = Stage::new();
    let ran = stage.run(&["run", "hello", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let events = ran.lines();
    let seqs: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=events.len() as u64).collect::<Vec<_>>());
    for event in &events {
        assert!(
            event["session_id"].is_string() && event["type"].is_string() && event["data"].is_object(),
            "{event}"
        );
        assert!(event["at"].as_str().is_some_and(|at| at.len() == 24 && at.ends_with('Z')), "{event}");
    }
    assert_eq!(events[0]["type"], "session.created");
    assert_eq!(events[0]["data"]["approval_policy"], "never");
    assert_eq!(events[0]["data"]["unattended"], "decline");
    let last = events.last().unwrap();
    assert_eq!((&last["type"], &last["data"]["text"]), (&json!("message.finished"), &json!("Hello, you.")));
    assert_eq!(last["data"]["usage"]["total"], 940);
}

#[test]
fn the_exit_code_says_how_it_ended() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["hello"], 0, ""),
        (&["fail as server_error"], 1, "error: "),
        (&["hello", "--output-schema", "no/such.json"], 2, "error: no/such.json cannot be read"),
        (&["hello", "--image", "../scenario.toml"], 2, "is no picture"),
        (&["hello", "--resume", "ffffffff"], 2, "no session's id ends with"),
        (&["  "], 2, "error: the prompt is empty\nhint: "),
        (&["hello", "--codex", "/no/such/codex"], 3, "error: there is no Codex at /no/such/codex\nhint: "),
        (
            &["fail as unauthorized"],
            3,
            "401 Unauthorized: rehearsal: failed as Unauthorized\nhint: log in with `codex login`",
        ),
        (&["fail as usage_limit"], 5, "error: "),
        (&["spend", "--max-tokens", "1000"], 5, "error: the turn used more than it may\nhint: "),
        (&["hello", "--max-cost", "1"], 2, "error: a limit in money needs the model's price\nhint: "),
        (&["act and crash"], 6, "error: "),
        (&["hang", "--deadline", "1"], 124, "error: the turn took longer than it may\nhint: "),
    ];
    for (arguments, code, told) in cases {
        let stage = Stage::new();
        let ran = stage.run(&[&["run"], *arguments].concat());
        assert_eq!(ran.code, Some(*code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(told), "{arguments:?}: {told:?} in\n{}", ran.stderr);
    }
}

#[test]
fn the_answer_has_the_shape_that_was_asked_for() {
    let stage = Stage::new();
    std::fs::write(stage.path("work/shape.json"), r#"{"type":"object"}"#).unwrap();
    let ran = stage.run(&["run", "give it a shape", "--output-schema", "shape.json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, answer), (Some(0), json!({"name": "selvedge", "size": 3})), "{}", ran.stderr);
    std::fs::write(stage.path("work/other.json"), r#"{"properties":{"size":{"maximum":2}}}"#).unwrap();
    let large = stage.run(&["run", "give it a shape", "--output-schema", "other.json"]);
    assert_eq!(large.code, Some(1));
    assert!(large.stderr.contains("at `/size`: ") && large.stderr.contains("\nhint: "), "{}", large.stderr);
    std::fs::write(stage.path("work/none.json"), r#"{"type":"nothing"}"#).unwrap();
    let none = stage.run(&["run", "give it a shape", "--output-schema", "none.json"]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("error: the shape is no JSON schema: at `/type`: "), "{}", none.stderr);
    let words = stage.run(&["run", "hello", "--output-schema", "shape.json"]);
    assert_eq!((words.code, words.stdout.as_str()), (Some(1), "Hello, you.\n"));
    assert!(
        words.stderr.contains("error: the answer does not have the shape that was asked for"),
        "{}",
        words.stderr
    );
}

#[test]
fn a_session_goes_on_where_it_was() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["run", "hello"]).code, Some(0));
    let id = stage.session();
    let again = stage.run_with_input(&["run", "-", "--resume", &id[id.len() - 8..]], "hello from a pipe\n");
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "Hello, you.\n"), "{again:?}");
    assert_eq!(stage.session(), id, "no other session was made");
    let shown = &stage.run(&["sessions", "show", &id, "--json"]).lines()[0];
    let messages = shown["messages"].as_array().unwrap();
    let said: Vec<_> = messages.iter().map(|message| &message["input_text"]).collect();
    assert_eq!(said, ["hello", "hello from a pipe\n"]);
    let other = stage.run(&["run", "hello", "--resume", &id, "--codex", "/bin/true"]);
    assert_eq!(other.code, Some(2), "the stand-in's session is not Codex's: {other:?}");
    assert!(other.stderr.contains("was made with rehearsal, and this is codex\nhint: "), "{other:?}");
    assert_eq!((&shown["usage"]["total"], &shown["state"]), (&json!(1880), &json!("idle")));
}

#[test]
fn two_runs_share_one_data_directory() {
    let stage = Stage::new();
    let mut first = Running::start(stage.command(&["run", "hold", "--json"]));
    first.until(|event| {
        event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
    });
    let second = stage.run(&["run", "hello"]);
    assert_eq!((second.code, second.stdout.as_str()), (Some(0), "Hello, you.\n"), "{second:?}");
    first.interrupt();
    assert_eq!(first.wait().0, Some(130));
    assert_eq!(stage.run(&["sessions", "list", "--json"]).lines().len(), 2);
}

#[test]
fn ctrl_c_stops_the_turn_and_twice_ends_it() {
    let stage = Stage::new();
    let mut polite = Running::start(stage.command(&["run", "hold", "--json"]));
    polite.until(|event| {
        event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
    });
    polite.interrupt();
    let end = polite.until(|event| event["type"] == "message.finished");
    assert_eq!(end["data"]["status"], "interrupted");
    let (code, told) = polite.wait();
    assert_eq!(code, Some(130), "{told}");
    assert!(told.contains("interrupting …") && told.ends_with("error: interrupted\n"), "{told}");

    let stage = Stage::new();
    let mut deaf = Running::start(stage.command(&["run", "hold", "--json", "--faults", "ignore-interrupt"]));
    deaf.until(|event| {
        event["type"] == "item.started" && event["data"]["item"]["type"] == "commandExecution"
    });
    deaf.interrupt();
    // Signals of one kind are one while they wait: the first has to be heard before the second is sent.
    stage::until_said(&mut deaf.child, "interrupting …");
    deaf.interrupt();
    deaf.until(|event| event["type"] == "message.finished");
    assert_eq!(deaf.wait().0, Some(130));
}

#[test]
fn nobody_says_yes_in_a_pipe() {
    let stage = Stage::new();
    let ran = stage.run(&["run", "ask", "--approval-policy", "untrusted"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Thank you.\n"), "{ran:?}");
    assert!(
        ran.stderr.contains("may this command run?\n  May I?\n  $ /bin/sh -c 'echo asked > asked.txt'\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("  decline (by policy)\n"), "{}", ran.stderr);
    assert!(!stage.path("work/asked.txt").exists());
}
