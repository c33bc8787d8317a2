//! How a message's end is a task's: its state, and the words that say why.

use selvedge_session::{Code, Failure, Status, data::Finished};
use serde_json::Value;

use super::task::State;

/// Where a task stands whose message ended like this, and what is said with it.
pub(crate) fn of(finished: &Finished) -> (State, Option<String>) {
    let error = finished.error.as_ref();
    let code = error.and_then(meant);
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
            Some(Code::DeadlineExceeded | Code::Stalled) => {
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

/// What a failure means. A provider that does not know the account is told by Codex as a connection that failed; before 0.166 its
/// words alone say so.
fn meant(error: &Failure) -> Option<Code> {
    let details: Value =
        error.details.as_ref().and_then(|it| serde_json::from_str(it.text()).ok()).unwrap_or_default();
    let info = details["codexErrorInfo"].as_object().and_then(|info| info.values().next());
    let unknown = info.is_some_and(|info| info["httpStatusCode"] == 401)
        || error.message.starts_with("unexpected status 401");
    if unknown { Some(Code::Unauthorized) } else { Code::named(&error.code) }
}
