//! Idempotency keys: for 24 hours the same key gives the same answer, and another request with it none.

use std::time::Duration;

use selvedge_journal::Store as _;
use selvedge_session::{Code, MessageId, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{error::Error, house::House, ledger::table};

/// How long a key gives the same answer.
pub(crate) const LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// What a key was used for, as it lies in the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Used {
    /// In milliseconds.
    at: i64,
    /// What was asked, so that another question is not answered by mistake.
    digest: String,
    /// The message it gave, if it was one.
    #[serde(default)]
    pub(crate) message_id: Option<MessageId>,
}

impl Used {
    pub(crate) fn new(at: Timestamp, digest: &str, message_id: Option<MessageId>) -> Self {
        Self { at: at.0, digest: digest.to_owned(), message_id }
    }

    /// As the index keeps it.
    pub(crate) fn written(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }
}

/// What a key gave before: in which session, and what.
pub(crate) async fn recall(
    house: &House,
    key: &str,
    digest: &str,
) -> Result<Option<(SessionId, Used)>, Error> {
    let found = house.store.look_up(table::KEYS, key).await?;
    for found in found {
        let Ok(used) = serde_json::from_slice::<Used>(&found.value) else { continue };
        let Ok(session) = found.session.as_str().parse() else { continue };
        if Timestamp(used.at) + LIFE < house.clock.now() {
            continue;
        }
        if used.digest != digest {
            return Err(Error::of(Code::KeyReused));
        }
        return Ok(Some((SessionId(session), used)));
    }
    Ok(None)
}

/// What tells two requests apart.
pub(crate) fn digest(request: &impl Serialize) -> String {
    let text = serde_json::to_vec(request).unwrap_or_default();
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
