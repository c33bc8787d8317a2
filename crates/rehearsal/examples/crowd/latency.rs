//! How long a delta takes from the app-server's write to a reader of the gateway's stream.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    reader::Reader,
    server::{Play, Server},
    sessions,
};

const A_SECOND: usize = 50;
const BETWEEN: Duration = Duration::from_millis(1_000 / A_SECOND as u64);

pub(crate) async fn measure(load: &Load) -> Measured {
    // What comes in the first second is not counted: not all sessions speak yet.
    let deltas = (load.amount + 1) * A_SECOND;
    let play = Play::pace(deltas, 1_000 / A_SECOND);
    let server = Server::start(load, &[&play])?;
    let sessions = sessions::make(&server, load.sessions)?;
    let mut readers = JoinSet::new();
    for session in &sessions {
        let reader = Reader::open(&server.place, &session.id, session.last_seq).await?;
        readers.spawn(follow(reader, deltas, A_SECOND));
    }
    let busy = server.cpu_seconds();
    sessions::begin_in_turn(&server.place, &sessions, &play, BETWEEN).await?;
    let took = Took::of(readers).await?;
    let cpu = (server.cpu_seconds() - busy) / (deltas * load.sessions) as f64;
    let mut report = took.report();
    report["cpu_micros"] = json!(cpu * 1e6);
    Ok(report)
}

/// Reads so many deltas, and says what each took in nanoseconds, the first ones aside.
pub(crate) async fn follow(mut reader: Reader, deltas: usize, beginning: usize) -> Result<Vec<u64>, Failure> {
    let mut took = Vec::with_capacity(deltas);
    while took.len() < deltas {
        let now = reader.more().await?;
        reader.numbers(|then| took.push(now.saturating_sub(then)))?;
    }
    if !reader.dense || took.len() != deltas {
        return Err("an event was lost, repeated or moved".into());
    }
    Ok(took.split_off(beginning.min(deltas)))
}

/// What deltas took, sorted.
pub(crate) struct Took(Vec<u64>);

impl Took {
    /// Waits for everybody.
    pub(crate) async fn of(mut readers: JoinSet<Result<Vec<u64>, Failure>>) -> Result<Self, Failure> {
        let mut took = Vec::new();
        while let Some(read) = readers.join_next().await {
            took.extend(read??);
        }
        Ok(Self::new(took))
    }

    pub(crate) fn new(mut took: Vec<u64>) -> Self {
        took.sort_unstable();
        Self(took)
    }

    pub(crate) fn report(&self) -> serde_json::Value {
        json!({ "p50": self.at(500), "p90": self.at(900), "p99": self.at(990), "p999": self.at(999), "deltas": self.0.len() })
    }

    fn at(&self, part: usize) -> f64 {
        self.0.get(self.0.len() * part / 1_000).map_or(f64::NAN, |nanos| *nanos as f64 / 1e6)
    }
}
