//! Passes the frames of one direction on, with what happens to them.

use std::{
    io,
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use super::{
    dice::{Decision, Dice},
    frame::Names,
    future::Future,
    kind::{Direction, Fault, Whom},
};

/// A line that is not JSON.
const GARBAGE: &[u8] = b"proxy: a line that is not JSON\n";

/// What both directions share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) names: Names,
    pub(super) silence: Silence,
    /// Where a pump says who is to be killed.
    pub(super) kills: mpsc::Sender<Whom>,
    pub(super) log: super::log::Log,
    /// Whether what is said is made to look like a later Codex's.
    pub(super) future: Option<Future>,
}

/// Until when nothing passes.
#[derive(Debug, Clone, Default)]
pub(super) struct Silence {
    until: Arc<Mutex<Option<Instant>>>,
}

impl Silence {
    fn begin(&self, length: Duration) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + length);
    }

    async fn over(&self) {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            sleep_until(until).await;
        }
    }
}

/// One direction.
pub(super) struct Pump<W> {
    pub(super) output: W,
    pub(super) direction: Direction,
    pub(super) dice: Dice,
    pub(super) shared: Shared,
}

impl<W: AsyncWrite + Unpin> Pump<W> {
    /// Runs until the input ends or nobody takes the output; closing the output is what the end looks like.
    pub(super) async fn run(mut self, input: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line).await? > 0 {
            let name = self.shared.names.name(self.direction, &line);
            let decision = self.dice.next(&name);
            self.shared.log.tell(self.direction, &name, decision);
            self.shared.silence.over().await;
            if let Some(future) = &self.shared.future {
                line = future.pass(self.direction, &name, &line);
            }
            if self.pass(&line, decision).await?.is_break() {
                return Ok(());
            }
            line.clear();
        }
        self.output.shutdown().await
    }

    async fn pass(&mut self, line: &[u8], decision: Decision) -> io::Result<ControlFlow<()>> {
        let half = &line[..line.len() / 2];
        match decision.fault {
            None => self.put(line).await?,
            Some(Fault::Drop) => {}
            Some(Fault::Duplicate) => self.put(&line.repeat(2)).await?,
            Some(Fault::Corrupt) => self.put(&corrupted(line, decision.chance)).await?,
            Some(Fault::Cut) => self.put(half).await?,
            Some(Fault::Garbage) => self.put(&[GARBAGE, line].concat()).await?,
            Some(Fault::Delay(time)) => {
                sleep(time).await;
                self.put(line).await?;
            }
            Some(Fault::Stall(time)) => {
                self.shared.silence.begin(time);
                self.shared.silence.over().await;
                self.put(line).await?;
            }
            Some(Fault::Kill(whom)) => return Ok(self.kill(whom).await),
            Some(Fault::KillAfterHalf(whom)) => {
                self.put(half).await?;
                return Ok(self.kill(whom).await);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes).await?;
        self.output.flush().await
    }

    /// Nothing passes here after a kill: it was the last thing that the dying one did.
    async fn kill(&self, whom: Whom) -> ControlFlow<()> {
        // If the owner takes no orders any more, the child has ended already.
        let _ended = self.shared.kills.send(whom).await;
        ControlFlow::Break(())
    }
}

/// The line with some bytes that can be in no JSON text, at a place of chance; its end stays.
fn corrupted(line: &[u8], chance: u64) -> Vec<u8> {
    let mut line = line.to_vec();
    let content = line.len().saturating_sub(1).max(1);
    let place = usize::try_from(chance % content as u64).unwrap_or(0);
    for byte in line.iter_mut().take(content).skip(place).take(3) {
        *byte = 0x01;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrupt_line_is_one_line_and_no_json() {
        for chance in 0..40 {
            let line = corrupted(b"{\"id\":1,\"result\":{\"text\":\"a\"}}\n", chance);
            assert!(line.ends_with(b"\n") && line.iter().filter(|byte| **byte == b'\n').count() == 1);
            assert!(serde_json::from_slice::<serde_json::Value>(&line).is_err(), "{chance}");
        }
    }
}
