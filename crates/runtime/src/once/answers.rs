//! The logs of answers, one for each day: they have one writer, who takes all lines that wait at once. Many programs' answers
//! come at the same moment, and each by itself would meet all others.

use std::sync::{Mutex, MutexGuard, PoisonError};

use selvedge_journal::{AppendError, Record, SessionId as Key, Store as _};

use crate::{
    error::Error,
    house::House,
    ledger::{INDEX, IndexLine},
};

/// The logs' names begin so; no session has such a name.
const LOGS: &str = "answers/";
const DAY: i64 = 24 * 60 * 60 * 1000;

/// What writes answers down.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    waiting: Mutex<Waiting>,
    log: tokio::sync::Mutex<Log>,
}

/// Lines that are not written yet.
#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<IndexLine>,
    /// How many there were before these.
    gone: u64,
}

/// Where a day's log stands, as far as is known: another program may write there too.
#[derive(Debug, Default)]
struct Log {
    day: i64,
    n: u64,
}

impl Answers {
    /// Writes a line down, or finds that somebody has written it along with theirs.
    pub(super) async fn keep(&self, house: &House, at: i64, line: IndexLine) -> Result<(), Error> {
        let number = self.put(line);
        let mut log = self.log.lock().await;
        let Some(lines) = self.waiting_with(number) else { return Ok(()) };
        // Meanwhile they stay where they are: whoever writes them may be gone before it is done.
        let kept = log.append(house, at, &lines).await;
        self.are_gone(lines.len());
        kept
    }

    fn put(&self, line: IndexLine) -> u64 {
        let mut waiting = self.waiting();
        waiting.lines.push(line);
        waiting.gone + waiting.lines.len() as u64
    }

    /// All that waits, if the line of that number does.
    fn waiting_with(&self, number: u64) -> Option<Vec<IndexLine>> {
        let waiting = self.waiting();
        (waiting.gone < number).then(|| waiting.lines.clone())
    }

    fn are_gone(&self, many: usize) {
        let mut waiting = self.waiting();
        waiting.lines.drain(..many);
        waiting.gone += many as u64;
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    async fn append(&mut self, house: &House, at: i64, lines: &[IndexLine]) -> Result<(), Error> {
        let unwritten =
            |error: serde_json::Error| Error::coded(selvedge_session::Code::Internal, error.to_string());
        let record = Record::at(at).fact(INDEX, serde_json::to_vec(lines).map_err(unwritten)?);
        if self.day != at / DAY {
            *self = Self { day: at / DAY, n: 0 };
        }
        loop {
            match house.append(&log(self.day), self.n, record.clone()).await {
                Ok(head) => {
                    self.n = head.n;
                    return if head.n == 1 { forget_old(house, self.day).await } else { Ok(()) };
                }
                // Another program has written there, or we did before our last start.
                Err(AppendError::Conflict { last_n }) => self.n = last_n,
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn log(day: i64) -> Key {
    // Nine digits order the days by name for longer than milliseconds can be counted.
    Key::from(format!("{LOGS}{day:09}"))
}

/// A new day: the logs before yesterday's hold nothing that is still given.
async fn forget_old(house: &House, today: i64) -> Result<(), Error> {
    let yesterday = log(today.saturating_sub(1));
    let logs = house.store.sessions(Some(&Key::from(LOGS)), 100).await?;
    for old in logs.into_iter().filter(|old| old.id.as_str().starts_with(LOGS) && old.id < yesterday) {
        house.store.remove(&old.id).await?;
    }
    Ok(())
}
