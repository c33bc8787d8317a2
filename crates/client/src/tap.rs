//! A tap on the wire: whoever listens to both directions, and a file of them without secrets, one JSON object a line.

use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::redactions::Redactions;

/// Hears both directions of a conversation. The tasks that carry it call this, so it must not wait.
pub trait Listener: fmt::Debug + Send + Sync {
    /// A line from Codex.
    fn received(&self, line: &[u8]);

    /// A line to Codex.
    fn sent(&self, line: &[u8]);
}

/// Whole lines to Codex, each told alone.
pub(crate) fn sent(listener: &dyn Listener, lines: &[u8]) {
    lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).for_each(|line| listener.sent(line));
}

/// Records a conversation into a file, for tests. A tap that cannot write any more says so once through [`Tap::error`]; the conversation goes on.
#[derive(Debug, Clone)]
pub struct Tap {
    inner: Arc<Mutex<Recording>>,
    redactions: Redactions,
    start: Instant,
}

#[derive(Debug)]
struct Recording {
    file: BufWriter<File>,
    error: Option<io::Error>,
}

#[derive(Serialize)]
struct Entry<'a> {
    t: f64,
    dir: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    msg: Option<&'a RawValue>,
    /// What is not JSON, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<&'a str>,
}

impl Tap {
    /// Records into a new file; an existing one is not overwritten.
    pub fn create(path: &Path, redactions: Redactions) -> io::Result<Self> {
        let file = BufWriter::new(File::options().write(true).create_new(true).open(path)?);
        Ok(Self {
            inner: Arc::new(Mutex::new(Recording { file, error: None })),
            redactions,
            start: Instant::now(),
        })
    }

    /// Why recording stopped, if it did.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.lock().error.as_ref().map(ToString::to_string)
    }

    /// Writes what is buffered.
    pub fn flush(&self) -> io::Result<()> {
        self.lock().file.flush()
    }

    fn record(&self, dir: &str, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = self.redactions.apply(&text);
        let msg = serde_json::from_str::<&RawValue>(&text).ok();
        let raw = msg.is_none().then_some(text.as_ref());
        let entry = Entry { t: self.start.elapsed().as_secs_f64(), dir, msg, raw };
        let mut recording = self.lock();
        if recording.error.is_some() {
            return;
        }
        if let Err(error) = write_line(&mut recording.file, &entry) {
            recording.error = Some(error);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Recording> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Tap {
    fn received(&self, line: &[u8]) {
        self.record("<-", line);
    }

    fn sent(&self, line: &[u8]) {
        self.record("->", line);
    }
}

fn write_line(to: &mut impl Write, entry: &Entry<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, entry)?;
    to.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_recorded_and_no_secret_in_any_form() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tap.jsonl");
        let redactions = Redactions::default();
        let tap = Tap::create(&path, redactions.clone()).unwrap();
        redactions.add("sk-secret\"quoted");
        redactions.add("short");
        sent(&tap, b"{\"key\":\"sk-secret\\\"quoted\"}\n{\"id\":2}\n");
        tap.received(b"garbage with sk-secret\"quoted and short");
        tap.flush().unwrap();
        let entries: Vec<serde_json::Value> = std::fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(entries[0]["msg"]["key"], "[redacted]");
        assert_eq!((&entries[1]["dir"], &entries[1]["msg"]["id"]), (&"->".into(), &2.into()));
        assert_eq!(
            (&entries[2]["dir"], &entries[2]["raw"]),
            (&"<-".into(), &"garbage with [redacted] and short".into())
        );
        assert!(!format!("{redactions:?} {tap:?}").contains("sk-secret"), "nor in what is debugged");
        assert!(Tap::create(&path, redactions).is_err(), "a recording is not overwritten");
    }
}
