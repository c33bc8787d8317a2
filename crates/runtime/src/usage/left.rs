//! What removed sessions had used. A session's lines go with it, so they are copied before: into a log of their own, under the
//! same keys. As long as the session is there its own lines count; so one that stays after all, or whose remover was killed,
//! counts once.

use selvedge_journal::{AppendError, Record, SessionId as Key, Store as _};
use selvedge_session::{Code, SessionId};

use super::{Stretch, Sum, day_of, lines, unstretched};
use crate::{
    error::Error,
    house::House,
    ledger::{INDEX, IndexLine, table},
    view::Summary,
};

/// The log in which they lie; no session has this name.
const LOG: &str = "used";

/// Whether it is that log, and no session.
pub(crate) fn is_log(key: &Key) -> bool {
    key.as_str() == LOG
}

/// Writes down what a session has used that is about to go. Without room it goes all the same: it makes some.
pub(crate) async fn keep(house: &House, going: SessionId) {
    if let Err(error) = write(house, going).await {
        tracing::warn!(session_id = %going, error = %error.message, "what a removed session has used is not kept");
    }
}

async fn write(house: &House, going: SessionId) -> Result<(), Error> {
    let lines = copied(house, going).await?;
    if lines.is_empty() {
        return Ok(());
    }
    let body = serde_json::to_vec(&lines).map_err(|error| unwritten(&error))?;
    let record = Record::at(house.clock.now().0).fact(INDEX, body);
    let (log, mut n) = (Key::from(LOG), 0);
    loop {
        match house.append(&log, n, record.clone()).await {
            Ok(_) => return Ok(()),
            // Others went before, or go at the same time.
            Err(AppendError::Conflict { last_n }) => n = last_n,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Its own lines, and what stands in none of them.
async fn copied(house: &House, id: SessionId) -> Result<Vec<IndexLine>, Error> {
    let own = id.to_string();
    let found = lines(house, &format!("{own}/")).await?;
    let mut copied = Vec::new();
    let mut before = Sum::default();
    for found in found.into_iter().filter(|found| found.session.as_str() == own) {
        let Ok(stretch) = serde_json::from_slice::<Stretch>(&found.value) else { continue };
        before = stretch.sum();
        copied.push(line(found.key, &stretch)?);
    }
    let summary = house.store.look_up(table::SESSIONS, &own).await?;
    let summary = summary.first().and_then(|found| serde_json::from_slice::<Summary>(&found.value).ok());
    if let Some(summary) = summary
        && unstretched(&summary, before).is_some()
    {
        let Summary { usage, cost_usd, model, updated_at, .. } = summary;
        let last = Stretch { day: day_of(updated_at), model, usage, cost_usd, turns: 0 };
        // After the others, which end with digits.
        copied.push(line(format!("{own}/rest"), &last)?);
    }
    Ok(copied)
}

fn line(key: String, stretch: &Stretch) -> Result<IndexLine, Error> {
    let value = Some(serde_json::to_value(stretch).map_err(|error| unwritten(&error))?);
    Ok(IndexLine { table: table::USAGE.to_owned(), key, value })
}

fn unwritten(error: &serde_json::Error) -> Error {
    Error::coded(Code::Internal, format!("what was used cannot be kept: {error}"))
}
