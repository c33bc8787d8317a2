//! How a message's end is a task's: its state, and the words that say why.

use selvedge_session::{Code, Status, data::Finished};

use super::task::State;

/// Where a task stands whose message ended like this, and what is said with it.
pub(crate) fn of(finished: &Finished) -> (State, Option<String>) {
    let error = finished.error.as_ref();
    let code = error.and_then(|error| Code::named(&error.code));
    match finished.status {
        Status::Completed => (State::Completed, None),
        Status::Interrupted => (State::Canceled, None),
        Status::Lost => {
            let why =
                error.map_or("the connection to Codex was lost in the middle of the turn", |it| &it.message);
            (State::Failed, Some(format!("[codex unreachable] {why}; whether it was done is not known")))
        }
        Status::Failed => match code {
            Some(Code::NotLoggedIn | Code::Unauthorized) => (
                State::AuthRequired,
                Some("Codex is not logged in: log in, then send another message".to_owned()),
            ),
            Some(Code::DeadlineExceeded) => {
                let why = error.map_or("the time is over", |it| &it.message);
                (State::Failed, Some(format!("[codex turn timed out] {why}")))
            }
            _ => {
                let why = error.map_or("it failed without saying why", |it| &it.message);
                (State::Failed, Some(format!("[codex error] {why}")))
            }
        },
    }
}
