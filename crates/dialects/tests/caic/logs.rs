//! Logs: written from a session, and read again.

use selvedge_dialects::caic::{Generation, Log, Speaker, Writer};
use serde_json::{Value, json};

use crate::support::{Script, id};

/// The whole log of a session.
fn log(script: &Script) -> String {
    let mut writer = Writer::default();
    let lines: Vec<_> = script.0.iter().filter_map(|event| writer.hear(event)).collect();
    let header = serde_json::to_string(&writer.header()).unwrap();
    let trailer = serde_json::to_string(&writer.trailer()).unwrap();
    [vec![header], lines, vec![trailer]].concat().join("\n")
}

#[test]
fn a_log_says_what_its_session_said_in_both_generations() {
    let script = Script::of_everything();
    for generation in [Generation::A, Generation::B] {
        let mut speaker = Speaker::of(generation);
        let said: Vec<_> =
            script.0.iter().flat_map(|event| speaker.hear(event)).map(|it| it.message).collect();
        assert_eq!(Log::read(&log(&script), generation).unwrap().messages, said);
    }
}

#[test]
fn a_log_has_a_header_and_a_trailer_that_caic_takes() {
    let text = log(&Script::of_everything());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let header = json!({"type": "caic_meta", "version": 1, "prompt": "Do it", "title": "Mine", "harness": "codex", "model": "m",
        "repos": [{"name": "/w", "branch": ""}], "started_at": "2026-11-16T07:47:28.000Z"});
    assert_eq!(lines[0], header);
    let trailer = json!({"type": "caic_result", "state": "waiting", "title": "Mine", "cost_usd": 0.5, "duration": 1.5, "num_turns": 1,
        "input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 40, "agent_result": "Done."});
    assert_eq!(lines.last().unwrap(), &trailer);
    assert!(
        lines[1..lines.len() - 1]
            .iter()
            .all(|line| line["method"].is_string() || line["type"] == "caic_diff_stat")
    );
    let read = Log::read(&text, Generation::B).unwrap();
    assert_eq!((read.session_id.as_deref(), read.restored()), (Some(id(0).as_str()), "waiting"));
}

#[test]
fn a_session_that_nobody_talked_to_has_a_log_too() {
    let mut script = Script::default();
    script.happens("session.created", json!({"cwd": "/w"}));
    assert!(Log::read(&log(&script), Generation::B).is_some());
}

#[test]
fn only_what_begins_as_a_log_is_one() {
    let header = json!({"type": "caic_meta", "version": 1, "prompt": "p", "harness": "codex", "repos": []});
    let with = |key: &str, value: Value| {
        let mut header = header.clone();
        header[key] = value;
        Log::read(&header.to_string(), Generation::B).is_some()
    };
    assert!(with("title", json!("t")));
    assert!(with("tailscale", json!(true)), "what it does not know does not matter");
    for (key, value) in [
        ("type", json!("x")),
        ("version", json!(2)),
        ("prompt", json!("")),
        ("harness", json!("")),
        ("repo", json!("r")),
    ] {
        assert!(!with(key, value), "{key}");
    }
    let mut seed = header.clone();
    (seed["repo"], seed["branch"]) = (json!("r"), json!("b"));
    assert!(Log::read(&seed.to_string(), Generation::A).is_some(), "the first specification's");
    assert_eq!(Log::read("", Generation::B), None);
    assert_eq!(Log::read("{}", Generation::B), None);
}

#[test]
fn a_log_that_was_cut_has_failed_and_a_state_that_nobody_knows_too() {
    let header = json!({"type": "caic_meta", "version": 1, "prompt": "p", "harness": "codex"}).to_string();
    let trailer = |state: &str| {
        let text = format!("{header}\nnot JSON\n{}", json!({"type": "caic_result", "state": state}));
        Log::read(&text, Generation::B).unwrap().trailer.state
    };
    for (state, expected) in
        [("waiting", "waiting"), ("purged", "purged"), ("terminated", "purged"), ("odd", "failed")]
    {
        assert_eq!(trailer(state), expected);
    }
    let cut = Log::read(&header, Generation::B).unwrap();
    assert_eq!((cut.trailer.state.as_str(), cut.restored()), ("failed", "failed"));
    assert!(cut.trailer.error.is_some());
}

#[test]
fn a_log_that_was_opened_again_has_several_headers_and_goes_on_with_its_last_thread() {
    let text = log(&Script::of_everything());
    let header = text.lines().next().unwrap();
    let begun = json!({"method": "thread/started", "params": {"thread": {"id": "second"}}});
    let text = format!("{text}\n{header}\n{begun}");
    let read = Log::read(&text, Generation::B).unwrap();
    assert_eq!(read.session_id.as_deref(), Some("second"));
    assert!(read.messages.iter().all(|message| message.kind != "caic_meta"));
}
