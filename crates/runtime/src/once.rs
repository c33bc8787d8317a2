//! What is done once for a key: for 24 hours the answer that was given under it is given again.
//!
//! Answers lie in a log of their own for each day, which goes when nobody can ask for them any more.

mod answers;

use selvedge_journal::Store as _;
use selvedge_session::{Code, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    house::House,
    keys::{self, LIFE},
    ledger::{IndexLine, table},
    runtime::Runtime,
};

pub(crate) use answers::Answers;

/// An answer that can be given again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// How it went, in the caller's numbers.
    pub status: u16,
    /// What was said.
    pub body: String,
    /// Where what was made is, if something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// An answer as it lies in the index.
#[derive(Serialize, Deserialize)]
struct Line {
    at: i64,
    /// What was asked, so that another question is not answered by mistake.
    digest: String,
    #[serde(flatten)]
    kept: Kept,
}

impl Runtime {
    /// Does something once for a key. What it came to is given again for 24 hours to whoever asks the same with the same
    /// key; another request with it is refused. What failed is not kept: it changed nothing, and may be tried again.
    pub async fn once<E: From<Error>>(
        &self,
        key: &str,
        request: &impl Serialize,
        work: impl Future<Output = Result<Kept, E>>,
    ) -> Result<Kept, E> {
        let digest = keys::digest(request);
        let _one_at_a_time = self.house.answering.lock(key).await;
        if let Some(kept) = recall(&self.house, key, &digest).await? {
            return Ok(kept);
        }
        let kept = work.await?;
        let line = Line { at: self.house.clock.now().0, digest, kept: kept.clone() };
        // It is done: that it cannot be said again is no reason to say that it failed.
        let _unkept = keep(&self.house, key, line).await;
        Ok(kept)
    }
}

async fn recall(house: &House, key: &str, digest: &str) -> Result<Option<Kept>, Error> {
    for found in house.store.look_up(table::ANSWERS, key).await? {
        let Ok(line) = serde_json::from_slice::<Line>(&found.value) else { continue };
        if Timestamp(line.at) + LIFE < house.clock.now() {
            continue;
        }
        if line.digest != digest {
            return Err(Error::of(Code::KeyReused));
        }
        return Ok(Some(line.kept));
    }
    Ok(None)
}

async fn keep(house: &House, key: &str, line: Line) -> Result<(), Error> {
    let at = line.at;
    let value =
        serde_json::to_value(line).map_err(|error| Error::coded(Code::Internal, error.to_string()))?;
    let line = IndexLine { table: table::ANSWERS.to_owned(), key: key.to_owned(), value: Some(value) };
    house.answers.keep(house, at, line).await
}
