//! A full disk: the child waits, nothing is lost, and it goes on when there is room.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::stage::{Stage, program, until};

/// A relay on a disk of two megabytes that only it and we can see.
struct SmallDisk {
    attached: Child,
    state: PathBuf,
    _stage: Stage,
}

/// `None` where this machine allows no such disk.
#[expect(clippy::disallowed_methods, reason = "the test owns it, and ends it")]
fn small_disk(option: &str, child: &str) -> Option<SmallDisk> {
    let stage = Stage::new();
    fs::create_dir(&stage.state).unwrap();
    let script = "mount -t tmpfs -o size=2m small \"$CAIC_RELAY_DIR\" || exit 77
        head -c 1900000 /dev/zero > \"$CAIC_RELAY_DIR/ballast\"
        exec \"$0\" serve-attach --dir . --no-log-stdin $2 -- sh -c \"$1\"";
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).arg(program());
    command.args([child, option]);
    command.env("CAIC_RELAY_DIR", &stage.state).current_dir(&stage.folder);
    let mut attached = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let seen_by = |pid: &str| {
        let inside = Path::new("/proc").join(pid).join("root");
        inside.join(stage.state.strip_prefix("/").unwrap())
    };
    let first = seen_by(&attached.id().to_string());
    let begun = until("its client is there, or there is no such disk", || {
        if attached.try_wait().unwrap().is_some() {
            return Some(false);
        }
        let told = fs::read_to_string(first.join("relay.log")).unwrap_or_default();
        Some(true).filter(|_| told.contains("client #1 connected"))
    });
    // The client will go, the daemon stays.
    let state = begun.then(|| seen_by(&fs::read_to_string(first.join("pid")).unwrap()))?;
    Some(SmallDisk { attached, state, _stage: stage })
}

/// The relay's child ends when its relay does.
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let pid = fs::read_to_string(self.state.join("pid")).ok().and_then(|pid| pid.parse().ok());
        if let Some(daemon) = pid.and_then(rustix::process::Pid::from_raw) {
            let _gone = rustix::process::kill_process(daemon, rustix::process::Signal::KILL);
        }
        let _gone = self.attached.kill();
        let _reaped = self.attached.wait();
    }
}

#[test]
fn a_full_disk_makes_the_child_wait_and_nothing_is_lost() {
    let Some(disk) = small_disk("", "seq 1 500000; echo END; cat") else {
        return not_run();
    };
    let log = disk.state.join("output.jsonl");
    let length = || log.metadata().map_or(0, |log| log.len());
    // 2 MiB, less the ballast: the child has far more to say.
    let told = || fs::read_to_string(disk.state.join("relay.log")).unwrap_or_default();
    until("the disk is full", || {
        Some(()).filter(|()| told().contains("the subprocess has to wait: No space left"))
    });
    assert!(length() > 50_000 && length() < 300_000, "{}", length());
    // A client meanwhile gets what is there, and what it says is heard.
    let mut peer = UnixStream::connect(disk.state.join("relay.sock")).unwrap();
    peer.write_all(b"{\"offset\": 0}\nhello\n").unwrap();
    let mut beginning = [0; 1000];
    peer.read_exact(&mut beginning).unwrap();
    assert!(beginning.starts_with(b"1\n2\n3\n"));
    // The log is larger than all that was ever free: room for it has to be made by the ballast's going.
    fs::remove_file(disk.state.join("ballast")).unwrap();
    let said =
        until("there is room again", || Some(fs::read(&log).unwrap()).filter(|said| said.len() > 1_900_000));
    let expected: String = (1..=500_000).map(|number| format!("{number}\n")).collect();
    assert!(expected.as_bytes().starts_with(&said), "something was lost");
    assert!(told().contains("output.jsonl can be written again"), "{}", told());
}

#[test]
fn who_heard_a_line_ahead_of_a_full_disk_goes_on_after_it() {
    let Some(disk) = small_disk("--ahead", "while read -r number; do printf '%01000d\n' $number; done")
    else {
        return not_run();
    };
    let log = disk.state.join("output.jsonl");
    let attach = |offset: usize| {
        let mut peer = UnixStream::connect(disk.state.join("relay.sock")).unwrap();
        peer.write_all(format!("{{\"offset\": {offset}}}\n").as_bytes()).unwrap();
        peer
    };
    let mut line = [0; 1001];
    let mut heard = 0;
    let mut peer = attach(0);
    // Every line is asked for when the one before it is there: the one that has no room is heard, and is not in the log.
    let mut number = 0;
    while log.metadata().unwrap().len() >= heard {
        number += 1;
        peer.write_all(format!("{number}\n").as_bytes()).unwrap();
        peer.read_exact(&mut line).unwrap();
        heard += line.len() as u64;
        assert_eq!(line, *format!("{number:01000}\n").as_bytes());
        let told = || fs::read_to_string(disk.state.join("relay.log")).unwrap_or_default();
        until("it is in the log, or there is no room", || {
            let is_there = log.metadata().unwrap().len() == heard;
            Some(()).filter(|()| is_there || told().contains("the subprocess has to wait: No space left"))
        });
    }
    drop(peer);
    let mut next = attach(usize::try_from(heard).unwrap());
    next.write_all(b"7\n").unwrap();
    fs::remove_file(disk.state.join("ballast")).unwrap();
    next.read_exact(&mut line).unwrap();
    assert_eq!(line, *format!("{:01000}\n", 7).as_bytes(), "it was told again, or something was lost");
    let said = until("all is in the log", || {
        Some(fs::read_to_string(&log).unwrap()).filter(|said| said.len() as u64 == heard + line.len() as u64)
    });
    let numbers = (1..=number).chain([7]);
    assert_eq!(said, numbers.map(|number| format!("{number:01000}\n")).collect::<String>());
}

fn not_run() {
    io::stderr().write_all(b"NOT RUN: a small disk needs `unshare` and user namespaces\n").unwrap();
}
