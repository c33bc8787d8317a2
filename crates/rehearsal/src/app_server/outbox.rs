//! The way out: one task writes whole lines, in order; faults of the stream happen here and nowhere else.

use std::io;

use bytes::Bytes;
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    sync::{mpsc, oneshot},
};

use super::{faults::Faults, numbered::Numbered};

/// Messages that may wait for the pipe. A sender waits when it is full, as Codex does.
const WAITING: usize = 64;
/// Small lines are gathered to about this size before they are written.
const GATHERED: usize = 64 * 1024;

/// Something to write.
#[derive(Debug)]
pub(super) enum Out {
    /// One or more whole lines.
    Lines(Bytes),
    /// Many lines that are made while they are written.
    Numbered(Box<Batch>),
    /// Bytes that need not be a line: half of one, or garbage.
    Raw(Bytes),
    /// The end of the process, after what was said before.
    Crash { code: i32 },
}

/// Numbered lines, and who gets them back.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) lines: Numbered,
    pub(super) count: usize,
    pub(super) done: oneshot::Sender<Numbered>,
}

/// How the writer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Nobody has anything to say any more.
    All,
    /// The reader is gone.
    ReaderGone,
    /// A fault ended the process.
    Crashed(i32),
}

/// Where tasks put what they say.
#[derive(Debug, Clone)]
pub(super) struct Outbox {
    sender: mpsc::Sender<Out>,
}

/// Opens an outbox and the queue its writer reads.
pub(super) fn open() -> (Outbox, mpsc::Receiver<Out>) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Outbox { sender }, receiver)
}

impl Outbox {
    /// Says it. A writer that is gone has ended the server already, so there is nobody to tell.
    pub(super) async fn send(&self, out: Out) {
        let _ = self.sender.send(out).await;
    }
}

/// Writes what is sent until the senders are gone, the reader is gone, or a fault strikes.
pub(super) struct Writer<W> {
    output: W,
    faults: StreamFaults,
    gathered: Vec<u8>,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    pub(super) fn new(output: W, faults: &Faults) -> Self {
        Self { output, faults: StreamFaults::new(faults), gathered: Vec::with_capacity(GATHERED) }
    }

    /// Runs to the end.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Out>) -> Written {
        self.write_all(&mut queue).await.unwrap_or(Written::ReaderGone)
    }

    async fn write_all(&mut self, queue: &mut mpsc::Receiver<Out>) -> io::Result<Written> {
        while let Some(out) = queue.recv().await {
            let mut next = Some(out);
            while let Some(out) = next {
                if let Some(code) = self.take(out).await? {
                    self.flush().await?;
                    return Ok(Written::Crashed(code));
                }
                next = queue.try_recv().ok();
            }
            self.flush().await?;
        }
        Ok(Written::All)
    }

    /// Takes one thing; answers the exit code when the process ends here.
    async fn take(&mut self, out: Out) -> io::Result<Option<i32>> {
        match out {
            Out::Crash { code } => return Ok(Some(code)),
            Out::Raw(bytes) if self.faults.silenced => drop(bytes),
            Out::Raw(bytes) => self.put(&bytes).await?,
            Out::Lines(bytes) => return self.put_lines(&bytes).await,
            Out::Numbered(batch) => return self.put_numbered(*batch).await,
        }
        Ok(None)
    }

    async fn put_numbered(&mut self, mut batch: Batch) -> io::Result<Option<i32>> {
        let mut left = batch.count;
        while left > 0 {
            let (count, lines) = batch.lines.fill(left);
            left -= count;
            let crashed = self.put_lines(lines).await?;
            if crashed.is_some() {
                return Ok(crashed);
            }
        }
        // A turn that was cut meanwhile does not want them back.
        let _ = batch.done.send(batch.lines);
        Ok(None)
    }

    async fn put_lines(&mut self, lines: &[u8]) -> io::Result<Option<i32>> {
        if self.faults.none() {
            self.put(lines).await?;
            return Ok(None);
        }
        self.put_faulty(lines).await
    }

    async fn put_faulty(&mut self, lines: &[u8]) -> io::Result<Option<i32>> {
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            match self.faults.next() {
                Fate::Whole => self.put(line).await?,
                Fate::Half => self.put(&line[..line.len() / 2]).await?,
                Fate::Lost => {}
                Fate::Crash => return Ok(Some(101)),
                Fate::WithGarbage => {
                    self.put(line).await?;
                    self.put(b"thread 'main' says something that is not JSON\n").await?;
                }
            }
        }
        Ok(None)
    }

    /// Large pieces go straight to the pipe; copying them would halve a flood.
    async fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= GATHERED {
            self.flush().await?;
            return self.output.write_all(bytes).await;
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.output.write_all(&self.gathered).await?;
        self.gathered.clear();
        self.output.flush().await
    }
}

/// What becomes of one line.
enum Fate {
    Whole,
    WithGarbage,
    Half,
    Lost,
    Crash,
}

/// The faults that count lines.
struct StreamFaults {
    crash_after: Option<u64>,
    garbage_every: Option<u64>,
    half_line_after: Option<u64>,
    written: u64,
    silenced: bool,
}

impl StreamFaults {
    fn new(faults: &Faults) -> Self {
        Self {
            crash_after: faults.crash_after,
            garbage_every: faults.garbage_every,
            half_line_after: faults.half_line_after,
            written: 0,
            silenced: false,
        }
    }

    fn none(&self) -> bool {
        self.crash_after.is_none() && self.garbage_every.is_none() && self.half_line_after.is_none()
    }

    fn next(&mut self) -> Fate {
        if self.silenced {
            return Fate::Lost;
        }
        if self.crash_after == Some(self.written) {
            return Fate::Crash;
        }
        if self.half_line_after == Some(self.written) {
            self.silenced = true;
            return Fate::Half;
        }
        self.written += 1;
        match self.garbage_every {
            Some(every) if self.written.is_multiple_of(every) => Fate::WithGarbage,
            _ => Fate::Whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn written(spec: &str, lines: &[&'static str]) -> (String, Written) {
        let (outbox, queue) = open();
        for line in lines {
            outbox.send(Out::Lines(Bytes::from_static(line.as_bytes()))).await;
        }
        drop(outbox);
        let mut output = Vec::new();
        let end = Writer::new(&mut output, &spec.parse().unwrap()).run(queue).await;
        (String::from_utf8(output).unwrap(), end)
    }

    #[tokio::test]
    async fn lines_arrive_whole_and_in_order() {
        assert_eq!(written("", &["1\n", "2\n"]).await, ("1\n2\n".into(), Written::All));
    }

    #[tokio::test]
    async fn a_crash_says_what_came_before_it() {
        assert_eq!(written("crash-after=1", &["1\n", "2\n"]).await, ("1\n".into(), Written::Crashed(101)));
    }

    #[tokio::test]
    async fn after_half_a_line_comes_silence() {
        assert_eq!(
            written("half-line-after=1", &["1\n", "2345\n", "6\n"]).await,
            ("1\n23".into(), Written::All)
        );
    }

    #[tokio::test]
    async fn garbage_comes_every_so_often() {
        let (output, _) = written("garbage-every=2", &["1\n", "2\n", "3\n"]).await;
        assert_eq!(output.lines().filter(|line| line.contains("not JSON")).count(), 1);
        assert!(output.lines().nth(2).unwrap().contains("not JSON"));
    }
}
