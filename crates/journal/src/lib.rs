//! Append-only records per session with compare-and-append, and readers with cursors.
//!
//! A [`Record`] is what the owner of a session did in one step: events for readers, facts for itself. A [`Store`]
//! keeps records; [`SqliteStore`] is the one on disk. A [`Reader`] yields events after a cursor and waits at the tip,
//! so history and live are the same call. The journal does not know what any of the bodies mean.
//!
//! ```
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use selvedge_journal::{Options, Record, SessionId, SqliteStore, Store as _};
//!
//! let folder = tempfile::tempdir()?;
//! let journal = SqliteStore::open(Options::new(folder.path().join("journal.db")))?;
//! let session = SessionId::from("session-1");
//! journal.append(&session, 0, Record::at(1_000).event(1, r#"{"seq":1}"#)).await?;
//! let mut reader = journal.reader(&session, 0).await?;
//! assert_eq!(reader.next_page(100).await?[0].body, r#"{"seq":1}"#);
//! journal.close().await;
//! # Ok(()) }
//! # tokio::runtime::Runtime::new().unwrap().block_on(example()).unwrap();
//! ```

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod cursor;
mod error;
mod feed;
mod index;
mod record;
mod sqlite;
mod store;
mod tail;

pub use cursor::{Cursor, Limit, Page, Reader};
pub use error::{AppendError, OpenError, StoreError};
pub use feed::{Feed, FeedCursor, FeedPage, FeedRecord, Pulse};
pub use index::{Entry, Found, Indexer};
pub use record::{Event, Fact, Kind, Record, SessionId, StoredRecord};
pub use sqlite::{Damage, Durability, Options, Progress, Report, SqliteStore, Stage};
pub use store::{Ended, Head, SessionInfo, Store};
pub use tail::Live;
