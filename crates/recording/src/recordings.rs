//! A directory of recordings: begun here, counted, and kept within limits.

use std::{
    borrow::Cow,
    fmt, fs, io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use uuid::Uuid;

use crate::{
    entry::{Header, VERSION},
    name::Name,
    queue::queue,
    recorder::Recorder,
    retention,
    writer::Writer,
};

/// Cuts out what must not be written.
pub type Redact = Box<dyn for<'a> Fn(&'a str) -> Cow<'a, str> + Send>;
/// Hears why a recording was not, or not wholly, written.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A file that has so many bytes, before they are compressed, is followed by another part.
    pub file_bytes: u64,
    /// So many files are kept,
    pub files: usize,
    /// for so long,
    pub age: Duration,
    /// and of so many bytes together.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let age = Duration::from_secs(30 * 24 * 60 * 60);
        Self { file_bytes: 256 << 20, files: 500, age, bytes: 4 << 30 }
    }
}

/// Whose conversation it is.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// The marker of the process that speaks.
    pub process: Uuid,
    /// `codex`, or `rehearsal` if it is a stand-in.
    pub backend: &'static str,
}

/// What has been recorded, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files that were begun.
    pub files: u64,
    /// Lines that were written.
    pub lines: u64,
    /// Lines that came faster than they could be written.
    pub missing: u64,
    /// Recordings that could not be written, or not to their end.
    pub failed: u64,
}

/// A directory of recordings. Clones are the same one.
#[derive(Clone)]
pub struct Recordings {
    inner: Arc<Inner>,
}

struct Inner {
    directory: PathBuf,
    limits: Limits,
    tell: Tell,
    tally: Arc<Tally>,
    /// Conversations that are being written.
    open: Mutex<usize>,
    one_ended: Condvar,
}

impl fmt::Debug for Recordings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recordings").field("directory", &self.inner.directory).finish_non_exhaustive()
    }
}

impl Recordings {
    /// Recordings in this directory. What is too old or too much there is removed.
    #[must_use]
    pub fn new(directory: PathBuf, limits: Limits, tell: Tell) -> Self {
        let inner = Inner {
            directory,
            limits,
            tell,
            tally: Arc::default(),
            open: Mutex::new(0),
            one_ended: Condvar::new(),
        };
        let recordings = Self { inner: Arc::new(inner) };
        if let Err(error) = recordings.inner.prepare() {
            recordings.inner.trouble(&error);
        }
        recordings
    }

    /// Records a conversation from now on. What cannot be written is told; the conversation goes on.
    #[must_use]
    pub fn begin(&self, conversation: &Conversation, redact: Redact) -> Recorder {
        let (entrance, exit) = queue();
        let now = jiff::Timestamp::now();
        let header = Header {
            version: VERSION,
            codex: None,
            started_at: format!("{now:.3}"),
            backend: conversation.backend.to_owned(),
            process: conversation.process.to_string(),
            part: 1,
        };
        let writer = Writer {
            directory: self.inner.directory.clone(),
            name: Name::new(now, conversation.process),
            header,
            file_bytes: self.inner.limits.file_bytes,
            redact,
            exit,
            tally: Arc::clone(&self.inner.tally),
        };
        let inner = Arc::clone(&self.inner);
        inner.count_open(|open| open + 1);
        let begun = thread::Builder::new().name("recording".into()).spawn(move || inner.write(writer));
        if let Err(error) = begun {
            self.inner.count_open(|open| open.saturating_sub(1));
            self.inner.tally.failed();
            self.inner.trouble(&error);
        }
        Recorder::new(entrance)
    }

    /// What has been recorded.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.inner.tally.counts()
    }

    /// Where they lie.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.inner.directory
    }

    /// Waits until every conversation that has ended is written to its end. Blocks, at most so long.
    pub fn finish(&self, limit: Duration) {
        let open = self.inner.open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.inner.one_ended.wait_timeout_while(open, limit, |open| *open > 0));
    }
}

impl Inner {
    fn prepare(&self) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        fs::set_permissions(&self.directory, fs::Permissions::from_mode(0o700))?;
        self.retain()
    }

    fn retain(&self) -> io::Result<()> {
        retention::apply(&self.directory, &self.limits, SystemTime::now())
    }

    /// The whole life of a writing thread.
    fn write(&self, writer: Writer) {
        if let Err(error) = writer.run() {
            self.trouble(&error);
        }
        if let Err(error) = self.retain() {
            self.trouble(&error);
        }
        self.count_open(|open| open.saturating_sub(1));
        self.one_ended.notify_all();
    }

    fn trouble(&self, error: &io::Error) {
        (self.tell)(&format!("recordings in {}: {error}", self.directory.display()));
    }

    fn count_open(&self, change: impl FnOnce(usize) -> usize) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = change(*open);
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: AtomicU64,
    lines: AtomicU64,
    missing: AtomicU64,
    failed: AtomicU64,
}

impl Tally {
    pub(crate) fn began(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn line(&self) {
        self.lines.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn missing(&self, lines: u64) {
        self.missing.fetch_add(lines, Ordering::Relaxed);
    }

    pub(crate) fn failed(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    fn counts(&self) -> Counts {
        let now = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Counts {
            files: now(&self.files),
            lines: now(&self.lines),
            missing: now(&self.missing),
            failed: now(&self.failed),
        }
    }
}

#[cfg(test)]
mod tests;
