//! Reads the file: a few connections, each used by one reader at a time, off the async threads.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{
    explain::{Trouble, explain},
    open,
};
use crate::error::StoreError;

pub(super) mod log;
pub(super) mod query;

/// So many read the file at once.
const CONNECTIONS: usize = 4;

/// The connections that read.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(path: &Path) -> Arc<Self> {
        let permits = Arc::new(Semaphore::new(CONNECTIONS));
        Arc::new(Self { path: path.into(), idle: Mutex::default(), permits })
    }

    /// Runs one read as of one moment. Dropping the future loses nothing but the answer.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let readers = Arc::clone(self);
        let done = spawn_blocking(move || {
            let result = readers.read(read);
            drop(permit);
            result
        });
        done.await.map_err(|error| self.failed(&error.to_string()))?
    }

    /// No more reads; idle connections are closed.
    pub(super) fn close(&self) {
        self.permits.close();
        self.lock().clear();
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        let idle = self.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => open::open_reader(&self.path).map_err(|error| explain(&self.path, &error))?,
        };
        let result = at_one_moment(&mut connection, read).map_err(|trouble| trouble.at(&self.path));
        if !self.permits.is_closed() {
            self.lock().push(connection);
        }
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, cause: &str) -> StoreError {
        StoreError::Failed { place: self.path.display().to_string(), cause: cause.to_owned() }
    }
}

/// In one transaction: what is read fits together.
fn at_one_moment<T>(
    connection: &mut Connection,
    read: impl FnOnce(&Connection) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let transaction = connection.transaction()?;
    let result = read(&transaction)?;
    transaction.commit()?;
    Ok(result)
}
