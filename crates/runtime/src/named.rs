//! One lock for each name: who waits, waits for somebody who does the same.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// Locks by name; one that nobody holds or waits for is forgotten.
#[derive(Debug, Default)]
pub(crate) struct Named(Mutex<HashMap<String, Weak<Lock<()>>>>);

impl Named {
    /// Waits for the turn of whoever has the name.
    pub(crate) async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        self.of(name).lock_owned().await
    }

    fn of(&self, name: &str) -> Arc<Lock<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(name).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::default();
        locks.insert(name.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_who_has_the_same_name_waits() {
        let named = Named::default();
        let one = named.lock("one").await;
        let _other = named.lock("other").await;
        assert!(timeout(Duration::from_secs(1), named.lock("one")).await.is_err());
        drop(one);
        drop(named.lock("one").await);
        let _third = named.lock("third").await;
        assert_eq!(named.0.lock().unwrap().len(), 2, "`one` is forgotten");
    }
}
