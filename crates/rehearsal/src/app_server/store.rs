//! Threads on disk: one file of JSON lines each, appended to as the turn runs, so that a killed process loses only what streamed.
//!
//! A thread has one writer. Who it is stands beside the thread as a name; the name is alive while its lock is held, and
//! the system lets go of that lock however the process ends. One lock a process, not one a thread, so that thousands
//! of threads need one file descriptor.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    items::{new_id, now_ms},
    thread::{Birth, Settings, State, Status, Thread, Turn, TurnStatus, UsageTotals},
    wire,
};

/// One line of a thread's file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub(super) enum Record {
    Born {
        birth: Box<Birth>,
        settings: Box<Settings>,
    },
    TurnStarted {
        turn: String,
        at: i64,
    },
    Item {
        turn: String,
        item: Value,
    },
    /// A tool call, in the shape of Codex's own rollout files: whoever looks for calls finds it, even if the process
    /// died before the item ended.
    ResponseItem(Value),
    /// The beginning of a turn, in that shape too: what comes after it belongs to the turn.
    EventMsg(Value),
    Usage(UsageTotals),
    TurnEnded {
        turn: String,
        status: TurnStatus,
        error: Option<Value>,
        completed_at: i64,
        duration_ms: i64,
    },
    Named(Option<String>),
    Archived(bool),
    Reverted {
        before: String,
    },
}

/// A thread as it was read.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) birth: Birth,
    pub(super) state: State,
    pub(super) archived: bool,
}

/// Another process writes this thread.
#[derive(Debug)]
pub(super) struct HasWriter;

/// Where threads are kept; nowhere, without a home.
#[derive(Debug)]
pub(super) struct Store {
    threads: Option<PathBuf>,
    writer: String,
    /// Held as long as we live.
    _lock: Option<File>,
}

impl Store {
    /// Opens the store under a home.
    pub(super) fn open(home: Option<&Path>) -> io::Result<Self> {
        let writer = new_id();
        let Some(home) = home else { return Ok(Self { threads: None, writer, _lock: None }) };
        let threads = home.join("rehearsal/threads");
        fs::create_dir_all(&threads)?;
        let lock = File::create(writer_path(&threads, &writer))?;
        lock.lock()?;
        Ok(Self { threads: Some(threads), writer, _lock: Some(lock) })
    }

    /// Where a thread is, or will be with its first turn.
    pub(super) fn path(&self, thread: &Birth) -> Option<PathBuf> {
        let threads = self.threads.as_deref().filter(|_| !thread.ephemeral)?;
        Some(thread_path(threads, &thread.id))
    }

    /// Appends one record; the first brings the thread's birth with it.
    pub(super) fn append(&self, thread: &Thread, record: &Record) {
        let Some(path) = self.path(&thread.birth) else { return };
        let mut lines = Vec::new();
        if !path.exists() {
            let settings = thread.state().settings.clone();
            lines.extend_from_slice(&wire::line(&Record::Born {
                birth: Box::new(thread.birth.clone()),
                settings: Box::new(settings),
            }));
        }
        lines.extend_from_slice(&wire::line(record));
        let written = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(&lines));
        if let Err(error) = written {
            eprintln!("rehearsal: {} cannot be written: {error}", path.display());
        }
    }

    /// Makes us the writer of a thread, unless another living process is.
    pub(super) fn claim(&self, thread: &str) -> Result<(), HasWriter> {
        let Some(threads) = &self.threads else { return Ok(()) };
        let owner = threads.join(format!("{thread}.writer"));
        let known = fs::read_to_string(&owner).ok().filter(|writer| *writer != self.writer);
        if known.is_some_and(|writer| is_alive(&writer_path(threads, &writer))) {
            return Err(HasWriter);
        }
        if let Err(error) = fs::write(&owner, &self.writer) {
            eprintln!("rehearsal: {} cannot be written: {error}", owner.display());
        }
        Ok(())
    }

    /// Lets go of a thread.
    pub(super) fn release(&self, thread: &str) {
        if let Some(threads) = &self.threads {
            let _ = fs::remove_file(threads.join(format!("{thread}.writer")));
        }
    }

    /// Reads a thread.
    pub(super) fn read(&self, thread: &str) -> Option<Stored> {
        replay(&fs::read_to_string(thread_path(self.threads.as_deref()?, thread)).ok()?)
    }

    /// Reads all threads.
    pub(super) fn read_all(&self) -> Vec<Stored> {
        let Some(threads) = &self.threads else { return Vec::new() };
        let Ok(entries) = fs::read_dir(threads) else { return Vec::new() };
        let files = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
        files.filter_map(|path| replay(&fs::read_to_string(path).ok()?)).collect()
    }

    /// Forgets a thread.
    pub(super) fn delete(&self, thread: &str) {
        if let Some(threads) = &self.threads {
            let _ = fs::remove_file(thread_path(threads, thread));
        }
        self.release(thread);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(threads) = &self.threads {
            let _ = fs::remove_file(writer_path(threads, &self.writer));
        }
    }
}

fn thread_path(threads: &Path, thread: &str) -> PathBuf {
    threads.join(format!("{thread}.jsonl"))
}

fn writer_path(threads: &Path, writer: &str) -> PathBuf {
    threads.join(format!("{writer}.lock"))
}

fn is_alive(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The thread that a file's lines tell. Lines of other kinds, and half a last line, are passed over.
fn replay(lines: &str) -> Option<Stored> {
    let mut records = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    let Record::Born { birth, settings } = records.next()? else { return None };
    let mut stored = Stored { birth: *birth, state: State::new(*settings), archived: false };
    for record in records {
        stored.take(record);
    }
    stored.cut_short();
    Some(stored)
}

impl Stored {
    fn take(&mut self, record: Record) {
        let state = &mut self.state;
        match record {
            Record::Born { .. } | Record::ResponseItem(_) | Record::EventMsg(_) => {}
            Record::TurnStarted { turn, at } => state.turns.push(Turn::started(turn, at)),
            Record::Item { turn, item } => {
                if let Some(turn) = state.turns.iter_mut().rev().find(|known| known.id == turn) {
                    turn.items.push(item);
                }
            }
            Record::Usage(usage) => state.usage = usage,
            Record::TurnEnded { turn, status, error, completed_at, duration_ms } => {
                let Some(turn) = state.turns.iter_mut().rev().find(|known| known.id == turn) else { return };
                (turn.status, turn.error) = (status, error);
                (turn.completed_at, turn.duration_ms) = (Some(completed_at), Some(duration_ms));
                if status != TurnStatus::Interrupted {
                    state.first_unread.get_or_insert_with(|| turn.id.clone());
                }
            }
            Record::Named(name) => state.name = name,
            Record::Archived(archived) => self.archived = archived,
            Record::Reverted { before } => {
                if let Some(at) = state.turns.iter().position(|turn| turn.id == before) {
                    state.turns.truncate(at);
                }
            }
        }
    }

    /// A turn without an end was cut; what it had streamed is gone.
    fn cut_short(&mut self) {
        for turn in self.state.turns.iter_mut().filter(|turn| turn.status == TurnStatus::InProgress) {
            turn.status = TurnStatus::Interrupted;
        }
        self.state.status = Status::NotLoaded;
        let last = self.state.turns.last();
        self.state.updated_at =
            last.map_or(now_ms() / 1000, |turn| turn.completed_at.unwrap_or(turn.started_at));
    }
}
