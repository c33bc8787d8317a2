//! What holds for every command: who beats whom, how things are named, what is found out and cleared up.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use stage::{Ran, Running, Stage, interrupt};

/// One thing the doctor looked at.
fn found(ran: &Ran, name: &str) -> Value {
    let findings = ran.lines()[0]["findings"].clone();
    let findings = findings.as_array().unwrap();
    findings
        .iter()
        .find(|finding| finding["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {ran:?}"))
        .clone()
}

#[test]
fn a_flag_beats_the_environment_beats_the_file() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    fs::write(stage.path("data/selvedge.toml"), "codex = \"/from/the/file\"\n").unwrap();
    let doctor = |environment: Option<&str>, flag: &[&str]| {
        let mut command = stage.command(&[&["doctor", "--json"], flag].concat());
        match environment {
            Some(codex) => command.env("SELVEDGE_CODEX", codex),
            None => command.env_remove("SELVEDGE_CODEX"),
        };
        found(&Ran::from(command.output().unwrap()), "codex")["detail"].as_str().unwrap().to_owned()
    };
    let (env, flag) = (Some("/from/the/environment"), ["--codex", "/from/the/flag"]);
    assert_eq!(doctor(None, &[]), "there is no Codex at /from/the/file");
    assert_eq!(doctor(env, &[]), "there is no Codex at /from/the/environment");
    assert_eq!(doctor(env, &flag), "there is no Codex at /from/the/flag");
}

#[test]
fn any_ending_that_only_one_has_names_a_session() {
    let stage = Stage::new();
    stage.run(&["run", "hello"]);
    let first = stage.session();
    stage.run(&["run", "hello"]);
    let shown = stage.run(&["sessions", "show", &first[first.len() - 5..], "--json"]);
    assert_eq!(shown.lines()[0]["id"], first.as_str(), "{shown:?}");
    let both = stage.run(&["sessions", "show", ""]);
    assert_eq!(both.code, Some(2), "{both:?}");
    assert!(both.stderr.contains("2 sessions' ids end with") && both.stderr.contains("\nhint: "), "{both:?}");
}

#[test]
fn a_picture_goes_with_the_message() {
    let stage = Stage::new();
    fs::write(stage.path("work/dot.png"), b"\x89PNG\r\n\x1a\n and so on").unwrap();
    let ran = stage.run(&["run", "hello", "--image", "dot.png", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let events = ran.lines();
    let accepted = events.iter().find(|event| event["type"] == "message.accepted").unwrap();
    let parts = accepted["data"]["input"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| part["type"].as_str().unwrap()).collect();
    assert_eq!((kinds, &parts[1]["media_type"]), (vec!["text", "image"], &"image/png".into()));
    assert!(!ran.stdout.contains("and so on"), "the picture itself stands in no event");
}

/// What the real Codex says of itself; `cargo xtask test` says where it is.
#[test]
fn the_doctor_asks_the_real_codex() {
    let codex = env::var("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is");
    let stage = Stage::new();
    let doctor = || stage.run(&["doctor", "--json", "--codex", &codex]);
    let nobody = doctor();
    let version = found(&nobody, "codex")["detail"].as_str().unwrap().to_owned();
    assert!(version.starts_with("0.166.0, ") && version.ends_with("/codex"), "{version}");
    let home = stage.path("home").display().to_string();
    assert!(found(&nobody, "home")["detail"].as_str().unwrap().ends_with(&home), "{nobody:?}");
    let login = found(&nobody, "login");
    assert_eq!((&login["state"], &login["detail"]), (&"problem".into(), &"not logged in".into()));
    assert_eq!((nobody.code, &login["hint"]), (Some(3), &"log in with `codex login`".into()));
    // Whether this machine has a sandbox or not: it was tried, and what is wrong has its remedy.
    let sandbox = found(&nobody, "sandbox");
    assert!(sandbox["state"] == "good" || sandbox["hint"].is_string(), "{sandbox}");
    let provider = "model_provider = \"own\"\n[model_providers.own]\nname = \"own\"\nbase_url = \"http://127.0.0.1:9/v1\"\nwire_api = \"responses\"\n";
    fs::write(stage.path("home/config.toml"), provider).unwrap();
    let needless = doctor();
    assert_eq!(
        (needless.code, &found(&needless, "login")["state"]),
        (Some(0), &"good".into()),
        "{needless:?}"
    );
}

/// The processes of a stage: what has its folder in the environment.
fn processes(stage: &Stage) -> Vec<(Pid, String)> {
    let mark = stage.path("data").display().to_string();
    let running = fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
        let pid: i32 = process.file_name().to_str()?.parse().ok()?;
        let environment = fs::read(process.path().join("environ")).ok()?;
        let command = fs::read(process.path().join("cmdline")).ok()?;
        let ours = String::from_utf8_lossy(&environment).contains(&mark);
        ours.then(|| (Pid::from_raw(pid).unwrap(), String::from_utf8_lossy(&command).replace('\0', " ")))
    });
    running.collect()
}

#[test]
fn what_a_killed_program_left_running_is_ended_by_the_next_command() {
    let stage = Stage::new();
    let mut run = Running::start(stage.command(&["run", "hold", "--json"]));
    run.until(|event| event["type"] == "item.delta" && event["data"]["kind"] == "output");
    // Stopped, it can neither hear of the death nor clear up after it.
    let program = Pid::from_child(&run.child);
    kill_process(program, Signal::STOP).unwrap();
    for (pid, _) in processes(&stage).iter().filter(|(_, command)| command.contains("rehearse app-server")) {
        kill_process(*pid, Signal::KILL).unwrap();
    }
    kill_process(program, Signal::KILL).unwrap();
    run.wait();
    assert_eq!(stage.run(&["sessions"]).code, Some(0));
    assert_eq!(processes(&stage), [], "a command that outlived its app-server and its program");
}

#[test]
fn sessions_are_kept_for_as_many_days_as_serve_is_told() {
    let stage = Stage::new();
    stage.run(&["run", "hello"]);
    stage.session();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--retain-days", "0"];
    let mut gateway = stage.command(&serve).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    BufReader::new(gateway.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    interrupt(&gateway);
    assert!(gateway.wait().unwrap().success());
    assert_eq!(stage.run(&["sessions", "list", "--json"]).stdout, "");
}
