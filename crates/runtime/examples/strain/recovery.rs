//! How long it takes after `kill -9`: of an app-server, and of the runtime's own process.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::Child,
    time::Instant,
};

use rustix::process::{Pid, Signal, kill_process};
use selvedge_runtime::{Events, Message, NewSession, Runtime, session::SessionId};
use serde_json::json;

use crate::{
    Failure, Load, Measured,
    stage::{self, Stage},
};

/// A turn that goes on for longer than a measurement.
pub(crate) const WORDS: &str = "{ flood = { deltas = 100000, every_ms = 20 } }";

/// From the kill to what readers see: another app-server, and the turn's first words there.
pub(crate) async fn app_server(load: Load) -> Measured {
    let (mut restarted, mut speaking) = (Vec::new(), Vec::new());
    for _ in 0..load.amount {
        let stage = Stage::open(&load, WORDS, |_| {}).await?;
        let sessions = stage.sessions(load.sessions).await?;
        let mut readers = Vec::new();
        for session in &sessions {
            let mut events = session.events(session.summary().await?.last_seq).await?;
            session.send(Message::text("go on")).await?;
            until(&mut events, "item.delta").await?;
            readers.push(events);
        }
        kill_app_servers(stage.directory())?;
        let killed = Instant::now();
        for events in &mut readers {
            until(events, "codex.restarted").await?;
        }
        restarted.push(milliseconds(killed));
        for events in &mut readers {
            until(events, "item.delta").await?;
        }
        speaking.push(milliseconds(killed));
        stage.close().await;
    }
    Ok(json!({ "restarted_ms": median(restarted), "speaking_ms": median(speaking) }))
}

/// From the start of another process to the next event of the session, and to the turn's next words.
pub(crate) async fn runtime(load: Load) -> Measured {
    let (mut event, mut speaking) = (Vec::new(), Vec::new());
    for _ in 0..load.amount {
        let directory = tempfile::tempdir()?;
        let mut host = Host::start(directory.path(), &load)?;
        host.until("item.delta")?;
        host.kill()?;
        let started = Instant::now();
        let mut host = Host::start(directory.path(), &load)?;
        host.until("")?;
        event.push(milliseconds(started));
        host.until("item.delta")?;
        speaking.push(milliseconds(started));
        host.kill()?;
        kill_app_servers(directory.path())?;
    }
    Ok(json!({ "event_ms": median(event), "speaking_ms": median(speaking) }))
}

/// A runtime to be killed: says the name of each event of its session. With a session in its directory it goes on with that one.
pub(crate) async fn host(rest: &[String], load: Load) -> Measured {
    let directory = stage::given(rest)?;
    let known = fs::read_to_string(directory.join("session")).ok();
    let config = stage::prepare(&directory, &load, WORDS)?;
    let runtime = Box::pin(Runtime::open(config)).await?;
    let mut events = match known {
        Some(known) => {
            let (id, seq) = known.split_once(' ').ok_or("no such session")?;
            runtime.session(SessionId(id.parse()?)).await?.events(seq.parse()?).await?
        }
        None => {
            let session = runtime.create(NewSession::in_directory(directory.to_string_lossy())).await?;
            session.send(Message::text("go on")).await?;
            let mut events = session.events(0).await?;
            until(&mut events, "item.delta").await?;
            fs::write(directory.join("session"), format!("{} {}", session.id(), events.seq()))?;
            events
        }
    };
    loop {
        for written in events.next(1_000).await? {
            println!("{}", written.read()?.what.name());
        }
    }
}

/// Such a program, and what it says.
struct Host {
    child: Child,
    said: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Host {
    fn start(directory: &Path, load: &Load) -> Result<Self, Failure> {
        let mut child = stage::again("host", directory, load)?;
        let said = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
        Ok(Self { child, said })
    }

    /// Reads up to an event of this name; with an empty one, the next.
    fn until(&mut self, name: &str) -> Result<(), Failure> {
        loop {
            let said = self.said.next().ok_or("the runtime ended")??;
            if name.is_empty() || said == name {
                return Ok(());
            }
        }
    }

    fn kill(mut self) -> Result<(), Failure> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

pub(crate) async fn until(events: &mut Events, name: &str) -> Result<(), Failure> {
    loop {
        for written in events.next(1).await? {
            if written.read()?.what.name() == name {
                return Ok(());
            }
        }
    }
}

/// Kills what plays Codex in this directory.
pub(crate) fn kill_app_servers(directory: &Path) -> Result<(), Failure> {
    let mark = directory.as_os_str().as_encoded_bytes();
    for process in fs::read_dir("/proc")?.flatten() {
        let words = |name: &str| fs::read(process.path().join(name)).unwrap_or_default();
        let has = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|window| window == part);
        let pid = process.file_name().to_string_lossy().parse().ok().and_then(Pid::from_raw);
        if let Some(pid) = pid
            && has(&words("cmdline"), b"app-server")
            && has(&words("environ"), mark)
        {
            // One that has ended meanwhile is as dead as we want it.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
    Ok(())
}

pub(crate) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
