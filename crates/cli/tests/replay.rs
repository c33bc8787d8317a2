//! `selvedge replay`: every form of a recording, played through the whole program.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use rustix::process::Signal;
use selvedge_recording::{Direction, Recording};
use serde_json::{Value, json};
use stage::{Ran, Stage, gateway::Gateway, told::Told};

fn transcript(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../transcripts")).join(name)
}

fn replay(stage: &Stage, file: &Path, more: &[&str]) -> Ran {
    let file = file.display().to_string();
    stage.run(&[&["replay", &file], more].concat())
}

/// How each message ended: status and text, sorted, since sessions that run at once end in any order.
fn ends(events: &[Value]) -> Vec<(String, String)> {
    let finished = events.iter().filter(|event| event["type"] == "message.finished");
    let text = |event: &Value, key: &str| event["data"][key].as_str().unwrap().to_owned();
    let mut ends: Vec<_> = finished.map(|event| (text(event, "status"), text(event, "text"))).collect();
    ends.sort();
    ends
}

#[test]
fn every_recording_of_ours_ends_as_it_ended() {
    let stage = Stage::new();
    let all = fs::read_dir(transcript("")).unwrap().map(|entry| entry.unwrap().path());
    let mut played = 0;
    for file in all.filter(|path| path.extension().is_some_and(|it| it == "zst")) {
        let expected = file.display().to_string().replace(".jsonl.zst", ".expected.json");
        let expected: Value = serde_json::from_str(&fs::read_to_string(expected).unwrap()).unwrap();
        let turns =
            expected["sessions"].as_array().unwrap().iter().flat_map(|it| it["turns"].as_array().unwrap());
        let messages = turns.flat_map(|turn| turn["messages"].as_array().cloned().unwrap_or_default());
        let text = |message: &Value, key: &str| message[key].as_str().unwrap().to_owned();
        let mut wanted: Vec<_> = messages.map(|it| (text(&it, "status"), text(&it, "text"))).collect();
        wanted.sort();
        let ran = replay(&stage, &file, &["--at-once", "--json"]);
        assert_eq!((ran.code, ends(&ran.lines())), (Some(0), wanted), "{}: {}", file.display(), ran.stderr);
        assert!(ran.lines().iter().all(|event| event["type"] != "codex.unknown"), "{}", file.display());
        played += 1;
    }
    assert!(played >= 7, "{played}");
}

#[test]
fn what_was_answered_then_is_answered_again_and_nobody_is_asked() {
    let stage = Stage::new();
    let asked = replay(&stage, &transcript("command-approval.jsonl.zst"), &["--at-once", "--json"]);
    let resolved: Vec<_> = asked.lines().into_iter().filter(|it| it["type"] == "approval.resolved").collect();
    let how: Vec<_> = resolved.iter().map(|it| (&it["data"]["decision"], &it["data"]["by"])).collect();
    let by = &json!("recording");
    assert_eq!(how, [(&json!("accept"), by), (&json!("decline"), by)], "{asked:?}");
    let called = replay(&stage, &transcript("tool-call.jsonl.zst"), &["--at-once", "--json"]);
    let answered = called.lines().into_iter().find(|it| it["type"] == "tool.resolved").unwrap();
    assert_eq!(answered["data"]["content"], json!([{"type": "text", "text": "A is ready"}]));
}

#[test]
fn people_see_it_as_they_saw_the_run() {
    let stage = Stage::new();
    let ran = replay(&stage, &transcript("simple.jsonl.zst"), &["--speed", "1000"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, "One two three four five six seven eight nine ten.\nThis way.\n");
    assert!(ran.stderr.contains("no Codex and no model"), "{ran:?}");
}

#[test]
fn stepwise_it_goes_on_at_enter() {
    let stage = Stage::new();
    let file = transcript("simple.jsonl.zst").display().to_string();
    let ran = stage.run_with_input(&["replay", &file, "--step"], &"\n".repeat(200));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("] turn/started — Enter") && ran.stdout.ends_with("This way.\n"), "{ran:?}");
}

#[test]
fn logs_of_relays_and_of_caic_are_played_too() {
    let stage = Stage::new();
    let recording = Recording::open(&transcript("simple.jsonl.zst")).unwrap();
    let wanted = ends(&replay(&stage, &transcript("simple.jsonl.zst"), &["--at-once", "--json"]).lines());
    let log = |directions: &[Direction], before: &str| {
        let kept = recording.entries.iter().filter(|entry| directions.contains(&entry.direction));
        let lines: Vec<_> = kept.map(|entry| entry.text.as_str()).collect();
        let path = stage.path("output.jsonl");
        fs::write(&path, format!("{before}{}\n", lines.join("\n"))).unwrap();
        replay(&stage, &path, &["--at-once", "--json"])
    };
    let meta = json!({"type": "caic_meta", "version": 1, "prompt": "p", "repos": [], "harness": "codex"})
        .to_string();
    for (directions, before) in [
        (&[Direction::Sent, Direction::Received][..], String::new()),
        (&[Direction::Received][..], String::new()),
        (&[Direction::Received][..], format!("{meta}\n")),
    ] {
        let ran = log(directions, &before);
        assert_eq!(
            (ran.code, ends(&ran.lines())),
            (Some(0), wanted.clone()),
            "{directions:?} {before}: {}",
            ran.stderr
        );
    }
    let early = concat!(env!("CARGO_MANIFEST_DIR"), "/../recording/src/read/tests/caic-early.jsonl");
    let ran = replay(&stage, Path::new(early), &["--at-once", "--json"]);
    assert_eq!(
        (ran.code, ends(&ran.lines())),
        (Some(0), vec![("completed".into(), "Done.".into())]),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("left out: line 8: an item `todo_list` has no words in Codex"), "{ran:?}");
    let accepted = ran.lines().into_iter().find(|it| it["type"] == "message.accepted").unwrap();
    assert_eq!(accepted["data"]["input"][0]["text"], "fix the bug");
}

/// What is exported as caic's log is one: played again, the same is said.
#[test]
fn a_session_exported_as_caics_log_is_played_again() {
    let stage = Stage::new();
    let ran = stage.run(&["run", "build it", "--json"]);
    let export = stage.run(&["export", &stage.session(), "--dialect", "caic"]);
    fs::write(stage.path("caic.jsonl"), &export.stdout).unwrap();
    let again = replay(&stage, &stage.path("caic.jsonl"), &["--at-once", "--json"]);
    assert_eq!((again.code, ends(&again.lines())), (Some(0), ends(&ran.lines())), "{again:?}");
}

#[test]
fn an_export_is_shown_as_it_is() {
    let stage = Stage::new();
    let ran = stage.run(&["run", "build it", "--json"]);
    let export = stage.run(&["export", &stage.session()]);
    fs::write(stage.path("export.jsonl"), &export.stdout).unwrap();
    let shown = replay(&stage, &stage.path("export.jsonl"), &["--at-once", "--json"]);
    assert_eq!((shown.code, &shown.stdout), (Some(0), &export.stdout), "{shown:?}");
    assert_eq!(Told::by(&shown.lines()).deltas, Told::by(&ran.lines()).deltas);
    let served = replay(&stage, &stage.path("export.jsonl"), &["--serve"]);
    assert_eq!(served.code, Some(2));
    assert!(
        served.stderr.contains("an export holds events") && served.stderr.contains("\nhint: "),
        "{served:?}"
    );
}

#[test]
fn what_cannot_be_played_says_why_and_what_to_do() {
    let stage = Stage::new();
    let put = |name: &str, bytes: &[u8]| {
        fs::write(stage.path(name), bytes).unwrap();
        stage.path(name)
    };
    let mut damaged = fs::read(transcript("simple.jsonl.zst")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let nothing = "{\"t\":0,\"dir\":\"->\",\"msg\":{\"id\":1,\"method\":\"initialize\"}}\n";
    let cases = [
        (stage.path("no-such-file"), "cannot be read"),
        (put("notes.txt", b"hello\n"), "is no recording"),
        (put("newer.jsonl", b"{\"selvedge_recording\":9}\n"), "is a recording of format 9"),
        (put("damaged.jsonl.zst", &damaged), "is damaged"),
        (put("nothing.jsonl", nothing.as_bytes()), "holds no turn that could be played"),
    ];
    for (file, told) in cases {
        let ran = replay(&stage, &file, &["--at-once"]);
        assert_eq!(ran.code, Some(2), "{told}: {ran:?}");
        assert!(ran.stderr.contains(told) && ran.stderr.contains("\nhint: "), "{told}: {ran:?}");
    }
    for wrong in
        [&["--speed", "0"][..], &["--speed", "fast"], &["--at-once", "--step"], &["--listen", "127.0.0.1:0"]]
    {
        assert_eq!(replay(&stage, &transcript("simple.jsonl.zst"), wrong).code, Some(2), "{wrong:?}");
    }
    fs::create_dir_all(stage.path("data/sessions")).unwrap();
    let full = stage.path("data").display().to_string();
    let ran = replay(&stage, &transcript("simple.jsonl.zst"), &["--data-dir", &full]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("is not empty"), "{ran:?}");
}

#[test]
fn the_page_has_it_and_says_what_it_is() {
    let stage = Stage::new();
    let (file, kept) = (transcript("two-threads.jsonl.zst").display().to_string(), stage.path("kept"));
    let words = ["replay", &file, "--serve", "--at-once", "--data-dir", kept.to_str().unwrap()];
    let mut command = stage.command(&words);
    command.stdin(Stdio::null());
    let gateway = Gateway::running(command);
    let idle = |sessions: &Value| {
        let all = sessions["items"].as_array().unwrap();
        all.len() == 2
            && all.iter().all(|session| session["state"] == "idle" && session["usage"]["total"] != 0)
    };
    let sessions = loop {
        let sessions = gateway.json("/v1/sessions");
        if idle(&sessions) {
            break sessions;
        }
    };
    for session in sessions["items"].as_array().unwrap() {
        assert_eq!(
            (&session["backend"]["kind"], &session["backend"]["version"]),
            (&json!("rehearsal"), &json!("0.166.0"))
        );
        let events =
            gateway.json(&format!("/v1/sessions/{}/events?after=0", session["id"].as_str().unwrap()));
        let told = Told::by(events["events"].as_array().unwrap());
        assert!(
            told.events
                .iter()
                .any(|(kind, data)| kind == "message.finished" && data["status"] == "completed")
        );
    }
    assert_eq!(gateway.get("/v1/sessions", None), 401, "it asks for its token as every gateway does");
    gateway.signal(Signal::INT);
    let (code, log) = gateway.ended();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("the recording has been played; the page stays until Ctrl-C"), "{log}");
    let kept = kept.display().to_string();
    assert_eq!(stage.run(&["sessions", "list", "--json", "--data-dir", &kept]).lines().len(), 2);
}
