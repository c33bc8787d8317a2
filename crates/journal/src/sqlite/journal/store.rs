//! The store on disk, as a [`Store`]: writes go to the writer, reads to the readers.

use std::{path::Path, sync::Arc};

use bytes::Bytes;
use tokio::task::spawn_blocking;

use super::SqliteStore;
use crate::{
    cursor::{Cursor, Limit, Page},
    error::{AppendError, StoreError},
    feed::{FeedCursor, FeedPage, Pulse},
    index::Found,
    record::{Kind, Record, SessionId, StoredRecord},
    sqlite::{
        append::Wanted,
        backup,
        heads::{self, Place},
        index,
        reader::{log, query},
        writer::Job,
    },
    store::{Ended, Head, SessionInfo, Store},
    tail::Live,
};

/// Sessions looked at in one step of a pruning.
const PRUNE_PAGE: usize = 500;

impl Store for SqliteStore {
    async fn append(
        &self,
        session: &SessionId,
        expected_n: u64,
        record: Record,
    ) -> Result<Head, AppendError> {
        self.shared.append(Wanted { session: session.clone(), expected_n, record, brief: false }).await
    }

    async fn jot(&self, session: &SessionId, expected_n: u64, record: Record) -> Result<Head, AppendError> {
        self.shared.append(Wanted { session: session.clone(), expected_n, record, brief: true }).await
    }

    async fn head(&self, session: &SessionId) -> Result<Head, StoreError> {
        let name = session.clone();
        let place = self.shared.read(move |connection| Ok(heads::place(connection, &name)?)).await?;
        match place {
            None => Ok(Head::default()),
            Some(Place { head, slip: None, .. }) => Ok(head),
            // Whoever has claimed it may be further, or have died.
            Some(_) => self.ask(|reply| Job::TakeOver(session.clone(), reply)).await,
        }
    }

    async fn records(
        &self,
        session: &SessionId,
        after_n: u64,
        limit: Limit,
    ) -> Result<Vec<StoredRecord>, StoreError> {
        let session = session.clone();
        self.shared.read(move |connection| query::records(connection, &session, after_n, limit)).await
    }

    async fn events(&self, session: &SessionId, after: Cursor, limit: Limit) -> Result<Page, StoreError> {
        let session = session.clone();
        self.shared.read(move |connection| query::events(connection, &session, after, limit)).await
    }

    async fn newest(&self, session: &SessionId, kind: Kind) -> Result<Option<StoredRecord>, StoreError> {
        let session = session.clone();
        self.shared.read(move |connection| query::newest(connection, &session, kind)).await
    }

    async fn since(
        &self,
        session: &SessionId,
        kind: Kind,
        limit: Limit,
    ) -> Result<Vec<StoredRecord>, StoreError> {
        let session = session.clone();
        self.shared.read(move |connection| query::since(connection, &session, kind, limit)).await
    }

    async fn live(&self, session: &SessionId) -> Result<Arc<Live>, StoreError> {
        // First there for the writer to see, then told where the session stands: no commit falls in between.
        let live = self.shared.lives.hold(session);
        if !live.is_known() {
            live.learned(self.head(session).await?);
            self.shared.queue.nudge();
        }
        Ok(live)
    }

    async fn log(&self, after: FeedCursor, only: Option<Kind>, limit: Limit) -> Result<FeedPage, StoreError> {
        self.shared.read(move |connection| log::log(connection, after, only, limit)).await
    }

    async fn tip(&self) -> Result<FeedCursor, StoreError> {
        self.shared.read(log::tip).await
    }

    fn pulse(&self, only: Option<Kind>) -> Arc<Pulse> {
        let pulse = self.shared.pulses.hold(only);
        // From now on it also looks for what other processes commit.
        self.shared.queue.nudge();
        pulse
    }

    async fn sessions(
        &self,
        after: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<SessionInfo>, StoreError> {
        let after = after.cloned();
        self.shared.read(move |connection| query::sessions(connection, after.as_ref(), limit)).await
    }

    async fn look_up(&self, table: &'static str, key: &str) -> Result<Vec<Found>, StoreError> {
        let key = key.to_owned();
        self.shared.read(move |connection| Ok(index::look_up(connection, table, &key)?)).await
    }

    async fn look_up_all(&self, table: &'static str, keys: Vec<String>) -> Result<Vec<Found>, StoreError> {
        self.shared.read(move |connection| Ok(index::look_up_all(connection, table, &keys)?)).await
    }

    async fn list(
        &self,
        table: &'static str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Found>, StoreError> {
        let after = after.map(str::to_owned);
        let list = move |connection: &_| Ok(index::list(connection, table, after.as_deref(), limit)?);
        self.shared.read(list).await
    }

    async fn counts(&self, table: &'static str) -> Result<Vec<(Bytes, u64)>, StoreError> {
        self.shared.read(move |connection| Ok(index::counts(connection, table)?)).await
    }

    async fn rebuild_index(&self) -> Result<u64, StoreError> {
        self.ask(Job::RebuildIndex).await
    }

    async fn remove(&self, session: &SessionId) -> Result<bool, StoreError> {
        self.remove_at(session, None).await
    }

    async fn prune(
        &self,
        before: i64,
        keep: impl Fn(&SessionInfo) -> bool + Send + Sync,
    ) -> Result<Vec<SessionId>, StoreError> {
        let mut removed = Vec::new();
        let mut after = None;
        loop {
            let page = self.sessions(after.as_ref(), PRUNE_PAGE).await?;
            let Some(last) = page.last() else { return Ok(removed) };
            after = Some(last.id.clone());
            for session in page.into_iter().filter(|session| session.at < before && !keep(session)) {
                // Not if it came to life meanwhile.
                if self.remove_at(&session.id, Some(session.head.n)).await? {
                    removed.push(session.id);
                }
            }
        }
    }

    async fn backup(&self, file: &Path) -> Result<(), StoreError> {
        self.shared.carry_over().await?;
        let (journal, file) = (self.shared.path.clone(), file.to_owned());
        let copied = spawn_blocking(move || backup::create(&journal, &file)).await;
        copied.map_err(|_| StoreError::Closed)?
    }

    async fn close(&self) -> Ended {
        self.join().await
    }
}
