//! Whatever is asked, with a gateway and without one the same is printed, and the exit code is the same.

use serde_json::{Value, json};

use crate::stage::{Ran, Stage, gateway::Gateway};

/// What is different each time stands as a word: ids, times, directories, and who said it.
fn plain(text: &str, stage: &Stage) -> String {
    let text = text.replace(stage.path("work").to_str().unwrap(), "WORK").replace("local/http", "cli");
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "-.:".contains(letter);
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter: char| is_word(letter) != is_word(first)).unwrap_or(rest.len());
        plain.push_str(worded(&rest[..end]));
        rest = &rest[end..];
    }
    // A column is as wide as what stands in it.
    plain.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn worded(word: &str) -> &str {
    let hex = |word: &str| word.chars().all(|letter| letter.is_ascii_hexdigit());
    let dashes: Vec<_> = word.match_indices('-').map(|(place, _)| place).collect();
    let digits = word.strip_suffix(['s', 'm']).is_some_and(|it| it.parse::<f64>().is_ok());
    match word.len() {
        36 if dashes == [8, 13, 18, 23] => "ID",
        24 if word.starts_with("20") && word.ends_with('Z') => "TIME",
        8 if hex(word) => "SHORT",
        _ if digits => "SECONDS",
        _ => word,
    }
}

/// A stage with a gateway, and one without.
struct Both {
    local: Stage,
    served: Stage,
    gateway: Gateway,
}

impl Both {
    fn new() -> Self {
        let served = Stage::new();
        let gateway = Gateway::start(&served, &[]);
        Self { local: Stage::new(), served, gateway }
    }

    /// Both do it; `ID` is the newest session of each.
    fn same(&self, arguments: &[&str]) -> Ran {
        let [local, served] = [&self.local, &self.served].map(|stage| {
            let id = if arguments.contains(&"ID") { newest(stage) } else { String::new() };
            let arguments: Vec<_> =
                arguments.iter().map(|word| if *word == "ID" { id.as_str() } else { word }).collect();
            let ran = stage.run(&arguments);
            assert!(!arguments.contains(&"--json") || ran.stdout.lines().all(|line| line.starts_with('{')));
            Ran { stdout: plain(&ran.stdout, stage), ..ran }
        });
        assert_eq!(local.code, served.code, "{arguments:?}: {local:?} {served:?}");
        assert_eq!(local.stdout, served.stdout, "{arguments:?}: {}", served.stderr);
        served
    }
}

fn newest(stage: &Stage) -> String {
    let listed = stage.run(&["sessions", "list", "--all", "--json"]).lines();
    let id = listed.last().unwrap()["id"].as_str().unwrap().to_owned();
    id[id.len() - 8..].to_owned()
}

#[test]
fn every_command_prints_the_same() {
    let both = Both::new();
    for stage in [&both.local, &both.served] {
        std::fs::write(stage.path("work/shape.json"), r#"{"type":"object"}"#).unwrap();
    }
    for arguments in [
        &["sessions"][..],
        &["run", "hello"],
        &["run", "build it"],
        &["run", "give it a shape", "--output-schema", "shape.json"],
        &["sessions"],
        &["sessions", "show", "ID"],
        &["run", "hello", "--resume", "ID"],
        &["export", "ID", "--dialect", "markdown"],
        &["approvals"],
        &["approvals", "list", "--json"],
        &["sessions", "fork", "ID"],
        &["sessions", "archive", "ID"],
        &["sessions", "list", "--all"],
        &["sessions", "rm", "ID", "--json"],
        &["sessions", "show", "ffffffff"],
        &["sessions", "prune", "--older-than", "1"],
    ] {
        both.same(arguments);
    }
    let pruned = both.same(&["sessions", "prune", "--older-than", "0", "--json"]);
    assert_eq!(pruned.stdout.matches("ID").count(), 3, "{pruned:?}");
    assert_eq!(both.same(&["sessions"]).stdout, "no sessions yet; selvedge run makes one\n");
}

#[test]
fn the_exit_code_says_how_it_ended() {
    let both = Both::new();
    for (arguments, code) in [
        (&["fail as server_error"][..], 1),
        (&["hello", "--resume", "ffffffff"], 2),
        (&["hello", "--max-cost", "1"], 2),
        (&["fail as unauthorized"], 3),
        (&["fail as usage_limit"], 5),
        (&["spend", "--max-tokens", "1000"], 5),
        (&["act and crash"], 6),
        (&["hang", "--deadline", "1"], 124),
    ] {
        let ran = both.same(&[&["run"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("error: "), "{ran:?}");
    }
}

/// What is told of a session, without what is different each time. How text is cut into deltas is one of those.
fn told(ran: &Ran) -> Vec<(Value, Value)> {
    let events = ran.lines().into_iter().filter(|event| event["type"] != "item.delta");
    events.map(|event| (event["type"].clone(), event["data"]["status"].clone())).collect()
}

#[test]
fn events_are_the_journals_own_and_a_session_is_made_with_the_same() {
    let both = Both::new();
    let [local, served] = [&both.local, &both.served].map(|stage| {
        let ran = stage.run(&["run", "build it", "--json"]);
        let exported = stage.run(&["export", &newest(stage)]);
        assert!(exported.stdout.starts_with(&ran.stdout), "byte by byte: {ran:?} {exported:?}");
        let numbers: Vec<_> = exported.lines().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        let local = stage.run(&["export", &newest(stage), "--local"]);
        assert_eq!(local.stdout, exported.stdout, "the journal says the same");
        let mut made = ran.lines()[0]["data"].clone();
        for different in ["id", "cwd", "created_at", "updated_at"] {
            made.as_object_mut().unwrap().remove(different);
        }
        (told(&ran), made)
    });
    assert_eq!(local, served);
    assert_eq!(served.1["unattended"], json!("decline"));
}

#[test]
fn a_picture_and_a_prompt_from_stdin_arrive() {
    let both = Both::new();
    let picture = [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 1];
    for stage in [&both.local, &both.served] {
        std::fs::write(stage.path("work/dot.png"), picture).unwrap();
        let ran = stage.run_with_input(&["run", "-", "--image", "dot.png"], "hello\n");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Hello, you.\n"), "{ran:?}");
    }
    both.same(&["sessions", "show", "ID"]);
}

#[test]
fn a_backup_is_made_beside_a_gateway_and_the_doctor_says_where_it_is() {
    let both = Both::new();
    let stage = &both.served;
    both.same(&["run", "hello"]);
    let file = stage.path("copy.db");
    let backup = stage.run(&["backup", file.to_str().unwrap()]);
    assert_eq!(backup.code, Some(0), "{backup:?}");
    assert!(file.exists());
    let well = stage.run(&["doctor", "--json"]);
    let finding = |ran: &Ran| {
        let findings = ran.lines()[0]["findings"].clone();
        findings.as_array().unwrap().iter().find(|it| it["name"] == "gateway").unwrap().clone()
    };
    let found = finding(&well);
    let gateway = &both.gateway;
    let wanted = format!("commands use {} (process {})", gateway.url(), gateway.pid());
    assert_eq!((&found["state"], &found["detail"]), (&json!("good"), &json!(wanted)), "{well:?}");
    assert_eq!(finding(&both.local.run(&["doctor", "--json"]))["state"], "note");
    let home = stage.path("home");
    let flagged = stage.run(&["doctor", "--json", "--codex-home", home.to_str().unwrap()]);
    assert_eq!(finding(&flagged)["state"], "good", "what is said to the doctor is said about this machine");
    let ill = stage.run(&["doctor", "--json", "--gateway", "http://127.0.0.1:1"]);
    assert_eq!((ill.code, &finding(&ill)["state"]), (Some(1), &json!("problem")), "{ill:?}");
}
