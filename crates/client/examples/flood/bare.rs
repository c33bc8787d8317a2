//! The bare ways: what a pipe, a line splitter and a decoder cost without a client around them.

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde::Deserialize;

use super::{Seen, Source};

/// As large as our client's reads are.
const CHUNK: usize = 64 * 1024;

/// A started app-server with its turn under way.
struct Flooding {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// Reads bytes, and nothing more.
pub(super) fn pipe(source: &Source) -> Result<Seen, Box<dyn Error>> {
    let mut flooding = start(source)?;
    let mut chunk = vec![0; CHUNK];
    let mut newlines = 0;
    // The flood ends with `turn/completed`; closing stdin then ends the process, and so the stream.
    while newlines < source.deltas {
        match flooding.stdout.read(&mut chunk)? {
            0 => break,
            read => newlines += memchr::memchr_iter(b'\n', &chunk[..read]).count(),
        }
    }
    finish(flooding, newlines.min(source.deltas))
}

/// Splits lines, and nothing more.
pub(super) fn lines(source: &Source) -> Result<Seen, Box<dyn Error>> {
    each_line(source, |line| line.starts_with(br#"{"method":"item/agentMessage/delta""#))
}

/// Decodes each line into a typed struct.
pub(super) fn decode(source: &Source) -> Result<Seen, Box<dyn Error>> {
    each_line(source, |line| match serde_json::from_slice::<Typed<'_>>(line) {
        Ok(typed) => typed.method == "item/agentMessage/delta" && typed.params.is_whole(),
        Err(_) => false,
    })
}

#[derive(Deserialize)]
struct Typed<'a> {
    method: &'a str,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    thread_id: &'a str,
    turn_id: &'a str,
    item_id: &'a str,
    delta: &'a str,
}

impl Params<'_> {
    fn is_whole(&self) -> bool {
        !(self.thread_id.is_empty()
            || self.turn_id.is_empty()
            || self.item_id.is_empty()
            || self.delta.is_empty())
    }
}

fn each_line(source: &Source, mut is_delta: impl FnMut(&[u8]) -> bool) -> Result<Seen, Box<dyn Error>> {
    let mut flooding = start(source)?;
    let mut deltas = 0;
    let mut line = Vec::new();
    while deltas < source.deltas {
        line.clear();
        if flooding.stdout.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        deltas += usize::from(is_delta(&line));
    }
    finish(flooding, deltas)
}

/// Starts the app-server, its thread and its turn.
fn start(source: &Source) -> Result<Flooding, Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "a measurement without our client; awaited in `finish`")]
    let mut command = Command::new(&source.program);
    let mut child = command.args(&source.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the pipes are missing".into());
    };
    let mut flooding = Flooding { child, stdin, stdout: BufReader::with_capacity(CHUNK, stdout) };
    flooding
        .ask(r#"{"method":"initialize","id":1,"params":{"clientInfo":{"name":"flood","version":"1"}}}"#)?;
    let thread = flooding.ask(r#"{"method":"thread/start","id":2,"params":{}}"#)?;
    let thread = thread["result"]["thread"]["id"].as_str().ok_or("thread/start gave no thread")?.to_owned();
    let input = serde_json::json!([{"type": "text", "text": "flood"}]);
    let turn =
        serde_json::json!({"method": "turn/start", "id": 3, "params": {"threadId": thread, "input": input}});
    writeln!(flooding.stdin, "{turn}")?;
    Ok(flooding)
}

impl Flooding {
    /// Asks and reads up to the answer.
    fn ask(&mut self, request: &str) -> Result<serde_json::Value, Box<dyn Error>> {
        writeln!(self.stdin, "{request}")?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line)? == 0 {
                return Err("the app-server ended".into());
            }
            let message: serde_json::Value = serde_json::from_str(&line)?;
            if message.get("method").is_none() {
                return Ok(message);
            }
        }
    }
}

fn finish(flooding: Flooding, deltas: usize) -> Result<Seen, Box<dyn Error>> {
    let Flooding { mut child, stdin, mut stdout } = flooding;
    drop(stdin);
    std::io::copy(&mut stdout, &mut std::io::sink())?;
    child.wait()?;
    Ok(Seen { deltas, extra: None })
}
