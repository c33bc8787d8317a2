//! What every store has to do: one suite, run on SQLite here and on any other store by its own tests.
//!
//! A case asserts; [`all`] runs every case, each in a fresh place.

mod appending;
mod feeding;
mod indexing;
mod reading;
mod removing;

use std::path::{Path, PathBuf};

use crate::{
    index::Indexer,
    record::{Event, Kind, Record, SessionId},
    store::Store,
};

/// What a case could not do at all.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// How a case ended, if no assertion failed.
pub type Outcome = Result<(), Failure>;

/// Where a store lies: opened again, it has what was appended before.
pub trait Place {
    /// The store.
    type Store: Store;

    /// Opens what lies here, and makes it if there is nothing.
    fn open(&self, indexer: Indexer) -> impl Future<Output = Result<Self::Store, Failure>>;

    /// A file for a backup, in a folder that exists.
    fn backup_file(&self) -> PathBuf;

    /// Opens a backup.
    fn open_backup(&self, file: &Path) -> impl Future<Output = Result<Self::Store, Failure>>;
}

/// Runs every case, each in a place of its own. Needs a runtime with several threads.
pub async fn all<P: Place>(fresh: impl Fn() -> P) -> Outcome {
    appending::what_is_appended_is_read(&fresh()).await?;
    appending::only_the_owner_appends(&fresh()).await?;
    appending::events_are_dense(&fresh()).await?;
    appending::a_refused_append_harms_nobody(&fresh()).await?;
    appending::many_owners_at_once_all_get_their_answers(&fresh()).await?;
    appending::appends_survive_the_store(&fresh()).await?;
    appending::what_is_jotted_is_like_what_is_appended(&fresh()).await?;
    reading::there_is_no_seam(&fresh()).await?;
    reading::a_waiting_reader_can_be_given_up(&fresh()).await?;
    reading::a_page_is_no_longer_than_asked(&fresh()).await?;
    reading::a_reader_ahead_is_refused(&fresh()).await?;
    reading::the_newest_fact_is_found(&fresh()).await?;
    reading::long_bodies_come_back(&fresh()).await?;
    reading::an_owner_reads_from_its_newest_snapshot(&fresh()).await?;
    feeding::a_feed_has_every_record_once(&fresh()).await?;
    feeding::a_feed_goes_on_from_its_cursor(&fresh()).await?;
    feeding::a_feed_may_want_one_kind(&fresh()).await?;
    feeding::a_feed_leaves_out_removed_sessions(&fresh()).await?;
    indexing::entries_are_found_and_made_again(&fresh()).await?;
    indexing::entries_are_counted_by_what_they_say(&fresh()).await?;
    indexing::another_indexer_makes_another_index(&fresh()).await?;
    indexing::lists_have_pages(&fresh()).await?;
    removing::a_removed_session_is_gone(&fresh()).await?;
    removing::old_sessions_are_pruned(&fresh()).await?;
    removing::a_backup_is_a_store(&fresh()).await?;
    removing::a_closed_store_says_so(&fresh()).await
}

/// A record of so many events, numbered on from `after_seq`; their bodies say their numbers.
fn events(after_seq: u64, count: u64) -> Record {
    let seqs = after_seq + 1..=after_seq + count;
    seqs.fold(Record::at(1_000), |record, seq| record.event(seq, body(seq)))
}

fn body(seq: u64) -> String {
    format!("{{\"seq\":{seq}}}")
}

/// Appends records of one event each, after the record and event `after`; most of them jotted down.
async fn append_some<S: Store>(store: &S, session: &SessionId, after: u64, count: u64) -> Outcome {
    for n in after..after + count {
        if n % 5 == 0 {
            store.append(session, n, events(n, 1)).await?;
        } else {
            store.jot(session, n, events(n, 1)).await?;
        }
    }
    Ok(())
}

/// Fails unless these are the events after `seq`, each with its own body.
#[track_caller]
fn assert_follows(found: &[Event], seq: u64) {
    for (expected, event) in (seq + 1..).zip(found) {
        assert_eq!(event.seq, expected, "no gap and no repeat");
        assert_eq!(event.body, body(expected), "the body of its event");
    }
}

fn kind(number: u8) -> Result<Kind, Failure> {
    Kind::new(number).ok_or_else(|| "no such kind".into())
}
