//! How long a commit takes, and how long until a reader at the tip has it, at a pace of 50 events a second a session.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use selvedge_journal::{Options, Record, SqliteStore, Store as _, StoreError};
use serde_json::json;
use tokio::{sync::oneshot, task::JoinSet, time::MissedTickBehavior};

use crate::{Load, Measured, bare, body, ours};

const EVERY: Duration = Duration::from_millis(20);

/// What one session measured, in milliseconds.
#[derive(Default)]
struct Times {
    commit: Vec<f64>,
    receipt: Vec<f64>,
}

pub(crate) async fn ours(file: &Path, load: Load) -> Measured {
    let store = SqliteStore::open(Options::new(file))?;
    let mut sessions = JoinSet::new();
    let begin = Instant::now();
    for number in 0..load.sessions {
        sessions.spawn(session(store.clone(), number, load, begin));
    }
    let mut all = Times::default();
    while let Some(measured) = sessions.join_next().await {
        let times = measured?.map_err(|error| error.to_string())?;
        all.commit.extend(times.commit);
        all.receipt.extend(times.receipt);
    }
    store.close().await;
    let (commit, receipt) = (Quantiles::of(all.commit), Quantiles::of(all.receipt));
    Ok(json!({
        "commit_p50": commit.p50, "commit_p99": commit.p99,
        "receipt_p50": receipt.p50, "receipt_p99": receipt.p99,
    }))
}

type SessionError = Box<dyn std::error::Error + Send + Sync>;

async fn session(store: SqliteStore, number: u64, load: Load, begin: Instant) -> Result<Times, SessionError> {
    let session = ours::name(number);
    let count = load.events / load.sessions;
    let mut reader = store.reader(&session, 0).await?;
    let (done, read) = oneshot::channel();
    let mut reading = JoinSet::new();
    reading.spawn(async move {
        let mut received = Vec::new();
        while reader.seq() < count {
            let page = reader.next_page(100).await?;
            let now = Instant::now();
            received.extend(page.iter().map(|_| now));
        }
        let _ = done.send(received);
        Ok::<(), StoreError>(())
    });
    let mut ticks = tokio::time::interval_at((begin + EVERY + phase(number)).into(), EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut sent, mut commit) = (Vec::new(), Vec::new());
    for n in 0..count {
        ticks.tick().await;
        let before = Instant::now();
        store.append(&session, n, Record::at(0).event(n + 1, body(n + 1))).await?;
        sent.push(before);
        commit.push(before.elapsed().as_secs_f64() * 1e3);
    }
    let received = read.await?;
    let receipt = sent.iter().zip(&received).map(|(sent, got)| (*got - *sent).as_secs_f64() * 1e3).collect();
    Ok(Times { commit, receipt })
}

/// When a session begins: scattered over the pace, as agents are, so that some meet and some do not.
fn phase(number: u64) -> Duration {
    EVERY * u32::try_from(number * 389 % 997).unwrap_or(0) / 997
}

/// One insert and commit at a time, at the same pace for all sessions together.
#[expect(clippy::disallowed_methods, reason = "the pace of a measurement is a matter of the clock")]
pub(crate) fn bare(file: &Path, load: Load) -> Measured {
    let mut connection = bare::open(file)?;
    let _checkpoints = bare::checkpoints(file)?;
    let mut commit = Vec::new();
    for seq in 1..=load.events {
        std::thread::sleep(EVERY / u32::try_from(load.sessions)?);
        let before = Instant::now();
        bare::insert(&mut connection, 1, seq..seq + 1)?;
        commit.push(before.elapsed().as_secs_f64() * 1e3);
    }
    let commit = Quantiles::of(commit);
    Ok(json!({ "commit_p50": commit.p50, "commit_p99": commit.p99 }))
}

struct Quantiles {
    p50: f64,
    p99: f64,
}

impl Quantiles {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: usize| values.get(values.len() * part / 100).copied().unwrap_or(f64::NAN);
        Self { p50: at(50), p99: at(99) }
    }
}
