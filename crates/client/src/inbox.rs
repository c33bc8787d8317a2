//! The inbox: everything Codex says that is not an answer, in order, for one consumer.
//!
//! The reader never waits for the consumer, because a response behind unread notifications would wait with it. So
//! the inbox has two rooms: a little memory, then a file. Lines in memory are always older than lines in the file.

use std::{
    collections::VecDeque,
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, task::spawn_blocking};

use crate::line::Line;

mod record;
mod spill;

use spill::Spill;

/// What a line costs beyond its bytes, about.
const LINE_OVERHEAD: usize = 64;
/// How long the reader waits for a consumer that is at work before it turns to the file: a consumer that reads takes
/// what is in memory well within this, and the detour over the file would cost both more.
const GRACE: Duration = Duration::from_millis(5);
/// How often a full disk is tried again when no consumer makes room.
const DISK_RETRY: Duration = Duration::from_secs(1);

/// How much the inbox may hold, and where.
#[derive(Debug, Clone)]
pub struct InboxLimits {
    /// Bytes of lines kept in memory before the file is used.
    pub memory: usize,
    /// Bytes in the file before Codex has to wait.
    pub file: u64,
    /// Where the file is made; it has no name there.
    pub directory: PathBuf,
}

impl Default for InboxLimits {
    fn default() -> Self {
        Self { memory: 1024 * 1024, file: 8 * 1024 * 1024 * 1024, directory: std::env::temp_dir() }
    }
}

/// The consumer's end: yields lines in order, without loss, however slowly it is asked.
#[derive(Debug)]
pub struct Inbox {
    shared: Arc<Shared>,
    /// Lines already taken out of the shared rooms: one lock a batch, not one a line.
    taken: VecDeque<Line>,
}

/// The reader's end.
#[derive(Debug)]
pub(crate) struct Outlet {
    shared: Arc<Shared>,
    limits: InboxLimits,
}

#[derive(Debug, Default)]
struct Shared {
    rooms: Mutex<Rooms>,
    arrived: Notify,
    made_room: Notify,
    consumer_gone: AtomicBool,
}

#[derive(Debug, Default)]
struct Rooms {
    memory: VecDeque<Line>,
    memory_bytes: usize,
    spill: Spill,
    closed: bool,
}

/// Makes both ends.
pub(crate) fn inbox(limits: InboxLimits) -> (Outlet, Inbox) {
    let shared = Arc::new(Shared::default());
    (Outlet { shared: Arc::clone(&shared), limits }, Inbox { shared, taken: VecDeque::new() })
}

impl Inbox {
    /// The next line, or `None` when Codex has said its last and all of it was read. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Line> {
        loop {
            if let Some(line) = self.taken.pop_front() {
                return Some(line);
            }
            self.refill().await?;
        }
    }

    /// The next line if it is already here. What waits in the file is not: only [`Inbox::next`] reads it.
    pub fn try_next(&mut self) -> Option<Line> {
        if self.taken.is_empty() && self.shared.lock().take_memory(&mut self.taken) {
            self.shared.made_room.notify_one();
        }
        self.taken.pop_front()
    }

    /// Waits for lines and takes a batch of them.
    async fn refill(&mut self) -> Option<()> {
        loop {
            let unread = {
                let mut rooms = self.shared.lock();
                if rooms.take_memory(&mut self.taken) {
                    self.shared.made_room.notify_one();
                    return Some(());
                }
                match rooms.spill.unread() {
                    None if rooms.closed => return None,
                    unread => unread,
                }
            };
            let Some(unread) = unread else {
                self.shared.arrived.notified().await;
                continue;
            };
            // Only read here, and only then marked as read: a dropped future reads the same block again.
            let block = spawn_blocking(move || unread.read()).await;
            let Ok(Ok(block)) = block else { return None };
            self.shared.lock().spill.mark_read(block.bytes);
            self.taken.extend(block.lines);
            self.shared.made_room.notify_one();
            return Some(());
        }
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.shared.consumer_gone.store(true, Ordering::Release);
        self.shared.made_room.notify_one();
    }
}

impl Outlet {
    /// Hands over a batch, which is empty afterwards. Waits only when neither memory nor file has room.
    pub(crate) async fn push(&self, batch: &mut Vec<Line>) {
        while !batch.is_empty() {
            if self.shared.consumer_gone.load(Ordering::Acquire) {
                return batch.clear();
            }
            if self.shared.lock().put_in_memory(batch, self.limits.memory) {
                return self.shared.arrived.notify_one();
            }
            if self.consumer_makes_room().await {
                continue;
            }
            if self.spill(batch).await.is_err() {
                // The disk is full or the file at its limit. Codex waits in its pipe until there is room again.
                let _woken = tokio::time::timeout(DISK_RETRY, self.shared.made_room.notified()).await;
            }
        }
    }

    /// Whether a consumer that has no backlog in the file empties the memory within the grace.
    async fn consumer_makes_room(&self) -> bool {
        {
            let rooms = self.shared.lock();
            if rooms.memory.is_empty() || rooms.spill.unread().is_some() {
                return false;
            }
        }
        let emptied = async {
            while !self.shared.lock().memory.is_empty() {
                self.shared.made_room.notified().await;
            }
        };
        tokio::time::timeout(GRACE, emptied).await.is_ok()
    }

    async fn spill(&self, batch: &mut Vec<Line>) -> io::Result<()> {
        let mut segment = self.shared.lock().spill.segment(&self.limits)?;
        let lines = std::mem::take(batch);
        let (lines, written) = spawn_blocking(move || {
            let written = segment.append(&lines);
            (lines, written)
        })
        .await
        .map_err(io::Error::other)?;
        match written {
            Ok(bytes) => {
                self.shared.lock().spill.mark_written(bytes);
                self.shared.arrived.notify_one();
                Ok(())
            }
            Err(error) => {
                *batch = lines;
                Err(error)
            }
        }
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rooms {
    /// Moves the memory's lines to the consumer; false if there are none.
    fn take_memory(&mut self, taken: &mut VecDeque<Line>) -> bool {
        if self.memory.is_empty() {
            return false;
        }
        self.memory_bytes = 0;
        std::mem::swap(&mut self.memory, taken);
        true
    }

    /// Takes the batch if nothing older waits in the file and there is room.
    fn put_in_memory(&mut self, batch: &mut Vec<Line>, limit: usize) -> bool {
        if self.memory_bytes >= limit || self.spill.unread().is_some() {
            return false;
        }
        self.memory_bytes += batch.iter().map(|line| line.bytes().len() + LINE_OVERHEAD).sum::<usize>();
        self.memory.extend(batch.drain(..));
        true
    }
}

#[cfg(test)]
mod tests;
