//! How much a runtime takes: so many sessions, and so many messages that wait in one.

use std::sync::Arc;

use selvedge_journal::Store as _;
use selvedge_session::{Code, Command, Session};

use crate::{config::Config, error::Error, house::House, ledger::table};

/// Calls of tools that may wait in one session.
const MOST_CALLS: usize = 256;

/// How many sessions there are, as far as is known, those that are being made among them. Some of those counted may be gone;
/// at the limit they are counted again.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    known: Option<u64>,
    /// One for each that is being made: it is in no count yet.
    under_way: Arc<()>,
}

/// Room for a session, as long as it is being made.
#[derive(Debug)]
pub(crate) struct Room {
    _under_way: Arc<()>,
}

impl Sessions {
    /// Room for one more, which is counted with this.
    pub(super) async fn one_more(&mut self, house: &House) -> Result<Room, Error> {
        let most = house.config.max_sessions;
        let known = match self.known.filter(|known| *known < most) {
            Some(known) => known,
            None => self.counted(house).await?,
        };
        if known >= most {
            self.known = None;
            return Err(too_much(format!("there are {known} sessions already, and {most} are allowed"))
                .hint("remove some (`selvedge sessions prune`), or raise `max_sessions` in selvedge.toml"));
        }
        self.known = Some(known + 1);
        Ok(Room { _under_way: Arc::clone(&self.under_way) })
    }

    async fn counted(&self, house: &House) -> Result<u64, Error> {
        // Before the others: who is made meanwhile counts twice rather than not at all.
        let under_way = Arc::strong_count(&self.under_way) as u64 - 1;
        let counts = house.store.counts(table::STANDING).await?;
        Ok(under_way + counts.iter().map(|(_, count)| count).sum::<u64>())
    }
}

/// Whether a session takes what is wanted of it: a queue has an end.
pub(crate) fn takes(config: &Config, session: &Session, command: &Command) -> Result<(), Error> {
    if matches!(command, Command::CallTool(_)) && session.open_tools().count() >= MOST_CALLS {
        return Err(too_much(format!("{MOST_CALLS} calls of this session's tools wait already")));
    }
    let most = config.max_queued_messages;
    if !matches!(command, Command::Send(_)) || session.queued().count() < most {
        return Ok(());
    }
    Err(too_much(format!("{most} messages wait in this session already"))
        .hint("wait until some have run, or raise `max_queued_messages` in selvedge.toml"))
}

fn too_much(message: String) -> Error {
    Error::coded(Code::TooMuch, message)
}
