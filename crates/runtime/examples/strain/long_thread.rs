//! How long it takes after `kill -9` of an app-server when the thread is long, and how much of that is the reading of the
//! thread by whoever plays Codex.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
    time::Instant,
};

use selvedge_runtime::{Message, SessionHandle};
use serde_json::{Value, json};

use crate::{
    Failure, Load, Measured,
    recovery::{WORDS, kill_app_servers, milliseconds, until},
    stage::Stage,
};

/// One session; `load.amount` turns come first.
pub(crate) async fn measure(load: Load) -> Measured {
    let stage = Stage::open(&load, WORDS, |_| {}).await?;
    let session = stage.sessions(1).await?.remove(0);
    let short = recovery(&stage, &session).await?;
    for _ in 0..load.amount {
        let sent = session.send(Message::text("hello")).await?;
        session.finished(sent.message_id).await?;
    }
    let long = recovery(&stage, &session).await?;
    let thread = session.summary().await?.thread_id.ok_or("no thread")?;
    kill_app_servers(stage.directory())?;
    let alone = resumed_alone(&stage, &load, &thread)?;
    stage.close().await;
    Ok(json!({ "short_ms": short, "long_ms": long, "alone_ms": alone }))
}

/// From the kill to the turn's first words on another app-server. The turn is stopped afterwards.
async fn recovery(stage: &Stage, session: &SessionHandle) -> Result<f64, Failure> {
    let mut events = session.events(session.summary().await?.last_seq).await?;
    let sent = session.send(Message::text("go on")).await?;
    until(&mut events, "item.delta").await?;
    kill_app_servers(stage.directory())?;
    let killed = Instant::now();
    until(&mut events, "codex.exited").await?;
    until(&mut events, "item.delta").await?;
    let took = milliseconds(killed);
    session.interrupt(false).await?;
    session.finished(sent.message_id).await?;
    Ok(took)
}

/// What plays Codex, started and asked for the thread, with nobody between.
fn resumed_alone(stage: &Stage, load: &Load, thread: &str) -> Result<f64, Failure> {
    let started = Instant::now();
    #[expect(clippy::disallowed_methods, reason = "killed and awaited below")]
    let mut child = Command::new(&load.selvedge)
        .args(["rehearse", "app-server", "--scenario"])
        .arg(stage.directory().join("scenario.toml"))
        .env("CODEX_HOME", stage.directory().join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let resumed = ask_for(&mut child, thread);
    let took = milliseconds(started);
    child.kill()?;
    child.wait()?;
    resumed?;
    Ok(took)
}

fn ask_for(child: &mut Child, thread: &str) -> Result<(), Failure> {
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    let hello = json!({ "clientInfo": { "name": "strain", "version": "0" }, "capabilities": { "experimentalApi": true } });
    let resume = json!({ "threadId": thread, "excludeTurns": true });
    for (id, method, params) in [(1, "initialize", hello), (2, "thread/resume", resume)] {
        writeln!(input, "{}", json!({ "id": id, "method": method, "params": params }))?;
        let answer = loop {
            let line: Value = serde_json::from_str(&lines.next().ok_or("it ended")??)?;
            if line["id"] == id && line.get("method").is_none() {
                break line;
            }
        };
        if answer.get("error").is_some() {
            return Err(answer.to_string().into());
        }
        if id == 1 {
            writeln!(input, "{}", json!({ "method": "initialized" }))?;
        }
    }
    Ok(())
}
