//! Which messages are wanted.

use selvedge_runtime::{MessageFilter, MessageState};
use selvedge_session::MessageId;
use serde::Deserialize;

use crate::{problem::Problem, routes::sessions::page};

/// Which messages are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Only in this state.
    state: Option<MessageState>,
    /// At most so many; 100, unless given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// `next_cursor` of the page before.
    cursor: Option<MessageId>,
}

impl Wanted {
    pub(super) fn filter(self) -> Result<MessageFilter, Problem> {
        let Self { state, limit, cursor } = self;
        Ok(MessageFilter { state, after: cursor, limit: page(limit)? })
    }
}
