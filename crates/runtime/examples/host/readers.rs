//! Readers that were asked for: each a task with a cursor, which can be made to stop reading for a while.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use selvedge_runtime::Events;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

/// Events taken at once.
const PAGE: usize = 100;

/// The readers, by the numbers they were opened with.
pub(crate) struct Readers {
    lines: mpsc::Sender<String>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// Dropped, the reader ends.
    paused: HashMap<u64, watch::Sender<bool>>,
    tasks: JoinSet<()>,
}

impl Readers {
    pub(crate) fn new(lines: mpsc::Sender<String>) -> Self {
        Self { lines, open: Mutex::default() }
    }

    /// Begins to read.
    pub(crate) fn open(&self, reader: u64, events: Events) {
        let paused = watch::Sender::new(false);
        let ear = paused.subscribe();
        let mut open = self.lock();
        while open.tasks.try_join_next().is_some() {}
        open.paused.insert(reader, paused);
        open.tasks.spawn(read(reader, events, ear, self.lines.clone()));
    }

    /// Stops reading for now, or reads on.
    pub(crate) fn pause(&self, reader: u64, pause: bool) {
        if let Some(paused) = self.lock().paused.get(&reader) {
            paused.send_replace(pause);
        }
    }

    /// Ends one.
    pub(crate) fn end(&self, reader: u64) {
        self.lock().paused.remove(&reader);
    }

    /// Ends all.
    pub(crate) fn close(&self) {
        *self.lock() = Open::default();
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(
    reader: u64,
    mut events: Events,
    mut paused: watch::Receiver<bool>,
    lines: mpsc::Sender<String>,
) {
    loop {
        if paused.wait_for(|paused| !paused).await.is_err() {
            return;
        }
        let page = tokio::select! {
            page = events.next(PAGE) => page,
            changed = paused.changed() => match changed {
                Ok(()) => continue,
                Err(_dropped) => return,
            },
        };
        let page = match page {
            Ok(page) => page,
            Err(error) => return eprintln!("reader {reader} ended: {error}"),
        };
        for event in page {
            let text = String::from_utf8_lossy(&event.text);
            if lines.send(format!(r#"{{"reader":{reader},"event":{text}}}"#)).await.is_err() {
                return;
            }
        }
    }
}
