//! What cannot be used is said, with what to do, and no token is ever shown.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
};

use crate::stage::{Ran, Stage, gateway::Gateway};

const SECRET: &str = "a-secret-nobody-should-see";

fn refused(ran: &Ran, code: i32, told: &[&str]) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("\nhint: "), "{ran:?}");
    for part in told {
        assert!(ran.stderr.contains(part), "{part:?} in {ran:?}");
    }
    assert!(!ran.stderr.contains(SECRET), "{ran:?}");
}

/// Something that answers every request with this.
fn answers(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _head = stream.read(&mut [0; 4096]).unwrap();
            let length = answer.split("\r\n\r\n").nth(1).unwrap().len();
            let answer = answer.replace("LENGTH", &length.to_string());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    format!("http://{address}")
}

#[test]
fn a_token_that_is_missing_wrong_or_too_weak() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    let file = stage.path("data/tokens.toml");
    fs::write(&file, format!("[[tokens]]\nname = \"wall\"\ntoken = \"{SECRET}\"\nscopes = [\"read\"]\n"))
        .unwrap();
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let gateway = Gateway::start(&stage, &[]);
    let url = gateway.url();
    let elsewhere = stage.path("elsewhere");
    let elsewhere = elsewhere.to_str().unwrap();
    let none = stage.run(&["sessions", "--gateway", &url, "--data-dir", elsewhere]);
    refused(&none, 2, &["wants a token", "SELVEDGE_TOKEN"]);
    let wrong = stage.run(&["run", "hello", "--token", "not-this-one-0123456789"]);
    refused(&wrong, 2, &["does not know this token", "SELVEDGE_TOKEN"]);
    assert!(!wrong.stderr.contains("not-this-one"), "{wrong:?}");
    let weak = stage.run(&["run", "hello", "--token", SECRET]);
    refused(&weak, 2, &["the token `wall` has no scope `write`"]);
    let mut reads = stage.command(&["sessions"]);
    reads.env("SELVEDGE_GATEWAY", &url).env("SELVEDGE_TOKEN", SECRET).env("SELVEDGE_DATA_DIR", elsewhere);
    let reads = Ran::from(reads.output().unwrap());
    assert_eq!((reads.code, reads.stdout.as_str()), (Some(0), "no sessions yet; selvedge run makes one\n"));
    let own = stage.run(&["sessions", "--gateway", &url]);
    assert_eq!(own.code, Some(0), "the one on our directory is known by its address too: {own:?}");
    gateway.stopped();
}

#[test]
fn nothing_there_or_something_else() {
    let stage = Stage::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = format!("http://{free}");
    let ok =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: LENGTH\r\n\r\n{\"items\":[]}";
    let newer = "HTTP/1.1 200 OK\r\nselvedge-version: 99.1.0\r\ncontent-length: LENGTH\r\n\r\n{\"items\":[]}";
    let away = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: LENGTH\r\n\r\n.";
    for (address, told) in [
        (nobody, "does not answer: Connection refused"),
        (answers(ok), "is no gateway for this selvedge: it does not say that it is one"),
        (answers(newer), "it is version 99.1.0, and this is 0."),
        (answers(away), "it answered 302"),
        (answers("SSH-2.0-server\r\n\r\n"), "does not answer: "),
    ] {
        for command in [&["sessions"][..], &["run", "hello"]] {
            let ran = stage.run(&[command, &["--gateway", &address, "--token", SECRET]].concat());
            refused(&ran, 1, &[told, &address]);
        }
    }
    assert!(!stage.path("data").exists(), "nothing is done here instead");
}

#[test]
fn one_that_was_found_and_does_not_answer_is_no_reason_to_go_on_without_it() {
    let stage = Stage::new();
    fs::create_dir(stage.path("data")).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    // As a gateway does that is ending: its place is taken, and nobody listens.
    let lock = File::create(stage.path("data/gateway.lock")).unwrap();
    lock.lock().unwrap();
    let tell = |version: &str| {
        let text =
            format!(r#"{{"url":"http://{free}","pid":4711,"version":"{version}","token":"{SECRET}"}}"#);
        fs::write(stage.path("data/gateway.json"), text).unwrap();
    };
    tell(env!("CARGO_PKG_VERSION"));
    let ran = stage.run(&["run", "hello"]);
    refused(&ran, 1, &["(process 4711, http://", "does not answer: Connection refused", "--local"]);
    assert_eq!(stage.run(&["run", "hello", "--local"]).code, Some(0));
    tell("99.0.0");
    refused(&stage.run(&["sessions"]), 1, &["is version 99.0.0, and this is ", "selvedge stop"]);
    drop(lock);
    assert_eq!(stage.run(&["sessions"]).code, Some(0), "what a dead one left is nobody");
}

#[test]
fn what_only_this_process_could_do_is_not_left_undone_in_silence() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let faults = stage.run(&["run", "hello", "--faults", "ignore-interrupt"]);
    refused(&faults, 2, &["`--faults` cannot be said to a gateway", "--local"]);
    let backup = stage.run(&["backup", "x.db", "--gateway", &gateway.url()]);
    refused(&backup, 2, &["are not kept here", "--local"]);
    let address = stage.run(&["sessions", "--gateway", &format!("{}/?token={SECRET}", gateway.url())]);
    refused(&address, 2, &["SELVEDGE_TOKEN"]);
    let root = stage.path("work");
    gateway.stopped();
    let narrow = Gateway::start(&stage, &["--allow-root", root.to_str().unwrap()]);
    refused(&stage.run(&["run", "hello", "--cwd", "/"]), 2, &["is not under an allowed root"]);
    narrow.stopped();
}
